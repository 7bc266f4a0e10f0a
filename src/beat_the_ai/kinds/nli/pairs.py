"""Pairs with gold labels in files: a JSON object a line, in one of three shapes, each known by its fields.

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

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.label_names import ALLOWED, label_named
from beat_the_ai.kinds.nli.labels import LABELS, Label, Pair

DISAGREEMENT = ("-", -1)


@dataclass(frozen=True)
class LabelledPair:
    """`id` is the file's own or else the number of the line, and unique in its file; `genre` may be empty.

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
    """Those of a file, in its order; `without_label` is how many were left out."""

    pairs: Sequence[LabelledPair]
    without_label: int


class Shape(NamedTuple):
    premise: str
    hypothesis: str
    label: str
    id: str


SHAPES = (
    Shape("sentence1", "sentence2", "gold_label", "pairID"),
    Shape("context", "hypothesis", "label", "uid"),
    Shape("premise", "hypothesis", "label", "id"),
)


def read_pairs(path: Path) -> LabelledPairs:
    """Raises `InvalidInput` that names the file, the line and what is wrong there, or says that no pair has a label."""
    pairs: list[LabelledPair] = []
    ids: set[str] = set()
    without_label = 0
    for number, record in _records(path):
        labelled = _labelled(record, number, f"{path}, line {number}")
        if labelled is None:
            without_label += 1
            continue
        if labelled.id in ids:  # stress tests repeat the ids of the pairs that they are made from
            labelled = replace(labelled, id=f"{labelled.id}/{number}")
        ids.add(labelled.id)
        pairs.append(labelled)
    if not pairs:
        raise InvalidInput("data", f"{path} holds no pair with a label ({without_label:,} without one).")
    return LabelledPairs(pairs, without_label)


def identity(pair: Pair) -> tuple[str, str]:
    """By which a pair is known again: without case, spacing and ways of encoding (NFKC)."""
    return _folded(pair.premise), _folded(pair.hypothesis)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _records(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The objects in a file with the numbers of their lines."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("data", f"{path} cannot be read as UTF-8 text: {error}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InvalidInput("data", f"{path}, line {number}: no JSON object: {error}") from error
        if not isinstance(record, dict):
            raise InvalidInput("data", f"{path}, line {number}: a JSON object is needed, one a line.")
        if "hypotheses" in record:
            yield from ((number, pair) for pair in _known_pairs(record, f"{path}, line {number}"))
        else:
            yield number, record


def _known_pairs(record: Mapping[str, Any], place: str) -> Iterator[Mapping[str, Any]]:
    """A premise to write about as so many pairs."""
    known = record["hypotheses"]
    if not isinstance(known, list) or not all(isinstance(each, dict) for each in known):
        raise InvalidInput("data", f"{place}: hypotheses is {str(known)[:40]!r}; a list of objects is needed.")
    for number, each in enumerate(known):
        yield {
            "id": f"{record.get('id')}/{number}",
            "premise": record.get("context"),
            "hypothesis": each.get("text"),
            "label": each.get("label"),
            "genre": record.get("genre"),
            "skill": each.get("skill"),
            "gold": each.get("gold", False),
        }


def _labelled(record: Mapping[str, Any], number: int, place: str) -> LabelledPair | None:
    """None for a pair without a label."""
    shape = next((shape for shape in SHAPES if shape.premise in record), None)
    if shape is None:
        wanted = "; or ".join(", ".join(shape[:3]) for shape in SHAPES)
        raise InvalidInput("data", f"{place}: there is no premise. Fields that are read: {wanted}.")
    premise, hypothesis = (_text(record, field, place) for field in (shape.premise, shape.hypothesis))
    label = _label(record, shape.label, place)
    if label is None:
        return None
    name, model_label = record.get(shape.id), record.get("model_label")
    return LabelledPair(
        id=str(number if name is None else name),
        pair=Pair(premise=premise, hypothesis=hypothesis),
        label=label,
        genre=_mark(record, "genre"),
        model_label=label_named(model_label) if isinstance(model_label, str) else None,
        round=_mark(record, "tag"),
        skill=_mark(record, "skill"),
        is_plain=record.get("gold", True) is True,
    )


def _mark(record: Mapping[str, Any], field: str) -> str:
    value = record.get(field)
    return "" if value is None else str(value)


def _text(record: Mapping[str, Any], field: str, place: str) -> str:
    value = record.get(field)
    if not isinstance(value, str):
        raise InvalidInput("data", f"{place}: {field} is {str(value)[:40]!r}; a text is needed.")
    return value


def _label(record: Mapping[str, Any], field: str, place: str) -> Label | None:
    value = record.get(field)
    if value in DISAGREEMENT and not isinstance(value, bool):
        return None
    if isinstance(value, str) and (label := label_named(value)) is not None:
        return label
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(LABELS):
        return LABELS[value]
    numbers = f"0 to {len(LABELS) - 1} in this order"
    raise InvalidInput(
        "data", f"{place}: {field} is {str(value)[:40]!r}. Allowed: {ALLOWED}; {numbers}; - for a pair without one."
    )
