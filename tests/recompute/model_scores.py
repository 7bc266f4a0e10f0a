"""The scores of models on frozen rounds ("Models by rounds"), from the marks that `rounds/scores.json` keeps.

Contexts of examples are in the gold files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tests.recompute.campaign import Section
from tests.recompute.cells import NONE, interval, over_clusters
from tests.recompute.files import Export, table

TITLE = "Models by rounds"
Score = Mapping[str, Any]


def differences(export: Export, said: Mapping[str, Section]) -> Iterator[str]:
    path = export.folder / "rounds" / "scores.json"
    scores: list[Score] = json.loads(path.read_text("utf-8")) if path.exists() else []
    if bool(scores) is not (TITLE in said):
        yield f"report, {TITLE}: {'it is missing' if scores else 'there are no scores'}"
    if scores and TITLE in said:
        yield from (f"report, {TITLE}: {one}" for one in _in_section(export.folder, scores, said[TITLE]))


def _in_section(folder: Path, scores: Sequence[Score], said: Section) -> Iterator[str]:
    models = list(dict.fromkeys(score["model"] for score in scores))
    last = {(score["model"], score["gold"]): score for score in scores}
    golds = list(dict.fromkeys(gold for model in models for one, gold in last if one == model))
    if list(said.header) != ["model", *golds] or len(said.rows) != len(models):
        yield f"{said.header} and {len(said.rows)} rows are said, {['model', *golds]} and {len(models)} are kept"
        return
    for model, row in zip(models, said.rows, strict=True):
        if row[0] != re.split("[:/#]", model)[-1]:
            yield f"{row[0]} is said, {model} is kept"
        for gold, cell in zip(golds, row[1:], strict=True):
            score = last.get((model, gold))
            found = [] if score is None and cell == NONE else [f"{cell} is said, and nothing is kept"]
            yield from (
                f"{row[0]}, {gold}: {one}" for one in (found if score is None else _in_cell(folder, score, cell))
            )


def _in_cell(folder: Path, score: Score, cell: str) -> Iterator[str]:
    value, *ends = map(float, re.findall(r"\d+\.\d+", cell))
    marks = np.array(score["marks"], dtype=float)
    if not len(marks):
        return  # scores of older versions have none
    if f"{100 * marks.mean():.1f}" != f"{value:.1f}":
        yield f"{value} is said, {100 * marks.mean():.2f} is the mean of its marks"
    gold = _gold_file(folder, score["gold"])
    if gold is None or sha256(gold.read_bytes()).hexdigest() != score["gold_hash"]:
        return  # it lies elsewhere, or is no more what it was
    contexts = _contexts(table(gold))
    if len(contexts) != len(marks):
        yield f"{len(marks)} marks are kept, and {gold.name} has {len(contexts)} examples"
        return
    shown = [100 * end for end in _ends(marks, contexts)]
    if len(ends) != len(shown) or any(abs(one - other) > 0.051 for one, other in zip(ends, shown, strict=True)):
        yield f"{ends} is said, {shown} is in {gold.name}"


def _gold_file(folder: Path, gold: str) -> Path | None:
    number, _, part = gold.partition("/")
    path = folder / "rounds" / number / "data" / f"{part}.jsonl" if number.isdigit() else folder / gold
    return path if path.is_file() and path.suffix == ".jsonl" else None


def _contexts(rows: pd.DataFrame) -> pd.Series:
    """Return the context of each example, which has it in a column; or each context has a list of its examples."""
    for listed in ("hypotheses", "questions"):
        if listed in rows:
            return pd.Series(rows.index.repeat(rows[listed].map(len)))
    return rows["context" if "context" in rows else "premise"]


def _ends(marks: Any, contexts: pd.Series) -> tuple[float, ...]:
    """Return the interval of a mean of marks, 0 to 1, if it has one."""
    count = contexts.nunique()
    if count == len(marks) > 1 and set(marks) <= {0.0, 1.0}:
        return interval(int(marks.sum()), len(marks))
    return over_clusters(pd.Series(marks), pd.Series(contexts.to_numpy()))[1:]
