"""Files of suggestions: checked by the rules of the kind of task, each fault with its line, and what is not in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from beat_the_ai.campaign.acts.stage_costs import planned_estimate
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.suggestions import suggestion_pools, suggestions_told
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store
from tests.kinds.test_rehearsal import TASK as LABELS

ROOT = Path(__file__).parents[3]
ARMS = "round.arms={alone: {}, assisted: {suggestions: made/by_a_model.jsonl}}"
EEL = {"context_id": "european-eel", "model": "gpt"}
QUESTION = {**EEL, "question": "Where do European eels breed?", "answer": {"text": "Sargasso Sea", "start": 101}}
OTTERS = {"context_id": "sea-otters", "model": "gpt"}
HYPOTHESIS = {**OTTERS, "hypothesis": "Sea otters have no layer of fat.", "target": "entailment"}
ARTS = {"context_id": "fine_arts-1", "model": "gpt"}
CLUE = {**ARTS, "text": "He planned vaults with bags of shot.", "answer": "Antoni_Gaudí"}


def planned(store: Store, tmp_path: Path, kind: str, *rows: Any, overrides: tuple[str, ...] = ()) -> PlannedRound:
    """The round of a task folder with a file of these suggestions; text is written as it is."""
    task = tmp_path / "task"
    if not task.exists():
        copytree(ROOT / "tasks" / kind, task)
        (task / "made").mkdir()
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    (task / "made" / "by_a_model.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return PlannedRound(store, read_settings(task, [ARMS, *overrides], out=tmp_path / "out"))


@pytest.mark.parametrize(
    ("kind", "row"),
    [("reading_comprehension", QUESTION), ("nli", HYPOTHESIS), ("quizbowl", CLUE)],
)
def test_suggestions_of_each_kind_are_read_with_the_fields_of_a_work(
    store: Store, tmp_path: Path, kind: str, row: Mapping[str, Any]
) -> None:
    named = {**row, "id": "first"}
    [(arm, pool)] = suggestion_pools(planned(store, tmp_path, kind, named).settings).items()
    assert arm == "assisted"
    [one] = pool.by_context[row["context_id"]]
    assert (one.id, one.model) == ("first", "gpt")
    assert {**one.content.model_dump(), "id": "first", **{name: row[name] for name in ("context_id", "model")}} == named


@pytest.mark.parametrize(
    ("kind", "row", "told"),
    [
        ("reading_comprehension", {**QUESTION, "context_id": "eels"}, "sample.jsonl has no context 'eels'"),
        ("reading_comprehension", {**QUESTION, "model": " "}, "model: String should match pattern"),
        ("reading_comprehension", {"question": "Why?"}, "'context_id' and 'model' is needed"),
        ("reading_comprehension", {**QUESTION, "id": "a b"}, "id: String should match pattern"),
        ("reading_comprehension", {**QUESTION, "anwser": 1}, "anwser: Extra inputs are not permitted"),
        ("reading_comprehension", EEL, "question: Field required"),
        ("reading_comprehension", {**QUESTION, "question": "eels"}, "question: "),
        ("reading_comprehension", {**QUESTION, "question": "x" * 301}, "question: "),
        ("reading_comprehension", {**QUESTION, "question": "Where do \u202eeels breed?"}, "question: "),
        ("reading_comprehension", {**QUESTION, "answer": {"text": "Sargasso", "start": 1}}, "answer: "),
        ("reading_comprehension", {**QUESTION, "answer": "Sargasso Sea"}, "answer: "),
        # it is gold: people are measured on it
        (
            "reading_comprehension",
            {**QUESTION, "question": "What do newly hatched eels resemble in outline?"},
            "question: This question has been asked about this passage already",
        ),
        ("reading_comprehension", "no json", "this is no JSON"),
        ("nli", {**HYPOTHESIS, "target": "maybe"}, "target: "),
        ("nli", {**HYPOTHESIS, "hypothesis": "they have no blubber"}, "hypothesis: "),
        ("quizbowl", {**CLUE, "answer": "Nobody"}, "answer: This answer is not on the list"),
        ("quizbowl", {**CLUE, "text": "This is Gaudí."}, "text: The question says its own answer"),
    ],
)
def test_a_fault_is_told_with_its_line_and_field(store: Store, tmp_path: Path, kind: str, row: Any, told: str) -> None:
    works: dict[str, dict[str, Any]] = {"reading_comprehension": QUESTION, "nli": HYPOTHESIS, "quizbowl": CLUE}
    right = works[kind]
    faulty = planned(store, tmp_path, kind, {**right, "id": "right"}, row)
    with pytest.raises(InvalidInput) as refused:
        suggestion_pools(faulty.settings)
    assert refused.value.field == "round.arms.assisted.suggestions"
    assert "by_a_model.jsonl, line 2: " in str(refused.value)
    assert told in str(refused.value)


def test_the_same_twice_and_nothing_at_all_are_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"line 2: the suggestion stands in .*line 1 already"):
        suggestion_pools(planned(store, tmp_path, "reading_comprehension", QUESTION, QUESTION).settings)
    with pytest.raises(InvalidInput, match="holds no suggestions"):
        suggestion_pools(planned(store, tmp_path, "reading_comprehension").settings)


def test_hits_without_any_are_counted_and_said_before_a_launch(store: Store, tmp_path: Path) -> None:
    two = ({**QUESTION, "answer": None}, QUESTION)
    of_passages = planned(store, tmp_path, "reading_comprehension", *two, overrides=("round.hits_per_context=2",))
    number = len(of_passages.contexts())
    told = f"2; {2 * number - 2} of {2 * number} HITs have none"
    assert suggestions_told(of_passages) == {"assisted": told}
    lines = planned_estimate(of_passages, Stage.WRITING).lines
    assert [line.value for line in lines if line.name == "suggestions in arm assisted"] == [told]


def test_a_hit_with_another_target_has_none(store: Store, tmp_path: Path) -> None:
    of_premises = planned(store, tmp_path, "nli", HYPOTHESIS, overrides=("round.hits_per_context=3",))
    number = 3 * len(of_premises.contexts())
    assert suggestions_told(of_premises) == {"assisted": f"1; {number - 1} of {number} HITs have none"}


def test_without_such_an_arm_no_file_is_read(store: Store, tmp_path: Path) -> None:
    settings = read_settings(ROOT / "tasks" / "nli", ["round.arms={a: {}, b: {}}"], out=tmp_path)
    assert suggestion_pools(settings) == {}
    assert suggestions_told(PlannedRound(store, settings)) == {}


def test_a_kind_of_task_without_suggestions_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="labels has no suggestions to writers"):
        read_settings(LABELS, ["round.arms={a: {}, b: {suggestions: s.jsonl}}"], out=tmp_path)
