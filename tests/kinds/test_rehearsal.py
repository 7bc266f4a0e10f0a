"""A kind of task from elsewhere is rehearsed: written, served, reviewed, voted on, paid, exported and reported."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from beat_the_ai.campaign.settings.configuration import amended, read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.cli import main
from beat_the_ai.errors import InvalidInput
from beat_the_ai.payments import Ledger, State
from beat_the_ai.rehearsal.campaign import REHEARSAL
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import now, open_store
from beat_the_ai.terms.campaign import SCREENING_OF
from beat_the_ai.terms.locate import STORE_FILE, campaign_store, private_folder

TASK = Path(__file__).parent / "task"


def test_it_runs_from_the_first_hit_to_the_report(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "beat_the_ai.cli", "rehearse", str(TASK), "--workers", "4", "--out", str(out)]
    options = ["round.max_hits=12", f"qualification.quiz={TASK / 'quiz.json'}"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stderr) == (0, "")

    attempts = [json.loads(line) for line in (out / "attempts.jsonl").read_text("utf-8").splitlines()]
    targets = Counter(attempt["work"]["target"] for attempt in attempts)
    assert set(targets) == {"entailment", "neutral", "contradiction"}
    assert all(attempt["fooled"] == (attempt["work"]["target"] != "neutral") for attempt in attempts)
    checked = [attempt for attempt in attempts if attempt["votes"]]
    assert {vote["vote"]["label"] for attempt in checked for vote in attempt["votes"]} <= set(targets)
    kept = [attempt for attempt in attempts if attempt["dropped"] is None]
    assert kept
    rows = [json.loads(line) for path in out.glob("jsonl/*.jsonl") for line in path.read_text("utf-8").splitlines()]
    assert {row["uid"] for row in rows} == {attempt["attempt_id"] for attempt in kept}
    handed_out = [path for path in out.rglob("*") if path.is_file() and "private" not in path.parts]
    assert [path.name for path in handed_out if str(TASK.parent).encode() in path.read_bytes()] == []
    for name in ("anli.json", "attempts.parquet", "hf/README.md", "README.md", "report.html"):
        assert (out / name).is_file(), name
    assert ">Error rate</h2>" in (out / "report.html").read_text("utf-8")

    with campaign_store(str(out)) as store:
        payments = Ledger(store.database, REHEARSAL).payments()
        screenings = store.screenings.of_campaign(REHEARSAL)
        passed = next(screening for screening in screenings if screening.outcome == "passed")
        responses = store.screenings.session(passed.assignment_id)[1]
    assert Counter(screening.outcome for screening in screenings) == {"passed": 4, "failed": 1}
    assert responses[-1].work == {"label": "entailment"}
    assert responses[-1].evidence.keys() == {"model", "model_agrees"}
    assert {payment.state for payment in payments} == {State.CONFIRMED}
    rewards = Counter(payment.cents for payment in payments)
    assert rewards.keys() == {200, 100}
    assert rewards[200] == 12


def test_its_place_is_said_and_kept_from_the_task_folder(tmp_path: Path) -> None:
    settings = read_settings(TASK, [], out=tmp_path)
    assert settings.task.kind == settings.of_round()["task"]["kind"] == "../labels.py:kind"
    assert settings.members == [f"{TASK.parent / 'labels.py'}:BACKEND:neutral"]
    assert amended(settings, ["round.max_hits=3"]).task == settings.task


def checkout(folder: Path) -> Path:
    """A task folder with its kind beside it, as a project of its own has them."""
    shutil.copytree(TASK, folder / "task")
    shutil.copy(TASK.parent / "labels.py", folder)
    return folder / "task"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """In a process of its own, which has loaded no kind yet."""
    command = [sys.executable, "-m", "beat_the_ai.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_it_may_move_with_its_task_folder(tmp_path: Path) -> None:
    out, first = tmp_path / "out", checkout(tmp_path / "first")
    file = private_folder(out) / STORE_FILE
    with closing(open_store(str(file))) as store:
        campaign = begin_or_resume(PlannedRound(store, read_settings(first, [], out=out)))
        config = {**campaign.record.config, SCREENING_OF: campaign.id}
        samples = replace(campaign.record, id=f"{campaign.id}-samples", config=config)
        store.campaigns.create(samples)
    shutil.move(tmp_path / "first", tmp_path / "second")
    export = ["export", out, "--format", "jsonl", "--out", tmp_path / "export"]
    lost = run(*export)
    assert lost.returncode == 2
    assert f"There is no {tmp_path}/first/labels.py" in lost.stderr
    assert "beat-the-ai relocate CAMPAIGN TASK_DIR" in lost.stderr

    assert run("relocate", out, TASK.parents[2]).returncode == 2  # it is not there
    assert f"There is no {tmp_path}/first/labels.py" in run(*export).stderr
    assert run("relocate", out, tmp_path / "second" / "task").returncode == 0
    assert run(*export).returncode == 0
    with campaign_store(str(out)) as store:
        places = {store.campaigns.get(name).kind_place for name in store.campaigns.ids()}
    assert places == {f"{tmp_path}/second/labels.py:kind"}


def test_a_campaign_is_taken_up_from_where_its_task_folder_is_now(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "campaign.db"))) as store:
        begin_or_resume(PlannedRound(store, read_settings(checkout(tmp_path / "first"), [], out=tmp_path)))
        store.rounds.freeze("labels", 1, Stage.WRITING.value, now())
        shutil.move(tmp_path / "first", tmp_path / "second")
        again = begin_or_resume(PlannedRound(store, read_settings(tmp_path / "second" / "task", [], out=tmp_path)))
    assert again.record.kind_place == f"{tmp_path}/second/labels.py:kind"


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("adversary.members=['onnx:bidaf-small']", "answers for reading_comprehension, and the task is"),
        ("adversary.members=['../nowhere.py:BACKEND:x']", "There is no .*nowhere.py"),
        ("task.kind=../labels.py:nothing", "has no 'nothing'"),
        ("+task.options.least_words=3", r"task\.options\.least_words is no option"),
        ("round.arms={human: {shows_model: false}, model: {}}", "has no page that says nothing of a model"),
        ("+validation.rules.votes_wanted=3", r"validation\.rules\.votes_wanted is no option"),
    ],
)
def test_what_does_not_fit_it_is_an_error_before_anything_starts(tmp_path: Path, override: str, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        read_settings(TASK, [override], out=tmp_path)


def test_its_models_are_measured_by_its_own_scores(tmp_path: Path) -> None:
    gold, answers = tmp_path / "gold.json", tmp_path / "answers.json"
    gold.write_text(json.dumps([["a", "It rains.", "It is wet.", "neutral"], ["b", "It snows.", "It is hot.", "no"]]))
    labels = str(TASK.parent / "labels.py")
    model, task = f"{labels}:BACKEND:neutral", ["--task", f"{labels}:kind"]
    items = tmp_path / "items.jsonl"
    told = CliRunner().invoke(main, ["evaluate", model, str(gold), *task, "--json", "--out", str(items)])
    assert json.loads(told.stdout)["accuracy"] == 50
    assert [json.loads(line)["accuracy"] for line in items.read_text().splitlines()] == [1, 0]
    refused = CliRunner().invoke(main, ["evaluate", model, str(gold), *task, "--out", str(gold)])
    assert "is read as well" in refused.stderr
    predict = ["adversary", "predict", "--input", str(gold), "--output", str(answers), "--model", model, *task]
    assert CliRunner().invoke(main, predict).exit_code == 0
    assert json.loads(answers.read_text()) == {"a": "neutral", "b": "neutral"}
    assert "accuracy │ 50.00 (" in CliRunner().invoke(main, ["score", str(gold), str(answers), *task]).stdout
    refused = CliRunner().invoke(main, ["evaluate", "onnx:bidaf-small", str(gold), *task])
    assert "answers for reading_comprehension" in refused.stderr
