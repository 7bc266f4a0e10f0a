"""`rehearse`: the whole writing stage in real processes, with the model that ships."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from beat_the_ai.cli.stores import campaign_store
from beat_the_ai.payments import Ledger, State
from beat_the_ai.rules import squad

ROOT = Path(__file__).parents[2]
TASK = ROOT / "tasks" / "reading_comprehension"


def rehearse(out: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "beat_the_ai.cli", "rehearse", str(TASK), *arguments, "--out", str(out)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("rehearsal") / "first"
    result = rehearse(out, "--workers", "3", "--seed", "5")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert "model error rate" in result.stdout
    return out


def test_it_keeps_what_beat_the_model_and_nothing_else(rehearsed: Path) -> None:
    attempts = [json.loads(line) for line in (rehearsed / "attempts.jsonl").read_text().splitlines()]
    kept = {attempt["attempt_id"]: attempt for attempt in attempts if attempt["fooled"] and not attempt["retracted"]}
    questions = {q.id: q for passage in squad.load(rehearsed / "squad.json") for q in passage.questions}
    assert questions.keys() == kept.keys()
    assert questions
    for name, question in questions.items():
        model_answer = kept[name]["model_answer"]["text"]
        assert squad.f1(model_answer, question.answers[0].text) <= 0.4


def test_it_offers_four_hits_for_each_worker(rehearsed: Path) -> None:
    attempts = [json.loads(line) for line in (rehearsed / "attempts.jsonl").read_text().splitlines()]
    assert len({attempt["hit"] for attempt in attempts}) == 12
    assert len({attempt["worker"] for attempt in attempts}) <= 3


def test_the_same_seed_gives_the_same_dataset_byte_for_byte(rehearsed: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    assert rehearse(again, "--workers", "3", "--seed", "5").returncode == 0
    for name in ("squad.json", "jsonl/train.jsonl", "parquet/test.parquet", "hf/train/data-00000-of-00001.arrow"):
        assert (again / name).read_bytes() == (rehearsed / name).read_bytes(), name


def test_heavy_faults_make_no_difference(rehearsed: Path, tmp_path: Path) -> None:
    """Throttling, failing services, lost replies, a kill of each process: the same dataset, and all is paid once."""
    out = tmp_path / "heavy"
    result = rehearse(out, "--workers", "3", "--seed", "5", "--faults", "heavy")
    assert (result.returncode, result.stderr) == (0, "")
    for process in ("operator", "router", "model server", "marketplace"):
        assert f"HITs: the {process}\n" in result.stdout
    assert str(out / "processes.log") in result.stdout
    assert "ASGI callable" not in (out / "processes.log").read_text()
    for name in ("squad.json", "jsonl/train.jsonl", "parquet/test.parquet"):
        assert (out / name).read_bytes() == (rehearsed / name).read_bytes(), name
    with campaign_store(str(out)) as store:
        payments = Ledger(store.database, "rehearsal").payments()
    assert [(payment.state, payment.with_fee_cents) for payment in payments] == [(State.CONFIRMED, 240)] * 12


def test_it_leaves_the_dataset_in_four_formats_and_a_report(rehearsed: Path) -> None:
    texts = [path.read_text() for path in rehearsed.glob("jsonl/*.jsonl")]
    rows = [json.loads(line) for text in texts for line in text.splitlines()]
    in_squad = [q.id for passage in squad.load(rehearsed / "squad.json") for q in passage.questions]
    assert sorted(row["id"] for row in rows) == sorted(in_squad)
    report = (rehearsed / "report.html").read_text()
    for heading in ("Passages and questions", "First three tokens", "How often the model was beaten", "Cost"):
        assert f">{heading}</h2>" in report


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("three years of work")
    result = rehearse(tmp_path, "--workers", "1")
    assert result.returncode == 2
    assert "is no rehearsal" in result.stderr
    assert (tmp_path / "thesis.txt").read_text() == "three years of work"


def test_it_runs_on_real_squad(squad_dev: Path, tmp_path: Path) -> None:
    result = rehearse(tmp_path / "squad", f"contexts={squad_dev}", "--workers", "2", "round.max_hits=3")
    assert result.returncode == 0, result.stderr
    human = {q.text for passage in squad.load(squad_dev) for q in passage.questions}
    attempts = [json.loads(line) for line in (tmp_path / "squad" / "attempts.jsonl").read_text().splitlines()]
    assert attempts
    assert {" ".join(text.split()) for text in human} >= {attempt["question"] for attempt in attempts}
