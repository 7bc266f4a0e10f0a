"""`score` and `export` on the command line, with their exit statuses."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from beat_the_ai.cli import main
from beat_the_ai.store import Campaign, now, open_store
from tests.campaign.configured import config
from tests.validation.written import answer_all, new_desk, passages, write

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
    groups = scores.pop("groups")
    counts = {"questions": 2, "passages": 1, "missing": 1, "foreign": 0, "without_answer": 0}
    assert scores == {"exact_match": 0.0, "f1": pytest.approx(100 / 3), **counts}
    when = {"questions": 1, "passages": 1, "exact_match": 0.0, "f1": pytest.approx(200 / 3)}
    assert {"by": "begins with", "name": "when", **when} in groups


def test_an_unknown_task_is_wrong_usage_and_lists_what_exists(files: tuple[str, str]) -> None:
    result = CliRunner().invoke(main, ["score", "--task", "reading", *files])
    assert result.exit_code == 2
    assert "Unknown task 'reading'. Available: nli, quizbowl, reading_comprehension" in result.stderr


def test_an_unknown_command_lists_what_exists() -> None:
    result = CliRunner().invoke(main, ["rehears"])
    assert result.exit_code == 2
    assert "Available: rehearse, forecast, serve" in result.stderr


@pytest.mark.parametrize("content", ["[1]", "{", '{"q1": 7.5}'])
def test_bad_predictions_are_wrong_usage(files: tuple[str, str], tmp_path: Path, content: str) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(content)
    result = CliRunner().invoke(main, ["score", "--task", "reading_comprehension", files[0], str(bad)])
    assert result.exit_code == 2
    assert str(bad) in result.stderr


def test_export_says_what_waits_for_validation(tmp_path: Path) -> None:
    def exported() -> tuple[str, int]:
        result = CliRunner().invoke(
            main, ["export", str(tmp_path), "--format", "jsonl", "--out", str(tmp_path / "out")]
        )
        assert result.exit_code == 0
        rows = (tmp_path / "out" / "jsonl" / "dev.jsonl").read_text().splitlines()
        return result.stderr, len(rows)

    with closing(open_store(str(tmp_path / "campaign.db"))) as store:
        campaign = store.campaigns.create(
            Campaign("pilot", "reading_comprehension", 7, "k" * 64, {}, now()),
            config(dataset={"train": 0, "dev": 1, "test": 0}),
        )
        store.campaigns.offer("pilot", passages(3), round_number=1, slots=4)
        good, _bad = write(store, writer="half", answers=("1807", "Oxbow"))
        write(store, "mill/1", writer="other")
        begins = "Validation has not begun: 3 questions are in the dataset unchecked, dev 3."
        assert (exported()[0].startswith(begins), exported()[1]) == (True, 3)
        desk = new_desk(store, campaign)
        answer_all(desk, "v1", {})
        said = "Left out, since they wait for validation (--stage validation): 3 questions, dev 3.\n"
        assert exported() == (said, 0)
        for worker in ("v2", "v3"):
            answer_all(desk, worker, {good: "1807"})
        assert exported()[1] == 1


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
