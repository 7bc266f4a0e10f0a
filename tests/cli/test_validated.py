"""From stored votes to what exports and reports take."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from beat_the_ai.cli.validated import checked, dataset_validation
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.parts import PARTS
from beat_the_ai.dataset.validation import Outcome, Status, Vote
from beat_the_ai.store import Store, open_store
from tests.validation.written import TEXT, answer_all, new_campaign, new_desk, write


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "store.db"))
    yield opened
    opened.close()


def test_an_export_holds_what_people_could_answer_of_writers_who_are_kept(store: Store, tmp_path: Path) -> None:
    campaign = new_campaign(store)
    good, bad = write(store, writer="half", answers=("1807", "Oxbow"))
    poor = write(store, "mill/1", writer="poor", answers=("Dray", "her son", "1807"))
    desk = new_desk(store, campaign, questions_per_hit=5)
    for worker in ("v1", "v2", "v3"):
        answer_all(desk, worker, {good: "1807", bad: "Dray", poor[0]: "Dray"})
    [late] = write(store, "mill/2", writer="new")
    validation = dataset_validation(store, campaign, parts=PARTS)
    assert validation.outcomes[good] == Outcome(
        Status.VALID, tuple(Vote(f"v{number}", "1807", TEXT.index("1807"), True) for number in (1, 2, 3))
    )
    assert validation.outcomes[bad].status is Status.INVALID
    assert validation.outcomes[poor[1]].votes[0] == Vote("v1", None, None, False)
    assert late not in validation.outcomes
    assert validation.discarded_workers == {"poor"}
    assert dataset_validation(store, campaign, revoked=frozenset({"half"})).discarded_workers == {"half", "poor"}
    written = export_campaign(store, campaign, tmp_path / "out", ["jsonl"], validation=validation)
    lines = [json.loads(line) for path in written if path.parent.name != "attempts" for line in _jsonl(path)]
    assert {line["id"] for line in lines if line.get("answers")} == {good}


def _jsonl(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines() if path.suffix == ".jsonl" else []


def test_a_report_gets_answerability_and_human_performance_by_part(store: Store) -> None:
    campaign = new_campaign(store)
    good, _bad = write(store, answers=("1807", "Oxbow"))
    desk = new_desk(store, campaign)
    for worker in ("v1", "v2", "v3"):
        answer_all(desk, worker, {good: "1807"})
    found = checked(store, campaign, {"mill/0": "dev", "mill/1": "train"})
    assert found.answerable == {"dev": (1, 2)}
    assert (found.human["dev"].questions, found.human["dev"].exact_match.value) == (1, 100)
    assert checked(store, campaign, {}).answerable == {}
