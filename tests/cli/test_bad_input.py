"""What a requester may get wrong, or a disk: one line that says so, and no traceback."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import errors_in_one_line, main
from beat_the_ai.store import open_store
from tests.files.test_yaml_files import BOMB
from tests.store.builders import campaign

TASK = Path(__file__).parents[2] / "tasks" / "reading_comprehension"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def says(result: Result, status: int, *words: str) -> None:
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == status, result.stderr
    last = result.stderr.rstrip("\n").rpartition("\n")[2]
    assert last.startswith("beat-the-ai: ")
    for word in words:
        assert word in last


def squad_file(folder: Path, start: str = "13") -> Path:
    path = folder / "squad.json"
    answers = f'[{{"text": "476", "answer_start": {start}}}]'
    qas = f'[{{"id": "q", "question": "When did Rome fall?", "answers": {answers}}}]'
    paragraph = f'{{"context": "Rome fell in 476.", "qas": {qas}}}'
    path.write_text(f'{{"data": [{{"title": "Rome", "paragraphs": [{paragraph}]}}]}}')
    return path


@pytest.mark.parametrize("start", ["1e400", "-1e400", "NaN", "1.5", '"13"', "null", "true"])
def test_a_start_that_is_no_whole_number_is_refused(start: str, tmp_path: Path) -> None:
    says(run("stats", squad_file(tmp_path, start)), 2, "squad.json is not SQuAD v1.1 JSON", "a whole number instead of")


def test_a_start_that_is_no_whole_number_is_refused_wherever_squad_is_read(tmp_path: Path) -> None:
    path = squad_file(tmp_path, "1.5")
    predictions = tmp_path / "predictions.json"
    predictions.write_text("{}")
    for command in (
        ["rehearse", TASK, f"contexts={path}", "--out", tmp_path / "out"],
        ["stats", path],
        ["score", "--task", "reading_comprehension", path, predictions],
        ["evaluate", "onnx:bidaf-small", path],
        ["report", path, "--out", tmp_path / "report.html"],
        ["adversary", "predict", "--input", path, "--output", tmp_path / "answers.json"],
    ):
        says(run(*command), 2, "squad.json is not SQuAD v1.1 JSON", "a whole number instead of")


def test_a_passage_that_nobody_can_read_is_refused_with_the_option_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_text(json.dumps({"id": "endless", "context": "word " * 200_000}) + "\n")
    given = ["rehearse", TASK, f"contexts={path}", "--out", tmp_path / "out"]
    says(run(*given), 2, "'endless' has 1,000,000 characters", "at most 10,000", "task.options.max_passage_chars")
    says(run(*given, "task.options.max_passage_chars=999999"), 2, "at most 999,999")


@pytest.mark.parametrize("key", ["quiz", "requirements"])
def test_a_quiz_or_requirement_set_with_too_many_aliases_is_refused(key: str, tmp_path: Path) -> None:
    (tmp_path / "bomb.yaml").write_text(BOMB)
    given = ["qualification=paper", f"qualification.{key}={tmp_path / 'bomb.yaml'}", "--stage", "screening"]
    served = run("serve", TASK, *given, "--out", tmp_path / "out")
    says(served, 2, "bomb.yaml cannot be read", "more than 100,000 values")


@pytest.mark.parametrize(("text", "word"), [(BOMB, "more than 100,000 values"), ("a: [1", "line 1")])
def test_a_configuration_that_cannot_be_read_is_named(text: str, word: str, tmp_path: Path) -> None:
    task = tmp_path / "task"
    shutil.copytree(TASK, task)
    (task / "conf" / "config.yaml").write_text(text)
    says(run("rehearse", task, "--out", tmp_path / "out"), 2, "config.yaml cannot be read", word)


@pytest.mark.parametrize("place", ["a file/out", "/proc/out"])
def test_an_output_that_cannot_be_written_is_named_by_every_command(place: str, tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    store = open_store(str(tmp_path / "campaign.db"))
    store.campaigns.create(campaign())
    store.close()
    path, out = squad_file(tmp_path), tmp_path / place
    named = "a file" if place.startswith("a") else "/proc/out"
    for command in (
        ["export", tmp_path, "--out", out],
        ["report", path, "--out", out / "report.html"],
        ["annotate", path, "--out", out / "sheet.html"],
        ["adversary", "predict", "--input", path, "--output", out],
    ):
        says(run(*command), 2, named)


@pytest.mark.parametrize("place", ["a file/store.db", "/proc/store.db"])
def test_a_store_that_cannot_be_written_is_named_by_every_command(place: str, tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    store = tmp_path / place
    for command in (
        ["serve", "--store", store],
        ["requester", "add", "lab", "--store", store],
        ["requester", "deposit", "lab", "1", "--store", store],
        ["worker", "add", "AWORKER", "--store", store],
        ["worker", "code", "AWORKER", "--store", store],
    ):
        says(run("marketplace", *command), 1, "The store cannot be opened")
    given = [f"store.url=sqlite:///{store}", "--out", tmp_path / "out"]
    for command in (["rehearse", TASK], ["serve", TASK], ["launch", TASK, "crowd=mturk"]):
        says(run(*command, *given), 1, "The store cannot be opened")


def test_a_disk_that_is_full_is_named_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    """/dev/full takes nothing."""
    with pytest.raises(SystemExit) as caught, errors_in_one_line(), Path("/dev/full").open("w") as file:
        file.write("x")
    assert caught.value.code == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("beat-the-ai: No space left on device. Free some space")


def test_a_member_that_is_named_twice_is_refused() -> None:
    members = [part for spec in ("onnx:nothing", "onnx:bidaf-small") for part in ("--member", f"a={spec}")]
    says(run("adversary", "serve", *members), 2, "'a' is the name of two members")


def test_a_rehearsal_has_one_crowd_and_of_its_kind_of_task(tmp_path: Path) -> None:
    nli, out = TASK.parent / "nli", ("--out", tmp_path / "out")
    says(run("rehearse", TASK, "--people", "bartolo-2021", *out), 2, "bartolo-2021", "bartolo-2020")
    says(run("rehearse", TASK, *2 * ("--people", "bartolo-2020"), *out), 2, "Name one of them")
    says(run("rehearse", nli, "--people", "bartolo-2020", *out), 2, "for reading_comprehension, and the task is nli")
    says(run("rehearse", TASK, "--people", "careful.right=0.99", *out), 2, "parts of 1")
    assert not (tmp_path / "out").exists()
