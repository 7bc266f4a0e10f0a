"""`stats` on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from beat_the_ai.cli import main

LINE = {
    "id": "q1",
    "title": "Rome",
    "context": "Rome fell in 476.",
    "question": "When has Rome fallen?",
    "answers": {"text": ["476"], "answer_start": [13]},
}


def test_json_has_the_promised_keys(tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    path.write_text(json.dumps(LINE) + "\n")
    result = CliRunner().invoke(main, ["stats", str(path), "--json"])
    assert result.exit_code == 0
    made = json.loads(result.stdout)
    assert made["wh_words"]["when"] == 1
    assert (made["wh_words.when"], made["wh_words.who"]) == (100, 0)
    assert made["groups"] == []  # one question differs from no other
    assert {name: value for name, value in made.items() if "wh_words" not in name and name != "groups"} == {
        "passages": 1,
        "questions": 1,
        "question_words_mean": 4.0,
        "answer_words_mean": 1.0,
        "longest_ngram_overlap_mean": 1.0,
    }


def test_the_table_has_intervals_over_passages_and_works_without_a_question(tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    lines = [
        {
            **LINE,
            "id": f"{n}",
            "context": f"{n // 2}: Rome fell.",
            "question": f"Has{' all' * (n // 6)} of Rome fallen?",
        }
        for n in range(12)
    ]
    path.write_text("".join(f"{json.dumps({**line, 'answers': {'text': [], 'answer_start': []}})}\n" for line in lines))
    shown = CliRunner().invoke(main, ["stats", str(path)]).stdout
    assert "4.5000" in shown
    assert "3.96 to 5.11" in shown
    assert "95% intervals: jackknife of 6 passages." in shown
    path.write_text("")
    result = CliRunner().invoke(main, ["stats", str(path)])
    assert result.exit_code == 0
    assert "–" in result.stdout


def test_groups_are_those_that_the_file_tells(tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    lines = [
        {**LINE, "id": f"q{n}", "question": f"When{' then' * n}?", "metadata": {"model_in_the_loop": f"bert{n % 2}"}}
        for n in range(4)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    groups = json.loads(CliRunner().invoke(main, ["stats", str(path), "--json"]).stdout)["groups"]
    found = [(row["by"], row["name"], row["questions"], row["question_words_mean"]) for row in groups]
    assert found == [("model in the loop", "bert0", 2, 2.0), ("model in the loop", "bert1", 2, 3.0)]
    shown = CliRunner().invoke(main, ["stats", str(path)], env={"COLUMNS": "120"}).stdout
    assert "│ all                      │ 4 " in shown
    assert "│ model in the loop: bert1 │ 2 " in shown


def test_a_malformed_or_missing_file_is_wrong_usage(tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    path.write_text("{")
    result = CliRunner().invoke(main, ["stats", str(path)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{path}, line 1" in result.stderr
    assert CliRunner().invoke(main, ["stats", str(tmp_path / "none.json")]).exit_code == 2


def test_all_of_real_squad_is_counted(squad_dev: Path) -> None:
    command = [sys.executable, "-m", "beat_the_ai.cli", "stats", str(squad_dev), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["questions"] == 10_570


ROWS: dict[str, dict[str, Any]] = {
    "reading_comprehension": LINE,
    "nli": {"context": "Rome fell in 476.", "hypothesis": "It fell late.", "label": "n", "tag": "R1", "genre": "wiki"},
    "quizbowl": {"text": "It fell. Name this empire.", "page": "Rome", "category": "History", "tournament": "Round 1"},
}
ID_NAMES = {"reading_comprehension": "id", "nli": "uid", "quizbowl": "qanta_id"}


@pytest.mark.parametrize("task", ROWS)
def test_a_folder_has_the_figures_of_all_its_parts(tmp_path: Path, task: str) -> None:
    for part, number in (("train", 3), ("dev", 2)):
        rows = [{**ROWS[task], ID_NAMES[task]: f"{part}{n}"} for n in range(number)]
        (tmp_path / f"{part}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    found = CliRunner().invoke(main, ["stats", "--task", task, str(tmp_path), "--json"])
    assert found.exit_code == 0, found.output
    figures = json.loads(found.stdout)
    assert figures["pairs" if task == "nli" else "questions"] == 5
    if task != "nli":
        parts = [(row["name"], row["questions"]) for row in figures["groups"] if row["by"] == "part"]
        assert parts == [("dev", 2), ("train", 3)]
    assert CliRunner().invoke(main, ["stats", "--task", task, str(tmp_path)]).exit_code == 0


@pytest.mark.parametrize("task", ["reading_comprehension", "quizbowl"])
def test_a_folder_with_its_attempts_has_their_groups(tmp_path: Path, task: str) -> None:
    rows = [{**ROWS[task], ID_NAMES[task]: f"{n}"} for n in range(3)]
    rows = [{name: value for name, value in row.items() if name != "tournament"} for row in rows]
    attempts = [{"attempt_id": f"{n}", "round": n // 2 + 1, "exclusive": n > 1, "genre": None} for n in range(9)]
    (tmp_path / "jsonl").mkdir()
    for path, content in ((tmp_path / "jsonl" / "test.jsonl", rows), (tmp_path / "attempts.jsonl", attempts)):
        path.write_text("".join(f"{json.dumps(row)}\n" for row in content))
    found = CliRunner().invoke(main, ["stats", "--task", task, str(tmp_path), "--json"])
    assert found.exit_code == 0, found.output
    groups = {(row["by"], row["name"]): row["questions"] for row in json.loads(found.stdout)["groups"]}
    assert groups == {("round", "1"): 2, ("round", "2"): 1, ("exclusive", "no"): 2, ("exclusive", "yes"): 1}
