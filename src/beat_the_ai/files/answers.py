"""Files of answers by id, in the shapes of evaluation scripts and pipelines.

| written by | shape |
|---|---|
| `adversary predict`, SQuAD's script, run_qa | `{id: answer}` |
| the metrics of `evaluate`, jq, pandas | rows with an id and an answer: a list, JSON Lines, CSV, Parquet |
| run_qa's n-best lists, pipelines with `top_k` | an answer is a list of objects, each with a probability or a score |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.records import json_values_of, read_records, records_of
from beat_the_ai.files.shapes import unwrapped
from beat_the_ai.files.values import check_unique, id_of, is_id_field, shown

ANSWER_FIELDS = (
    "prediction_text",
    "prediction",
    "predicted_answer",
    "predicted_label",
    "pred_label",
    "predicted",
    "pred",
)
SCORE_FIELDS = ("probability", "score")


def read_answers(path: Path, key: str) -> dict[str, Any]:
    """Return `{id: answer}`, without those that are null; an answer of a row is an object with its other fields.

    Raises `InvalidInput` under `key` that names the file and the shape which was found.
    """
    return {name: answer for name, answer in _by_id(path, key).items() if answer is not None and answer != {}}


def said(answer: Any, names: Sequence[str]) -> Any:
    """Return an answer by itself: of an object its field, of a list of guesses the most probable one.

    `names` are the kind's own for the field; what scripts call a prediction comes before them. None where there is no
    answer. Raises `ValueError` that names the shape of what may mean more than one thing.
    """
    if isinstance(answer, Mapping):
        fields = [*ANSWER_FIELDS, *names]
        found = [answer[name] for name in fields if answer.get(name) is not None]
        if not found and set(answer) - set(fields):
            raise ValueError(f"{shown(answer)}; a field named {' or '.join(names)} is needed")
        return said(found[0], names) if found else None
    if isinstance(answer, list) and all(isinstance(each, Mapping) for each in answer):
        return said(_best(answer), names) if answer else None
    return answer


def _best(guesses: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    for name in SCORE_FIELDS:
        if all(isinstance(guess.get(name), int | float) for guess in guesses):
            return max(guesses, key=lambda guess: float(guess[name]))
    if len(guesses) > 1:
        raise ValueError(f"a list of {len(guesses)} guesses without a probability; one answer is needed")
    return guesses[0]


def _by_id(path: Path, key: str) -> dict[str, Any]:
    values = json_values_of(path, key)
    if values is not None and len(values) == 1 and isinstance(values[0][1], dict) and not _has_rows(values[0][1]):
        return values[0][1]
    answers: list[tuple[str, Any]] = []
    needed = "an id and an answer"
    records = read_records(path, key, needed) if values is None else records_of(values, path, key, needed)
    for record in records:
        name = id_of(record.fields, record.place, key)
        if not name:
            raise InvalidInput(key, f"{record.place}: there is no id; it has {record.field_names}. Name the column id.")
        answers.append((name, {field: each for field, each in record.fields.items() if not is_id_field(field)}))
    check_unique((name for name, _ in answers), path, key, "answers")
    return dict(answers)


def _has_rows(document: dict[str, Any]) -> bool:
    rows = unwrapped(document) or [document]
    return all(isinstance(row, dict) and len(row) > 1 and any(map(is_id_field, row)) for row in rows)
