"""A language model that now and then says what is no answer: what is measured goes on, and tells how often."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from tests.language_models.chat_server import ChatServer
from tests.language_models.serve_chat import last_word
from tests.language_models.test_budget import PASSAGE, QUESTIONS

MODEL = "openai:{address}?cents_per_million_tokens_in=1#tiny"


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(main, [*map(str, arguments), "--max-cents", "100"])
    assert result.exit_code == 0, (result.output, result.exception)
    return result


@pytest.fixture
def model(chat: ChatServer) -> str:
    """It does not say when Rome fell."""
    chat.answer = lambda data: "I would rather not say." if "fall" in data["question"] else last_word(data)
    return MODEL.format(address=chat.address)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({"id": "rome", "title": "Rome", "context": PASSAGE, "questions": QUESTIONS}))
    return path


def test_in_scores_it_counts_as_wrong(model: str, gold: Path, chat: ChatServer) -> None:
    result = run("evaluate", model, gold, "--json")
    assert json.loads(result.stdout)["exact_match"] == 50
    assert "1 of 2 got no answer that can be read, or none in time, and count as wrong" in result.stderr
    assert len(chat.requests) == 1 + len(QUESTIONS), "the example, and each question once"


def test_nobody_has_beaten_it_by_that(model: str, gold: Path) -> None:
    found = json.loads(run("adversary", "check", model, gold, "--json").stdout)
    assert (found["unanswered"], found["asked"], found["beaten"]) == (1, 1, 0)
    assert found["figures"]["exact_match"] == 50
    assert "1 got no answer that can be read" in run("adversary", "check", model, gold).stdout


def test_predictions_leave_it_out(model: str, gold: Path, tmp_path: Path) -> None:
    run("adversary", "predict", "--model", model, "--input", gold, "--output", tmp_path / "said.json")
    assert list(json.loads((tmp_path / "said.json").read_text()).values()) == ["Romulus"]


def test_looking_back_goes_on_and_asks_it_again_the_next_time(
    model: str, gold: Path, tmp_path: Path, chat: ChatServer
) -> None:
    told = run("rescore", gold, "--model", model, "--out", tmp_path / "out").stderr
    assert "1 of 2 got no answer that can be read, or none in time, and are left out" in told
    [path] = (tmp_path / "out").glob("*.jsonl")
    assert len(path.read_text().splitlines()) == 1 + 1
    chat.answer = last_word
    run("rescore", gold, "--model", model, "--out", tmp_path / "out")
    assert len(path.read_text().splitlines()) == 1 + 2
