"""Pairs with gold labels in files, a record each, in one of several shapes, each known by its fields.

| shape | fields |
|---|---|
| SNLI's, MultiNLI's, HANS', SNLI-Hard's and the stress tests' | sentence1, sentence2, gold_label |
| ANLI's, and Dynabench's | context, hypothesis, label |
| the annotation that ANLI's authors have published | context, statement, gold_label, adversary_pred |
| FEVER-NLI's | context, query, label |
| Hugging Face's copies of them, and ours; WANLI's | premise, hypothesis, label; or gold |
| premises to write about, with hypotheses that are known | context, hypotheses [{text, label}] |

A label is a name, its first letter, or its number: in the order that the dataset declares (`files.features`), or else
in that of `LABELS`, as Hugging Face numbers SNLI's. Pairs whose annotators did not agree on one (`-`, or -1), or whose
label is `hidden`, are left out and counted.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.datasets import read_dataset
from beat_the_ai.files.records import Record
from beat_the_ai.files.values import id_of, shown, whole
from beat_the_ai.kinds.nli.label_names import ALLOWED, NON_ENTAILMENT, GoldLabel, gold_label_named, label_named
from beat_the_ai.kinds.nli.labels import LABELS, Label, Pair

DISAGREED = -1  # the Hugging Face hub's
UNLABELLED = ("-", "hidden")  # SNLI's, and MultiNLI's


@dataclass(frozen=True)
class LabelledPair:
    """`id` is the file's own or else the number of the line, and unique in its file; `genre` may be empty.

    An id that stands there more than once is told apart by its line, as in `7#0e/3`.
    `model_label` is what the model said that it was written against, where the file tells; `round` and `skill` may be
    empty. `is_plain` is false of hypotheses that are known and are no gold for verifiers. `exclusive` is ANLI's
    `emturk`: its writer writes for the test part alone; None where the file does not tell. `reason` is the writer's.
    `part` is that of a dataset in a folder.
    """

    id: str
    pair: Pair
    label: GoldLabel
    genre: str
    model_label: Label | None = None
    round: str = ""
    skill: str = ""
    is_plain: bool = True
    exclusive: bool | None = None
    reason: str = ""
    part: str = ""

    @property
    def target(self) -> Label:
        """Return its label as models have it. Raises `InvalidInput` for one of two labels."""
        if self.label == NON_ENTAILMENT:
            raise InvalidInput(
                "data",
                f"The pair {self.id[:80]!r} is labelled {self.label}, which may be neutral or contradiction: nothing "
                "can be trained on it, or judged by it. `evaluate`, `score`, `stats` and `report` read such datasets.",
            )
        return self.label

    @property
    def groups(self) -> Mapping[str, str]:
        """Return the groups that its figures count in, as far as the file tells, as in `{"genre": "news"}`."""
        exclusive = "" if self.exclusive is None else "yes" if self.exclusive else "no"
        groups = {"round": self.round, "genre": self.genre, "exclusive": exclusive, "skill": self.skill}
        return {name: group for name, group in groups.items() if group}


@dataclass(frozen=True)
class LabelledPairs:
    """The labelled pairs of a file, in its order. `left_out` holds the ids of the pairs without a label."""

    pairs: Sequence[LabelledPair]
    left_out: Sequence[str]

    @property
    def without_label(self) -> int:
        """Return how many pairs have no label."""
        return len(self.left_out)

    @property
    def notes(self) -> Sequence[str]:
        """Return the sentences that belong beside figures of these pairs."""
        return [f"{self.without_label:,} pairs without a gold label were left out."] if self.left_out else []


class Shape(NamedTuple):
    premise: str
    hypothesis: str
    label: str  # as a rule: a record has it under any name of `LABEL_FIELDS`


SHAPES = (
    Shape("sentence1", "sentence2", "gold_label"),
    Shape("context", "hypothesis", "label"),
    Shape("context", "statement", "gold_label"),
    Shape("context", "query", "label"),
    Shape("premise", "hypothesis", "label"),
)
LABEL_FIELDS = ("gold_label", "label", "gold")
_TRUTH = {"true": True, "false": False}  # CSV has texts


def read_pairs(path: Path) -> LabelledPairs:
    """Raises `InvalidInput` that names the file, the line and what is wrong there, or says that no pair has a label."""
    read = read_any_pairs(path)
    if not read.pairs:
        raise InvalidInput("data", f"{path} holds no pair with a label ({read.without_label:,} without one).")
    return read


def read_any_pairs(path: Path) -> LabelledPairs:
    """Read a file that may be a part without rows, or all parts of a folder. Raises as `read_pairs`."""
    records = list(_records(path))
    _check_numbers(path, records)
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
    return id_of(record.fields, record.place, "data") or str(record.number)


def _records(path: Path) -> Iterator[Record]:
    """Yield the records of a file, a premise to write about as so many pairs."""
    for record in read_dataset(path, "data"):
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
        yield replace(record, fields=pair)


def _labelled(record: Record, name: str) -> LabelledPair | None:
    """Return a pair, or none where it has no label."""
    fields, place = record.fields, record.place
    premises = [shape for shape in SHAPES if shape.premise in fields]
    if not premises:
        wanted = "; or ".join(", ".join(shape) for shape in SHAPES)
        told = f"Fields that are read: {wanted}. It has {record.field_names}."
        raise InvalidInput("data", f"{place}: there is no premise. {told}")
    shape = next((shape for shape in premises if shape.hypothesis in fields), premises[0])
    premise, hypothesis = (_text(fields, field, place) for field in shape[:2])
    label = _label(fields, shape.label, place)
    if label is None:
        return None
    model_label = fields.get("model_label", fields.get("adversary_pred"))
    return LabelledPair(
        id=name,
        pair=Pair(premise=premise, hypothesis=hypothesis),
        label=label,
        genre=_mark(fields, "genre") or _mark(fields, "heuristic"),
        model_label=label_named(model_label) if isinstance(model_label, str) else None,
        round=record.round or _mark(fields, "tag"),
        skill=_mark(fields, "skill"),
        is_plain=fields.get("gold", True) is not False,
        exclusive=_TRUTH.get(str(fields.get("emturk")).casefold()),
        reason=_mark(fields, "reason"),
        part=record.part,
    )


def _mark(record: Mapping[str, Any], field: str) -> str:
    value = record.get(field)
    return "" if value is None else str(value)


def _text(record: Mapping[str, Any], field: str, place: str) -> str:
    value = record.get(field)
    if not isinstance(value, str):
        raise InvalidInput("data", f"{place}: {field} is {shown(value)}; a text is needed.")
    return value


def _given(record: Mapping[str, Any], usual: str) -> tuple[str, Any]:
    """Return the field that has the label, and its value; in premises to write about, `gold` is true or false."""
    present = [each for each in (usual, *LABEL_FIELDS) if each in record]
    field = next((each for each in present if each != "gold" or not isinstance(record[each], bool)), usual)
    return field, record.get(field)


def _check_numbers(path: Path, records: Sequence[Record]) -> None:
    """Raises `InvalidInput` where numbers stand for labels of two kinds or of three, and nobody says which."""
    labels = [_given(record.fields, "label")[1] for record in records]
    numbers = [_number(label) for label in labels if label not in UNLABELLED]
    if {number for number in numbers if number != DISAGREED} == {0, 1}:
        raise InvalidInput(
            "data",
            f"{path} labels its pairs with 0 and 1 alone: these may be entailment and neutral, or entailment and "
            "non-entailment (HANS). Write the labels as names, or put the dataset's README.md or dataset_info.json, "
            "which names its classes, beside the file.",
        )


def _label(record: Mapping[str, Any], usual: str, place: str) -> GoldLabel | None:
    """Return the label by its name, or by its number, which may be a text ("0") or have a point (0.0)."""
    field, value = _given(record, usual)
    number = _number(value)
    if value in UNLABELLED or number == DISAGREED:
        return None
    if (label := gold_label_named(value)) is not None:
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
