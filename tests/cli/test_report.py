"""`report`, `annotate` and `export` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.campaign.results.report import campaign_subject
from beat_the_ai.cli import main
from beat_the_ai.dataset.export import collect
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.dataset.validation import Validation
from beat_the_ai.rules.adjudication import Validity
from beat_the_ai.store import Campaign, Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Workforce
from tests.dataset.builders import Tried, attempt, stored
from tests.dataset.outcomes import among, outcome
from tests.store.builders import NEW_YEAR
from tests.store.plans import sent

TRIED = [
    Tried(number % 14, f"A{number % 5}RAW", fooled=number % 3 > 0, question=f"Is {number} it?") for number in range(60)
]
SECTIONS = {
    "pay": {"reward_cents": 200, "bonus_cents_per_win": 10},
    "round": {
        "number": 1, "hits_per_context": 1, "max_hits": None, "wins_wanted": 3, "max_wins": 5, "max_tries": 25,
        "time_limit_seconds": 3600,
    },
}  # fmt: skip


@pytest.fixture
def store(store: Store) -> Store:
    store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 32, {}, NEW_YEAR), SECTIONS)
    stored(store, TRIED, 14)
    return store


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_a_campaigns_report_has_the_papers_figures_and_no_raw_id(store: Store, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    result = run("report", tmp_path, "--out", out)
    assert result.exit_code == 0, result.output
    page = out.read_text()
    assert "RAW" not in page
    assert "not yet checked by other people" in page
    assert "66.7% (54.1% to 77.3%), 40" in page  # the model was beaten
    assert "Mean 600.0 (600.0 to 600.0) seconds over 60 HITs" in page
    # 60 rewards of 200 and 40 bonuses of 10, each with 20% for the crowd
    assert "$148.80" in page
    assert "$3.72" in page
    again = tmp_path / "again.html"
    run("report", tmp_path, "--out", again)
    assert again.read_bytes() == out.read_bytes()


def test_a_validated_campaigns_report_tells_what_people_could_answer(store: Store) -> None:
    campaign = BoundCampaign.open(store, "pilot")
    first, second, *_ = collect(Placement(campaign))["train"]
    outcomes = {first.id: outcome(Validity.VALID), second.id: outcome(Validity.INVALID)}
    validation = Validation(among(outcomes), {1: ("dev", "test")}, {"A0RAW"})
    subject = campaign_subject(Placement(campaign, validation))
    sections = {section.title: section.table.rows for section in subject.sections}
    assert sections["Answerability"] == [("train", "2", "50.0% (9.5% to 90.5%), 1", "1")]
    assert pseudonym("A0RAW", campaign.record) not in {row[0] for row in sections["Writers"]}
    assert sections["Cost"][-1][0] == "cost of a validated question"


def test_a_report_asks_the_store_no_more_for_more_people_and_hits(store: Store) -> None:
    """Two revoked writers cost as many queries as four, and two HITs that were never handed in as many as four."""

    revoked = set[str]()

    def queries() -> int:
        with sent(store) as statements:
            campaign_subject(
                Placement(BoundCampaign.open(store, "pilot"), Validation(discarded_workers=frozenset(revoked)))
            )
        return len(statements)

    def revoke(*workers: str) -> None:
        for number, worker in enumerate(workers):
            Workforce(BoundCampaign.open(store, "pilot")).revoke(worker, "ann", "nonsense")
            left = store.attempts.accept(next(iter(store.campaigns.hits("pilot"))), worker, f"left-{worker}", NEW_YEAR)[
                0
            ]
            store.attempts.add(attempt(left.id, TRIED[number], number))
            revoked.add(worker)

    revoke("A0RAW", "A1RAW")
    few = queries()
    revoke("A2RAW", "A3RAW")
    assert queries() == few


def test_a_report_on_the_export_has_the_same_questions(store: Store, tmp_path: Path) -> None:
    exported, out = tmp_path / "export", tmp_path / "report.html"
    result = run("export", tmp_path, "--format", "jsonl", "--out", exported)
    assert result.exit_code == 0, result.output
    assert str(exported / "jsonl" / "train.jsonl") in result.stdout
    assert run("report", exported, "--out", out).exit_code == 0
    assert "A dataset of 40 questions." in out.read_text()


def test_an_exported_squad_file_scores_100_against_itself(store: Store, tmp_path: Path) -> None:
    run("export", tmp_path, "--format", "squad", "--out", tmp_path)
    gold = tmp_path / "squad.json"
    content = json.loads(gold.read_text())
    answers = {
        qa["id"]: qa["answers"][0]["text"]
        for article in content["data"]
        for p in article["paragraphs"]
        for qa in p["qas"]
    }
    predictions = tmp_path / "predictions.json"
    predictions.write_text(json.dumps(answers))
    result = run("score", "--task", "reading_comprehension", gold, predictions, "--json")
    assert json.loads(result.stdout) == {"exact_match": 100.0, "f1": 100.0, "questions": 40, "missing": 0, "foreign": 0}
    assert json.loads(run("stats", gold, "--json").stdout)["questions"] == 40


def test_annotations_come_back_into_the_report(store: Store, tmp_path: Path) -> None:
    page, out, labels = tmp_path / "annotate.html", tmp_path / "report.html", tmp_path / "labels.json"
    assert run("annotate", tmp_path, "--sample", "5", "--out", page).exit_code == 0
    assert page.read_text().count("<fieldset") == 5
    [example] = [row for row in store.attempts.of_campaign("pilot") if row.attempt.work["question"] == "Is 1 it?"]
    labels.write_text(json.dumps({"annotations": [{"id": example.attempt.id, "labels": ["Explicit"]}]}))
    assert run("report", tmp_path, "--annotations", labels, "--out", out).exit_code == 0
    assert "Of 1 annotated questions" in out.read_text()
    labels.write_text(json.dumps({"annotations": [{"id": "other", "labels": ["Explicit"]}]}))
    result = run("report", tmp_path, "--annotations", labels, "--out", out)
    assert result.exit_code == 2
    assert "is in this dataset" in result.stderr


def test_several_campaigns_are_exported_side_by_side_and_reported_by_name(store: Store, tmp_path: Path) -> None:
    store.campaigns.create(Campaign("second", "reading_comprehension", 1, "k", {}, NEW_YEAR))
    result = run("report", tmp_path, "--out", tmp_path / "report.html")
    assert result.exit_code == 2
    assert "pilot, second" in result.stderr
    assert run("report", tmp_path, "--name", "second", "--out", tmp_path / "report.html").exit_code == 0
    assert run("export", tmp_path, "--format", "squad", "--out", tmp_path / "export").exit_code == 0
    assert len(json.loads((tmp_path / "export" / "pilot" / "squad.json").read_text())["data"]) == 3
    assert json.loads((tmp_path / "export" / "second" / "squad.json").read_text())["data"] == []


@pytest.mark.parametrize("command", ["report", "annotate"])
def test_what_is_not_there_is_wrong_usage(tmp_path: Path, command: str) -> None:
    for target in (tmp_path / "none.json", tmp_path, tmp_path / "none.db"):
        result = run(command, target, "--out", tmp_path / "page.html")
        assert result.exit_code == 2, target
        assert str(target) in result.stderr
    assert not (tmp_path / "page.html").exists()
