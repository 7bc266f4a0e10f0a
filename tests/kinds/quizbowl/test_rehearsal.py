"""The task folder is rehearsed: written with hints, reviewed, played, paid, exported in QANTA's format and reported."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from shutil import copyfile, copytree
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from click.testing import CliRunner

from beat_the_ai.cli import main
from beat_the_ai.kinds.quizbowl.collection import read_questions
from beat_the_ai.rehearsal.campaign import REHEARSAL
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.text import folded
from beat_the_ai.simulation.writers import MOST_REVISIONS
from beat_the_ai.terms.locate import campaign_store
from tests.croissant import croissant_of
from tests.recompute.__main__ import COMPARED
from tests.reports import report_of, unexplained

TASK = Path(__file__).parents[3] / "tasks" / "quizbowl"
LATE_SHARE = 0.75


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def differences_of_files(out: Path, copy: Path) -> list[str]:
    """Return the sections of a campaign's report that its exported files alone do not have alike."""
    copytree(out / "jsonl", copy / "jsonl")
    for name in ("attempts.jsonl", "edits.jsonl", "votes.jsonl"):
        copyfile(out / name, copy / name)
    beside = ["--regular", str(TASK / "held_out.jsonl"), "--known", str(COMPARED.known)]
    told = CliRunner().invoke(main, ["report", str(copy), "--task", "quizbowl", *beside, "--json"])
    found = {section["title"]: section for section in json.loads(told.stdout)["sections"]}
    assert len(found) == 10
    of_campaign = {section["title"]: section for section in report_of(out)["sections"]}
    return [title for title, section in found.items() if section != of_campaign[title]]


def test_it_runs_from_the_first_hit_to_the_report(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "beat_the_ai.cli", "rehearse", str(TASK), "--workers", "4", "--out", str(out)]
    options = ("round.max_hits=6", "validation=quizbowl")
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stderr) == (0, "")

    attempts = rows(out / "attempts.jsonl")
    assert len(croissant_of(out)[1]["attempts"]) == len(attempts)
    for attempt in attempts:
        work, turns = attempt["work"], attempt["prediction"]["turns"]
        right_from = turns[-1]["word"] if turns and turns[-1]["page"] == work["answer"] else None
        first_right = next((turn["word"] for turn in turns if turn["page"] == work["answer"]), None)
        late = first_right is not None and first_right > LATE_SHARE * len(work["text"].split())
        assert attempt["fooled"] is (first_right is None or late)
        assert (attempt["scores"]["first_right"], attempt["scores"]["right_from"]) == (first_right, right_from)

    questions = rows(out / "jsonl" / "test.jsonl")
    assert questions
    assert {question["qanta_id"] for question in questions} == {
        attempt["attempt_id"] for attempt in attempts if attempt["dropped"] is None
    }
    assert [(question.text, question.page) for question in read_questions(out / "qanta.json")] == [
        (question["text"], question["page"]) for question in questions
    ]
    regular = {question.text for question in read_questions(TASK / "held_out.jsonl")}
    assert not regular & {question["text"] for question in questions}
    assert {question["qanta_id"]: question["model_first_right"] for question in questions} == {
        attempt["attempt_id"]: attempt["scores"]["first_right"] for attempt in attempts if attempt["dropped"] is None
    }
    for question in questions:
        start, end = question["tokenizations"][0]
        assert question["text"][start:end] == question["first_sentence"]

    played = [attempt for attempt in attempts if attempt["dropped"] is None]
    assert {len(attempt["votes"]) for attempt in played} == {3}
    plays = [(attempt, vote) for attempt in played for vote in attempt["votes"]]
    assert all(1 <= play["vote"]["words"] <= attempt["scores"]["words"] for attempt, play in plays)
    assert any(play["vote"]["page"] == attempt["work"]["answer"] for attempt, play in plays)
    assert all(attempt["worker"] != play["worker"] for attempt, play in plays)
    on_regular = [row for row in rows(out / "votes.jsonl") if row["attempt_id"] is None]
    assert on_regular
    assert all(1 <= row["vote"]["words"] <= row["steps"] for row in on_regular)
    assert {row["gold"] for row in on_regular} <= {short_hash(folded(text)) for text in regular}
    given = [row for row in on_regular if row["dropped"] is None and row["vote"]["said"] is not None]
    accuracy = sum(row["agrees"] for row in given) / len(given)
    report = (out / "report.html").read_text("utf-8")
    assert re.search(rf"people, regular</t[dh]>\s*<td[^>]*>{len(given)}</td>\s*<td[^>]*>{accuracy:.1%}", report)
    assert "people, regular" in report
    assert "people, adversarial" in report

    assert unexplained(out) == []
    assert not differences_of_files(out, tmp_path / "export")

    for command in (["rescore", str(out), "--model", "tantivy:sample"], ["artefacts", str(out)]):
        CliRunner().invoke(main, command, catch_exceptions=False)
    assert unexplained(out) == []
    [courses] = [
        each for each in report_of(out)["sections"] if each["title"] == "Models in the course of the questions"
    ]
    assert [(row[0], int(row[2])) for row in courses["rows"]] == [
        ("regular", len(regular)),
        ("adversarial", len(questions)),
    ]

    with campaign_store(str(out)) as store:
        edits = list(store.edits.of_campaign(REHEARSAL))
        made = {row.assignment.id: row.attempt for row in store.attempts.of_campaign(REHEARSAL)}
    released = rows(out / "edits.jsonl")
    assert [(row["assignment"], row["ordinal"]) for row in released] == [
        (edit.assignment_id, edit.ordinal) for edit in edits
    ]
    assert [row["draft"] for row in released] == [edit.draft for edit in edits]
    assert pq.read_table(out / "edits.parquet").to_pylist() == released
    [shard] = (out / "hf" / "edits").iterdir()
    with pa.ipc.open_stream(shard) as stream:
        assert stream.read_all().to_pylist() == released
    assert f"path: edits/{shard.name}" in (out / "hf" / "README.md").read_text()
    workers = {attempt["assignment"]: attempt["worker"] for attempt in attempts}
    assert all(row["worker"] == workers.get(row["assignment"], row["worker"]) for row in released)
    assert all(edit.prediction is not None for edit in edits)
    last = {edit.assignment_id: edit for edit in edits if edit.attempt == 1}
    revised = [name for name, edit in last.items() if name in made and 1 < edit.ordinal < MOST_REVISIONS]
    assert revised, "nobody took a word out because of a hint"
    for name in revised:
        stored = made[name]
        assert (last[name].draft["text"].split(), last[name].member) == (stored.work["text"].split(), stored.member)
