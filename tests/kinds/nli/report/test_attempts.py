"""The tables of rates and effort, from an exported campaign's attempts alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.report.attempts import read_attempts
from beat_the_ai.kinds.nli.report.corpora import PairCorpora

CORPORA = PairCorpora()


def attempt(hit: str, ordinal: int, *, fooled: bool = False, **more: Any) -> dict[str, Any]:
    """Return an attempt of round 1, in train, where all that beat the model is checked."""
    return {
        "attempt_id": f"{hit}{ordinal}",
        "context_id": hit,
        "context": "It rains.",
        "work": {"hypothesis": "It is wet.", "target": "entailment"},
        "prediction": {"label": "neutral" if fooled else "entailment", "probabilities": {}},
        "fooled": fooled,
        "retracted": False,
        "part": "train",
        "exclusive": False,
        "dropped": None,
        "assignment": hit,
        "ordinal": ordinal,
        "tries_left": 3 - ordinal,
        "round": 1,
        "genre": "news",
        "seconds": 10.0 * ordinal,
        "is_checked": True,
        "validation": "valid" if fooled else None,
        "votes": [],
        **more,
    }


ATTEMPTS = [
    *(attempt("a", 1), attempt("a", 2, fooled=True)),
    *(attempt("out", 1), attempt("out", 2), attempt("out", 3)),
    attempt("refuted", 1, fooled=True, validation="invalid"),
    attempt("doubted", 1, fooled=True, validation="valid", admitted=False),
    attempt("open", 1, fooled=True, validation="undecided"),
    attempt("taken back", 1, retracted=True),
    attempt("revoked", 1, part=None, dropped="discarded", discarded_by="reviewer"),
    attempt("outvoted", 1, fooled=True, part=None, dropped="discarded", discarded_by="votes", validation="invalid"),
    attempt("never handed in", 1, part=None, dropped="not_handed_in"),
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "attempts.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in ATTEMPTS), "utf-8")
    return path


def test_rates_and_effort_are_those_of_the_trials(table: Path) -> None:
    assert CORPORA.introduction(table) == "A table of 12 attempts of a campaign."
    [group] = CORPORA.statistics(table).figures["attempts"]
    assert group == {
        "round": "1",
        "genre": "news",
        "premises": 5,
        "hypotheses": 8,  # as premises without what was taken back or discarded
        "unverified_errors": 4,
        "decided": 8,  # with what others discarded, without what is open
        "verified_errors": 1,
        "hits": 5,
        "hits_ran_out": 1,
        "hits_ended": 5,
        "of_ended_hits": {"tries_mean": 1.6, "tries_median": 1, "seconds_mean": 16.0, "seconds_median": 10.0},
        "of_verified_errors": {"tries_mean": 2.0, "tries_median": 2, "seconds_mean": 20.0, "seconds_median": 20.0},
    }
    assert [section.title for section in CORPORA.sections(table)] == [
        "Model errors",
        "Tries and time of a HIT",
        "Tries and time for a verified model error",
    ]


def test_an_export_has_them_beside_its_parts(table: Path) -> None:
    (table.parent / "jsonl").mkdir()
    row = {"uid": "a2", "context": "It rains.", "hypothesis": "It is wet.", "label": "e", "tag": "R1", "genre": "news"}
    (table.parent / "jsonl" / "train.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    titles = [section.title for section in CORPORA.sections(table.parent)]
    assert titles[:3] == ["Pairs and labels", "Pairs by round and genre", "Labels by round and genre"]
    assert "Model errors" in titles
    figures = CORPORA.statistics(table.parent).figures
    assert (figures["pairs"], figures["groups"][0]["round"], figures["attempts"][0]["hits"]) == (1, "1", 5)


def test_other_files_have_no_attempts(tmp_path: Path) -> None:
    assert read_attempts(tmp_path) == []
    assert read_attempts(tmp_path / "dev.jsonl") == []


def test_a_column_that_is_missing_is_named_with_its_place(table: Path) -> None:
    row = {name: value for name, value in ATTEMPTS[0].items() if name != "seconds"}
    table.write_text(json.dumps(row) + "\n", "utf-8")
    with pytest.raises(InvalidInput, match=r"attempts\.jsonl, line 1: .*seconds"):
        CORPORA.sections(table)
