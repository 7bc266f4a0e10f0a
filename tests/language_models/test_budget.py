"""`--max-cents`: what commands outside of a campaign may spend on a model that charges."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.adversary.client import AdversaryClient
from beat_the_ai.cli import main
from beat_the_ai.store import Campaign, Store, open_store
from tests.cli.test_report import SECTIONS
from tests.dataset.builders import Tried, stored
from tests.language_models.chat_server import ChatServer
from tests.language_models.serve_chat import last_word
from tests.model_servers import TOKEN, VARIABLE, serving_models
from tests.store.builders import NEW_YEAR

PRICES = "cents_per_million_tokens_in=1000&cents_per_million_tokens_out=10000"
USAGE = {"prompt_tokens": 2000, "completion_tokens": 250}  # 4.5 cents; at worst an answer costs 14 to 15
ENOUGH_FOR_ALL, ENOUGH_FOR_TWO = "200", "20"
QUESTIONS = [
    {"question": "When did Rome fall?", "answer": {"text": "476", "start": 13}, "skill": "lookup"},
    {"question": "Who was deposed?", "answer": {"text": "Romulus", "start": 51}, "skill": "lookup"},
]
PASSAGE = "Rome fell in 476 after the general Odoacer deposed Romulus"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(autouse=True)
def answers(chat: ChatServer) -> None:
    chat.answer, chat.usage = last_word, USAGE


@pytest.fixture
def model(chat: ChatServer) -> str:
    return f"openai:{chat.address}?{PRICES}#tiny"


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({"id": "rome", "title": "Rome", "context": PASSAGE, "questions": QUESTIONS}))
    return path


def commands(model: str, gold: Path) -> list[list[object]]:
    output = gold.with_name("predictions.json")
    return [
        ["evaluate", model, gold],
        ["adversary", "predict", "--model", model, "--input", gold, "--output", output],
        ["adversary", "check", model, gold],
        ["rescore", gold, "--model", model, "--out", gold.with_name("rescored")],
    ]


def test_without_a_budget_a_model_that_charges_is_not_even_tried(chat: ChatServer, model: str, gold: Path) -> None:
    for command in commands(model, gold):
        refused = run(*command)
        assert refused.exit_code != 0
        assert "--max-cents" in str(refused.exception) + refused.output
    assert not chat.requests


def test_a_budget_that_is_too_small_for_all_answers_buys_none(chat: ChatServer, model: str, gold: Path) -> None:
    for command in commands(model, gold)[:3]:
        before = len(chat.requests)
        refused = run(*command, "--max-cents", ENOUGH_FOR_TWO)
        assert "2 answers may cost" in str(refused.exception) + refused.output
        assert len(chat.requests) - before <= 1  # the example
    assert not gold.with_name("predictions.json").exists()


def test_with_enough_all_is_answered(model: str, gold: Path) -> None:
    for command in commands(model, gold):
        result = run(*command, "--max-cents", ENOUGH_FOR_ALL)
        assert result.exit_code == 0, (result.output, result.exception)
    assert set(json.loads(gold.with_name("predictions.json").read_text()).values()) == {"Romulus"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "campaign.db"))
    opened.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 32, {}, NEW_YEAR), SECTIONS)
    stored(opened, [Tried(hit, "W1", fooled=True) for hit in range(4)], 4)
    yield opened
    opened.close()


def test_looking_back_keeps_what_was_paid_for_and_goes_on_with_more(
    store: Store, chat: ChatServer, model: str, tmp_path: Path
) -> None:
    refused = run("rescore", tmp_path, "--model", model, "--max-cents", ENOUGH_FOR_TWO)
    assert "The next answer may cost" in str(refused.exception) + refused.output
    [path] = (tmp_path / "rescored").glob("*.jsonl")
    assert len(path.read_text().splitlines()) == 1 + 2
    asked = len(chat.requests)
    assert run("rescore", tmp_path, "--model", model, "--max-cents", ENOUGH_FOR_TWO).exit_code == 0
    assert len(path.read_text().splitlines()) == 1 + 4
    assert len(chat.requests) - asked <= 2 + 1  # the example


def test_a_model_that_charges_on_somebodys_server_needs_a_budget_too(
    chat: ChatServer, model: str, gold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, TOKEN)
    with serving_models(f"dear={model}") as address:
        with AdversaryClient(address, 10, TOKEN) as client:
            client.models_once_ready(60)
        given = ["evaluate", f"{address}#dear", gold, "--token-variable", VARIABLE]
        refused = run(*given)
        assert "--max-cents" in str(refused.exception) + refused.output
        assert run(*given, "--max-cents", ENOUGH_FOR_ALL).exit_code == 0
