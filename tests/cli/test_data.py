"""`score` and `export` on the command line, with their exit statuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from beat_the_ai.cli import main

SQUAD = {
    "version": "1.1",
    "data": [
        {
            "title": "Rome",
            "paragraphs": [
                {
                    "context": "Rome fell in 476.",
                    "qas": [
                        {"id": "q1", "question": "When?", "answers": [{"text": "476", "answer_start": 13}]},
                        {"id": "q2", "question": "What fell?", "answers": [{"text": "Rome", "answer_start": 0}]},
                    ],
                }
            ],
        }
    ],
}


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    gold, predictions = tmp_path / "gold.json", tmp_path / "predictions.json"
    gold.write_text(json.dumps(SQUAD))
    predictions.write_text(json.dumps({"q1": "in 476"}))
    return str(gold), str(predictions)


def test_score_prints_percentages_and_counts_missing_ids_as_wrong(files: tuple[str, str]) -> None:
    result = CliRunner().invoke(main, ["score", "--task", "reading_comprehension", *files, "--json"])
    assert result.exit_code == 0
    scores = json.loads(result.stdout)
    assert scores == {"exact_match": 0.0, "f1": pytest.approx(100 / 3), "questions": 2, "missing": 1, "foreign": 0}


def test_an_unknown_task_is_wrong_usage_and_lists_what_exists(files: tuple[str, str]) -> None:
    result = CliRunner().invoke(main, ["score", "--task", "reading", *files])
    assert result.exit_code == 2
    assert "Unknown task 'reading'. Available: nli, quizbowl, reading_comprehension" in result.stderr


def test_an_unknown_command_lists_what_exists() -> None:
    result = CliRunner().invoke(main, ["rehears"])
    assert result.exit_code == 2
    assert "Available: rehearse, serve" in result.stderr


@pytest.mark.parametrize("content", ["[1]", "{", '{"q1": 3}'])
def test_bad_predictions_are_wrong_usage(files: tuple[str, str], tmp_path: Path, content: str) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(content)
    result = CliRunner().invoke(main, ["score", "--task", "reading_comprehension", files[0], str(bad)])
    assert result.exit_code == 2
    assert str(bad) in result.stderr


def test_export_of_a_folder_without_a_campaign_says_so(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["export", str(tmp_path), "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "holds no campaign.db" in result.stderr


def test_scoring_does_not_import_mephisto_or_a_model(files: tuple[str, str]) -> None:
    code = (
        "import sys; from beat_the_ai.cli import main\n"
        f"main(['score', '--task', 'reading_comprehension', {files[0]!r}, {files[1]!r}], standalone_mode=False)\n"
        "assert not {'mephisto', 'torch', 'onnxruntime'} & set(sys.modules), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
