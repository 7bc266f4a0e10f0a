"""`stats` on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

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
    del made["wh_words"]
    assert made == {
        "passages": 1,
        "questions": 1,
        "question_words_mean": 4.0,
        "answer_words_mean": 1.0,
        "longest_ngram_overlap_mean": 1.0,
    }


def test_the_table_has_intervals_and_works_without_a_question(tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    path.write_text(json.dumps(LINE) + "\n")
    shown = CliRunner().invoke(main, ["stats", str(path)]).stdout
    assert "4.0000" in shown
    assert "4.00 to 4.00" in shown
    path.write_text("")
    result = CliRunner().invoke(main, ["stats", str(path)])
    assert result.exit_code == 0
    assert "–" in result.stdout


def test_a_malformed_or_missing_file_is_wrong_usage(tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    path.write_text("{")
    result = CliRunner().invoke(main, ["stats", str(path)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{path}, line 1" in result.stderr
    assert CliRunner().invoke(main, ["stats", str(tmp_path / "none.json")]).exit_code == 2


def test_ten_thousand_questions_take_seconds(squad_dev: Path) -> None:
    began = time.monotonic()
    command = [sys.executable, "-m", "beat_the_ai.cli", "stats", str(squad_dev), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["questions"] == 10_570
    assert time.monotonic() - began < 20  # about one second on a quiet machine
