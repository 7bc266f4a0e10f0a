"""What leaves a campaign, and what must not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.dataset.export import export_campaign, pseudonym
from beat_the_ai.errors import UnknownName
from beat_the_ai.rules import squad
from beat_the_ai.store import Campaign, Store, now, open_store
from tests.writing.fakes import RIGHT, WRONG, FakeModel, new_desk, payload, take_hit

FIELDS = {
    "attempt_id", "context_id", "context", "question", "answer", "model_answer", "f1", "fooled", "retracted", "flag",
    "model", "worker", "hit", "assignment", "round", "created_at",
}  # fmt: skip


@pytest.fixture
def campaign(tmp_path: Path) -> tuple[Store, Campaign]:
    """Three attempts of the worker `A1RAW`: one beat the model, one did not, one was taken back."""
    store = open_store(str(tmp_path / "store.db"))
    assignment = take_hit(store, worker="A1RAW")
    desk = new_desk(store, FakeModel(WRONG, RIGHT, WRONG))
    for number in range(3):
        made, _ = desk.submit(assignment, f"key-{number}", "rome/0", payload(f"Is {number} < 9 & née?"))
    desk.retract(assignment, made.id)
    return store, store.campaigns.get("pilot")


def exported(campaign: tuple[Store, Campaign], out: Path, name: str) -> str:
    return export_campaign(*campaign, out, [name])[name].read_text(encoding="utf-8")


def records(campaign: tuple[Store, Campaign], out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in exported(campaign, out, "jsonl").splitlines()]


def test_squad_holds_what_beat_the_model_and_was_not_taken_back(
    campaign: tuple[Store, Campaign], tmp_path: Path
) -> None:
    export_campaign(*campaign, tmp_path / "out", ["squad"])
    [passage] = squad.load(tmp_path / "out" / "squad.json")
    [question] = passage.questions
    assert question.text == "Is 0 < 9 & née?"
    assert question.answers[0].text == RIGHT
    assert passage.text[question.answers[0].start :].startswith(RIGHT)


def test_an_exported_squad_file_scores_100_against_itself(campaign: tuple[Store, Campaign], tmp_path: Path) -> None:
    export_campaign(*campaign, tmp_path / "out", ["squad"])
    questions = [question for passage in squad.load(tmp_path / "out" / "squad.json") for question in passage.questions]
    scores = squad.evaluate(questions, {question.id: question.answers[0].text for question in questions})
    assert (scores.exact_match, scores.f1) == (100, 100)


def test_jsonl_holds_every_attempt_with_all_its_fields(campaign: tuple[Store, Campaign], tmp_path: Path) -> None:
    made = records(campaign, tmp_path / "out")
    assert [record["fooled"] for record in made] == [True, False, True]
    assert [record["retracted"] for record in made] == [False, False, True]
    for record in made:
        assert set(record) == FIELDS
        answer = record["answer"]
        assert record["context"][answer["start"] : answer["start"] + len(answer["text"])] == answer["text"]
        assert set(record["model_answer"]) == {"text", "start", "score"}
        assert set(record["model"]) == {"name", "hash", "precision"}


def test_no_export_holds_a_raw_worker_id_or_a_reference_question(
    campaign: tuple[Store, Campaign], tmp_path: Path
) -> None:
    for name in ("squad", "jsonl"):
        text = exported(campaign, tmp_path / "out", name)
        assert "A1RAW" not in text
        assert "Secret reference" not in text


def test_a_worker_has_one_pseudonym_in_a_campaign_and_another_under_another_key() -> None:
    campaign = Campaign("pilot", "reading_comprehension", 1, "key", {}, now())
    assert pseudonym("A1RAW", campaign) == pseudonym("A1RAW", campaign)
    assert pseudonym("A1RAW", campaign) != pseudonym("A2RAW", campaign)
    assert pseudonym("A1RAW", campaign) != pseudonym("A1RAW", replace(campaign, pseudonym_key="another"))


def test_the_same_campaign_gives_the_same_bytes(campaign: tuple[Store, Campaign], tmp_path: Path) -> None:
    for name in ("squad", "jsonl"):
        assert exported(campaign, tmp_path / "first", name) == exported(campaign, tmp_path / "second", name)


def test_an_unknown_format_lists_those_there_are(campaign: tuple[Store, Campaign], tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="Available: jsonl, squad"):
        export_campaign(*campaign, tmp_path, ["sqaud"])
