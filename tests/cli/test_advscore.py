"""`advscore`: of a campaign, of its export, and of a file of answers."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from beat_the_ai.store import Store
from tests.cli.test_rescore import MODEL
from tests.cli.voted import figures as figures_of
from tests.cli.voted import run, written
from tests.recompute.adversarialness import HARD
from tests.recompute.differences import differences
from tests.reports import report_of
from tests.validation.written import answer_all

HOSTILE = "ann\x1b[2J[red]\u202e<script>"


figures = partial(figures_of, "advscore")


@pytest.fixture
def campaign(store: Store, tmp_path: Path) -> Path:
    """Two writers with three questions each, of which three validators answer all but one."""
    questions, desk = written(store)
    for worker in ("V1RAW", "V2RAW", "V3RAW"):
        known = questions if worker != "V3RAW" else dict(list(questions.items())[1:])
        answer_all(desk, worker, known)
    return tmp_path


@pytest.fixture
def rescored(campaign: Path, tmp_path: Path) -> Path:
    """The campaign, answered by a model that says 1807 to everything."""
    model = tmp_path / "model.py"
    model.write_text(MODEL.replace('"a" * 64', '"b" * 64').replace("start=3", "start=37"))
    result = run("rescore", campaign, "--model", f"{model}:READER:1807")
    assert result.exit_code == 0, result.output
    return campaign


def test_a_campaign_and_its_export_have_the_same_score(rescored: Path, tmp_path: Path) -> None:
    found = figures(rescored)
    assert len(found["examples"]) == 6
    assert {one["subject"][:2] for one in found["subjects"]} == {"w-", "co"}
    people = sorted((one["people"]["right"], one["people"]["asked"]) for one in found["examples"])
    assert people == [(2, 3), (3, 3), (3, 3), (3, 3), (3, 3), (3, 3)]
    assert [sum(one["models"]["right"] for one in found["examples"])] == [2]
    assert found["overall"]["score"]["low"] > 0
    exported = tmp_path / "export"
    assert run("export", rescored, "--out", exported).exit_code == 0
    copytree(rescored / "rescored", exported / "rescored")
    assert differences(exported, report_of(rescored)) == []
    assert figures(exported, "--rescored", rescored / "rescored") == found
    (exported / "attempts.jsonl").unlink()
    assert figures(exported, "--rescored", rescored / "rescored") == found
    assert "RAW" not in json.dumps(found)


def test_the_campaigns_report_has_it(rescored: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    assert run("report", rescored, "--out", out).exit_code == 0
    page = out.read_text()
    assert "Is it adversarial? AdvScore" in page
    assert "AdvScore by writer" in page
    assert "RAW" not in page.replace("RAW on ", "")  # which its questions say


def test_examples_that_people_get_wrong_are_listed_as_the_files_tell(store: Store, tmp_path: Path) -> None:
    """One validator alone knows three of six questions. Those votes decided, so no other person's was right."""
    questions, desk = written(store)
    names = list(questions)
    for number, worker in enumerate(("V1RAW", "V2RAW", "V3RAW")):
        answer_all(desk, worker, {name: questions[name] for name in [names[number], *names[3:]]})
    model = tmp_path / "model.py"
    model.write_text(MODEL.replace('"a" * 64', '"b" * 64').replace("start=3", "start=37"))
    assert run("rescore", tmp_path, "--model", f"{model}:READER:1807").exit_code == 0
    assert run("export", tmp_path, "--out", tmp_path / "export").exit_code == 0
    copytree(tmp_path / "rescored", tmp_path / "export" / "rescored")
    report = report_of(tmp_path)
    [listed] = [section["rows"] for section in report["sections"] if section["title"] == HARD]
    assert len(listed) == 2  # the model is right about the third one
    assert {row[0] for row in listed} < set(names[:3])
    assert {row[3] for row in listed} == {"0 of 2"}
    assert differences(tmp_path / "export", report) == []


def test_without_answers_of_models_it_says_where_to_get_them(campaign: Path, tmp_path: Path) -> None:
    result = run("advscore", campaign)
    assert result.exit_code == 2
    assert "3 people and 0 models" in result.stderr
    assert "beat-the-ai rescore" in result.stderr
    report = tmp_path / "report.html"
    assert run("report", campaign, "--out", report).exit_code == 0
    assert "AdvScore" not in report.read_text()


def test_answers_from_elsewhere_join_those_of_the_campaign(campaign: Path, tmp_path: Path) -> None:
    examples = [line["attempt_id"] for line in _attempts(campaign, tmp_path)]
    rows = [{"subject": "a language model", "kind": "model", "item": name, "correct": False} for name in examples]
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    found = figures(campaign, "--responses", path)
    assert list(found["against"]) == ["a language model"]


def _attempts(campaign: Path, tmp_path: Path) -> list[dict[str, Any]]:
    run("export", campaign, "--format", "jsonl", "--out", tmp_path / "some")
    return [json.loads(line) for line in (tmp_path / "some" / "attempts.jsonl").read_text().splitlines()]


def test_nothing_in_a_file_is_obeyed_by_terminal_or_page(tmp_path: Path) -> None:
    rows = [
        {"subject": f"{HOSTILE}{number}", "kind": kind, "item": f"{HOSTILE}{item}", "correct": item % (2 + number) == 0}
        for number, kind in enumerate(("person", "person", "model"))
        for item in range(6)
    ]
    path, page = tmp_path / "answers.jsonl", tmp_path / "page.html"
    path.write_text("\n".join(map(json.dumps, rows)))
    result = run("advscore", path, "--out", page)
    assert result.exit_code == 0, result.output
    assert "[red]" in result.stdout
    assert not [char for char in result.stdout if not char.isprintable() and char != "\n"]
    assert "<script>" not in page.read_text()
    assert "&lt;script&gt;" in page.read_text()


@pytest.mark.parametrize(
    ("task", "name", "said"),
    [("nli", "", "Choose the kind with --task"), ("reading_comprehension", "missing", "does not exist")],
)
def test_a_wrong_kind_or_place_is_wrong_usage(campaign: Path, tmp_path: Path, task: str, name: str, said: str) -> None:
    exported = tmp_path / "export"
    run("export", campaign, "--out", exported)
    result = run("advscore", exported / name, "--task", task)
    assert result.exit_code == 2
    assert said in result.stderr
