"""Pairs with gold labels in files, a record each, in one of four shapes, each known by its fields.

| shape | fields |
|---|---|
| SNLI's and MultiNLI's, and those of the hard part of SNLI and of the stress tests | sentence1, sentence2, gold_label |
| ANLI's | context, hypothesis, label |
| Hugging Face's copies of them, and ours | premise, hypothesis, label |
| premises to write about, with hypotheses that are known | context, hypotheses [{text, label}] |

A label is a name, its first letter, or its number in `LABELS`, as Hugging Face numbers them. Pairs whose annotators
did not agree on one (`-`, or -1) are left out and counted.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.records import Record, read_records
from beat_the_ai.files.values import id_of, shown, whole
from beat_the_ai.kinds.nli.label_names import ALLOWED, label_named
from beat_the_ai.kinds.nli.labels import LABELS, Label, Pair

DISAGREEMENT, DISAGREED = "-", -1  # SNLI's, and the Hugging Face hub's


@dataclass(frozen=True)
class LabelledPair:
    """`id` is the file's own or else the number of the line, and unique in its file; `genre` may be empty.

    An id that stands there more than once is told apart by its line, as in `7#0e/3`.
    `model_label` is what the model said that it was written against, where the file tells; `round` and `skill` may be
    empty. `is_plain` is false of hypotheses that are known and are no gold for verifiers.
    """

    id: str
    pair: Pair
    label: Label
    genre: str
    model_label: Label | None = None
    round: str = ""
    skill: str = ""
    is_plain: bool = True


@dataclass(frozen=True)
class LabelledPairs:
    """The labelled pairs of a file, in its order. `left_out` holds the ids of the pairs without a label."""

    pairs: Sequence[LabelledPair]
    left_out: Sequence[str]

    @property
    def without_label(self) -> int:
        """Return how many pairs have no label."""
        return len(self.left_out)


class Shape(NamedTuple):
    premise: str
    hypothesis: str
    label: str


SHAPES = (
    Shape("sentence1", "sentence2", "gold_label"),
    Shape("context", "hypothesis", "label"),
    Shape("premise", "hypothesis", "label"),
)
ID_FIELDS = ("pairID", "uid", "id", "guid", "idx")


def read_pairs(path: Path) -> LabelledPairs:
    """Raises `InvalidInput` that names the file, the line and what is wrong there, or says that no pair has a label."""
    read = read_any_pairs(path)
    if not read.pairs:
        raise InvalidInput("data", f"{path} holds no pair with a label ({read.without_label:,} without one).")
    return read


def read_any_pairs(path: Path) -> LabelledPairs:
    """Read a file that may be a part without rows. Raises as `read_pairs`."""
    records = list(_records(path))
    times = Counter(map(_id, records))
    pairs: list[LabelledPair] = []
    left_out: list[str] = []
    for record in records:
        # Stress tests repeat the ids of the pairs that they are made from: no such id says which pair is meant.
        name = _id(record) if times[_id(record)] == 1 else f"{_id(record)}/{record.number}"
        labelled = _labelled(record, name)
        if labelled is None:
            left_out.append(name)
        else:
            pairs.append(labelled)
    return LabelledPairs(pairs, left_out)


def identity(pair: Pair) -> tuple[str, str]:
    """Return the key that is the same for equal pairs, whatever their case, spacing and encoding (NFKC)."""
    return _folded(pair.premise), _folded(pair.hypothesis)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _id(record: Record) -> str:
    return id_of(record.fields, ID_FIELDS, record.place, "data") or str(record.number)


def _records(path: Path) -> Iterator[Record]:
    """Yield the records of a file, a premise to write about as so many pairs."""
    for record in read_records(path, "data"):
        if "hypotheses" in record.fields:
            yield from _known_pairs(record)
        else:
            yield record


def _known_pairs(record: Record) -> Iterator[Record]:
    fields, known = record.fields, record.fields["hypotheses"]
    if not isinstance(known, list) or not all(isinstance(each, dict) for each in known):
        raise InvalidInput("data", f"{record.place}: hypotheses is {shown(known)}; a list of objects is needed.")
    for number, each in enumerate(known):
        pair = {
            "id": f"{_id(record)}/{number}",
            "premise": fields.get("context"),
            "hypothesis": each.get("text"),
            "label": each.get("label"),
            "genre": fields.get("genre"),
            "skill": each.get("skill"),
            "gold": each.get("gold", False),
        }
        yield Record(record.place, record.number, pair)


def _labelled(record: Record, name: str) -> LabelledPair | None:
    """Return a pair, or none where it has no label."""
    fields, place = record.fields, record.place
    shape = next((shape for shape in SHAPES if shape.premise in fields), None)
    if shape is None:
        wanted = "; or ".join(", ".join(shape) for shape in SHAPES)
        told = f"Fields that are read: {wanted}. It has {record.field_names}."
        raise InvalidInput("data", f"{place}: there is no premise. {told}")
    premise, hypothesis = (_text(fields, field, place) for field in (shape.premise, shape.hypothesis))
    label = _label(fields, shape.label, place)
    if label is None:
        return None
    model_label = fields.get("model_label")
    return LabelledPair(
        id=name,
        pair=Pair(premise=premise, hypothesis=hypothesis),
        label=label,
        genre=_mark(fields, "genre"),
        model_label=label_named(model_label) if isinstance(model_label, str) else None,
        round=_mark(fields, "tag"),
        skill=_mark(fields, "skill"),
        is_plain=fields.get("gold", True) is True,
    )


def _mark(record: Mapping[str, Any], field: str) -> str:
    value = record.get(field)
    return "" if value is None else str(value)


def _text(record: Mapping[str, Any], field: str, place: str) -> str:
    value = record.get(field)
    if not isinstance(value, str):
        raise InvalidInput("data", f"{place}: {field} is {shown(value)}; a text is needed.")
    return value


def _label(record: Mapping[str, Any], field: str, place: str) -> Label | None:
    """Return the label by its name, or by its number, which may be a text ("0") or have a point (0.0)."""
    value = record.get(field)
    number = _number(value)
    if value == DISAGREEMENT or number == DISAGREED:
        return None
    if isinstance(value, str) and (label := label_named(value)) is not None:
        return label
    if number is not None and 0 <= number < len(LABELS):
        return LABELS[number]
    numbers = f"0 to {len(LABELS) - 1} in this order"
    raise InvalidInput(
        "data", f"{place}: {field} is {shown(value)}. Allowed: {ALLOWED}; {numbers}; - for a pair without one."
    )


def _number(value: object) -> int | None:
    try:
        found = whole(float(value) if isinstance(value, str) else value)
    except ValueError:
        return None
    return found if isinstance(found, int) and not isinstance(found, bool) else None
