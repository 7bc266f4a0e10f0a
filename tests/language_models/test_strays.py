"""Answers that are not in their passage: judged by their words as any, and counted by themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.language_models.chat_server import ChatServer
from tests.language_models.test_budget import PASSAGE, QUESTIONS, run

STRAY = {"When did Rome fall?": "four hundred and seventy-six", "Who was deposed?": "Romulus"}


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({"id": "rome", "title": "Rome", "context": PASSAGE, "questions": QUESTIONS}))
    return path


def test_commands_tell_how_many_there_are(chat: ChatServer, gold: Path) -> None:
    chat.answer = lambda asked: json.dumps({"answer": STRAY.get(asked["question"], "Romulus")})
    model = f"openai:{chat.address}#tiny"
    checked = run("adversary", "check", model, gold)
    assert "of its answers 1 are not in the passage" in checked.output
    assert "beat it: 50 of a hundred" in checked.output
    told = json.loads(run("adversary", "check", model, gold, "--json").stdout)
    assert told["strays"] == ["not in the passage", 1]
    looked_back = run("rescore", gold, "--model", model, "--out", gold.with_name("rescored"))
    assert "Of its answers 1 are not in the passage." in " ".join(looked_back.output.split())


def test_a_model_that_marks_its_answers_has_none(gold: Path) -> None:
    checked = run("adversary", "check", "onnx:bidaf-small", gold)
    assert checked.exit_code == 0, checked.output
    assert "of its answers" not in checked.output
