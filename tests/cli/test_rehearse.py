"""`rehearse`: a whole campaign in real processes, with the model that ships."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.cli.rehearse import REHEARSAL
from beat_the_ai.cli.stores import campaign_store
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.payments import Ledger, State
from beat_the_ai.rules import squad

ROOT = Path(__file__).parents[2]
TASK = ROOT / "tasks" / "reading_comprehension"
WORKERS = 3


def rehearse(out: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "beat_the_ai.cli", "rehearse", str(TASK), *arguments, "--out", str(out)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("rehearsal") / "first"
    result = rehearse(out, "--workers", str(WORKERS), "--seed", "5")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert "model error rate" in result.stdout
    return out


def attempts_of(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "attempts.jsonl").read_text().splitlines()]


def test_it_keeps_what_beat_the_model_and_people_could_answer_and_nothing_else(rehearsed: Path) -> None:
    beaten = [attempt for attempt in attempts_of(rehearsed) if attempt["fooled"] and not attempt["retracted"]]
    checked = [attempt for attempt in beaten if attempt["part"] != "train"]
    assert checked
    kept = {
        attempt["attempt_id"]: attempt
        for attempt in beaten
        if attempt["part"] == "train" or attempt["validation"] == "valid"
    }
    questions = {q.id: q for passage in squad.load(rehearsed / "squad.json") for q in passage.questions}
    assert questions.keys() == kept.keys()
    assert questions
    for name, question in questions.items():
        model_answer = kept[name]["model_answer"]["text"]
        assert squad.f1(model_answer, question.answers[0].text) <= 0.4


def test_it_offers_four_hits_for_each_worker(rehearsed: Path) -> None:
    with campaign_store(str(rehearsed)) as store:
        offered = store.campaigns.hit_ids(REHEARSAL)
        assert store.attempts.confirmed_hits(REHEARSAL) == offered
    assert len(offered) == 4 * WORKERS


def test_work_of_revoked_workers_is_nowhere_in_the_dataset(rehearsed: Path) -> None:
    with campaign_store(str(rehearsed)) as store:
        campaign, rows = store.campaigns.get(REHEARSAL), list(store.attempts.of_campaign(REHEARSAL))
        revoked = store.standings.discarded(REHEARSAL)
    assert revoked & {row.assignment.worker for row in rows}
    found = {attempt["worker"] for attempt in attempts_of(rehearsed)}
    assert 0 < len(found) < WORKERS
    assert found.isdisjoint(pseudonym(worker, campaign) for worker in revoked)


def test_heavy_faults_make_no_difference(rehearsed: Path, tmp_path: Path) -> None:
    """Throttling, failing services, lost replies, a kill of each process: the same dataset, and all is paid once.

    Without faults, too, the same seed gives the same dataset byte for byte.
    """
    out = tmp_path / "heavy"
    result = rehearse(out, "--workers", str(WORKERS), "--seed", "5", "--faults", "heavy")
    assert (result.returncode, result.stderr) == (0, "")
    for process in ("operator", "router", "model server", "marketplace"):
        assert f"HITs: the {process}\n" in result.stdout
    assert str(out / "processes.log") in result.stdout
    assert "ASGI callable" not in (out / "processes.log").read_text()
    for name in ("squad.json", "jsonl/train.jsonl", "parquet/test.parquet", "hf/train/data-00000-of-00001.arrow"):
        assert (out / name).read_bytes() == (rehearsed / name).read_bytes(), name
    paid = payments_of(out)
    assert paid == payments_of(rehearsed)
    assert {state for _, state, _ in paid} == {State.CONFIRMED}
    screenings = WORKERS + 1
    assert [cents for _, _, cents in paid].count(240) == 4 * WORKERS + screenings


def test_it_leaves_the_dataset_in_four_formats_and_a_report(rehearsed: Path) -> None:
    texts = [path.read_text() for path in rehearsed.glob("jsonl/*.jsonl")]
    rows = [json.loads(line) for text in texts for line in text.splitlines()]
    in_squad = [q.id for passage in squad.load(rehearsed / "squad.json") for q in passage.questions]
    assert sorted(row["id"] for row in rows) == sorted(in_squad)
    report = (rehearsed / "report.html").read_text()
    for heading in ("Passages and questions", "First three tokens", "How often the model was beaten", "Cost"):
        assert f">{heading}</h2>" in report
    for text in (report, (rehearsed / "README.md").read_text(), (rehearsed / "hf" / "README.md").read_text()):
        assert "simulated people made all of this" in text


def payments_of(out: Path) -> list[tuple[str, State, int]]:
    """Of the rehearsal and of its screenings."""
    with campaign_store(str(out)) as store:
        return sorted(
            (name, payment.state, payment.with_fee_cents)
            for name in store.campaigns.ids()
            for payment in Ledger(store.database, name).payments()
        )


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("three years of work")
    result = rehearse(tmp_path, "--workers", "1")
    assert result.returncode == 2
    assert "is no rehearsal" in result.stderr
    assert (tmp_path / "thesis.txt").read_text() == "three years of work"


def test_it_runs_on_real_squad(squad_dev: Path, tmp_path: Path) -> None:
    result = rehearse(tmp_path / "squad", f"contexts={squad_dev}", "--workers", "1", "round.max_hits=2")
    assert result.returncode == 0, result.stderr
    human = {q.text for passage in squad.load(squad_dev) for q in passage.questions}
    attempts = attempts_of(tmp_path / "squad")
    assert attempts
    assert {" ".join(text.split()) for text in human} >= {attempt["question"] for attempt in attempts}
