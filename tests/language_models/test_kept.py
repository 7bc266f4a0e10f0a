"""Commands that ask a language model lose no answer: whatever ends them, they resume."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.adversary.answers import MOST_LATE_IN_A_ROW
from beat_the_ai.campaign.models.check import kept_checks
from beat_the_ai.cli import main
from tests.language_models.chat_server import ChatServer, Trouble, stalls, status
from tests.language_models.serve_chat import last_word
from tests.language_models.test_budget import PASSAGE

NUMBER = 8
CENTS = "cents_per_million_tokens_in=1000&cents_per_million_tokens_out=10000"
LATE = "1 of 8 got no answer that can be read, or none in time"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def model(chat: ChatServer) -> str:
    chat.answer = last_word
    return f"openai:{chat.address}?timeout_seconds=1&{CENTS}#tiny"


@pytest.fixture
def gold(folder: Path) -> Path:
    asked = [f"Who was deposed in {year}?" for year in range(470, 470 + NUMBER)]
    questions = [
        {"question": question, "answer": {"text": "Romulus", "start": 51}, "skill": "lookup"} for question in asked
    ]
    path = folder / "gold.jsonl"
    path.write_text(json.dumps({"id": "rome", "title": "Rome", "context": PASSAGE, "questions": questions}))
    return path


def commands(model: str, gold: Path) -> dict[str, list[object]]:
    output, enough = gold.with_name("said.json"), ["--max-cents", "1000"]
    return {
        "evaluate": ["evaluate", model, gold, "--json", *enough],
        "predict": ["adversary", "predict", "--model", model, "--input", gold, "--output", output, *enough],
        "check": ["adversary", "check", model, gold, "--json", "--out", gold.parent, *enough],
    }


@pytest.mark.parametrize("name", ["evaluate", "predict", "check"])
def test_a_late_answer_is_one_wrong_answer_and_the_same_command_asks_for_it_again(
    name: str, chat: ChatServer, model: str, gold: Path
) -> None:
    command = commands(model, gold)[name]
    before = [stalls]

    def late_once(data: dict[str, str]) -> str:
        if "472" in data["question"] and before:
            chat.troubles.extend(before)
            before.clear()
        return last_word(data)

    chat.answer = late_once
    first = run(*command)
    assert first.exit_code == 0, (first.output, first.exception)
    if name == "check":
        assert json.loads(first.stdout)["unanswered"] == 1
        assert json.loads(first.stdout)["slowest_seconds"] >= 1
    else:
        assert LATE in first.stderr
    if name == "evaluate":
        assert json.loads(first.stdout)["exact_match"] == 87.5
    asked = len(chat.requests)
    second = run(*command)
    assert second.exit_code == 0, (second.output, second.exception)
    assert len(chat.requests) - asked == 1
    assert "1 questions asked, 7 answered before" in second.stderr


@pytest.mark.parametrize("name", ["evaluate", "predict", "check"])
def test_a_server_that_refuses_halfway_ends_the_command_and_loses_nothing(
    name: str, chat: ChatServer, model: str, gold: Path
) -> None:
    command = commands(model, gold)[name]

    def refuses_after(data: dict[str, str]) -> str:
        if "473" in data["question"]:
            chat.troubles.append(status(401, "the key has expired"))
        return last_word(data)

    chat.answer = refuses_after
    refused = run(*command)
    assert refused.exit_code != 0
    assert "the key has expired" in str(refused.exception) + refused.output
    chat.answer = last_word
    asked = len(chat.requests)
    done = run(*[word if word != "1000" else "60" for word in command])  # enough for the four that are missing
    assert done.exit_code == 0, (done.output, done.exception)
    assert len(chat.requests) - asked == NUMBER - 4
    if name == "check":
        assert kept_checks(gold.parent)[str(command[2])].asked == NUMBER


def test_times_are_those_of_when_it_was_asked(chat: ChatServer, model: str, gold: Path) -> None:
    command = commands(model, gold)["check"]
    first, again = (json.loads(run(*command).stdout) for _ in range(2))
    assert (first["median_seconds"], first["slowest_seconds"]) == (again["median_seconds"], again["slowest_seconds"])
    assert first["median_seconds"] > 0


def test_a_model_that_is_gone_ends_the_command(chat: ChatServer, model: str, gold: Path) -> None:
    """Every answer would be wrong, and each may be charged for."""

    def goes(data: dict[str, str]) -> str:
        if "471" in data["question"]:
            chat.troubles.extend([stalls] * NUMBER)
        return last_word(data)

    chat.answer = goes
    refused = run(*commands(model, gold)["evaluate"])
    assert f"{MOST_LATE_IN_A_ROW} answers in a row did not come in time" in str(refused.exception) + refused.output
    assert len(chat.requests) == 1 + 2 + MOST_LATE_IN_A_ROW
    chat.troubles.clear()
    chat.answer = last_word
    assert "2 answered before" in run(*commands(model, gold)["evaluate"]).stderr


def test_a_model_of_our_own_is_asked_anew_and_keeps_nothing(gold: Path, folder: Path) -> None:
    assert run("evaluate", "onnx:bidaf-small", gold).exit_code == 0
    assert not (folder / "out").exists()


@pytest.fixture
def questions(folder: Path) -> list[object]:
    """Write the questions of an event; return the options that name them."""
    options: list[object] = []
    for name, of in (("regular", range(14)), ("adversarial", range(20, 24))):
        lines = [{"text": f"This is about thing {number}.", "page": f"Thing_{number}", "answer": ""} for number in of]
        path = folder / f"{name}.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        options += [f"--{name}", path]
    return options


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["--room", "A=Owls,Owls"], "each team and model a name of its own"),
        (["--room", "A=Owls,bot"], "each team and model a name of its own"),
        (["--room", "A b=Owls,Jays"], "A b: room"),
        (["--room", "A=Owls,Jays", "--room", "A=Rooks"], "A was given twice"),
        (["--room", "A=Owls,Jays", "--model", "late=nothing:x"], "Unknown backend 'nothing'"),
    ],
)
def test_an_event_with_wrong_names_asks_no_model(
    chat: ChatServer, folder: Path, questions: list[object], names: list[str], told: str
) -> None:
    model = ["--model", f"bot=openai:{chat.address}?{CENTS}#tiny", "--max-cents", 2000]
    refused = run("event", "new", folder / "event", *questions, *model, "--tossups", 2, *names)
    assert told in str(refused.exception) + refused.output
    assert not chat.requests


def test_an_event_is_made_with_a_model_that_is_late_once_and_refuses_once(
    chat: ChatServer, folder: Path, questions: list[object]
) -> None:
    before: list[list[Trouble]] = [[stalls], [status(401, "the key has expired")]]

    def answers(data: dict[str, str]) -> str:
        if before and len(chat.requests) in (4, 9):
            chat.troubles.extend(before.pop(0))
        return json.dumps({"guesses": [{"answer": data["question"][-9:-1].strip(), "confidence": 0.9}]})

    chat.answer = answers
    model = f"bot=openai:{chat.address}?timeout_seconds=1&{CENTS}#tiny"
    event = folder / "event"
    command: list[object] = ["event", "new", event, *questions, "--room", "A=Owls,Jays"]
    command += ["--model", model, "--tossups", 2, "--max-cents", 2000]
    refused = run(*command)
    assert "the key has expired" in str(refused.exception) + refused.output
    assert not event.exists()
    done = run(*command)
    assert done.exit_code == 0, (done.output, done.exception)
    found = re.search(r"tiny: (\d+) questions asked, (\d+) answered before", done.stderr)
    assert found is not None
    now, earlier = map(int, found.groups())
    assert (now + earlier, earlier >= 3) == (13 + 2, True)
    asked = len(chat.requests)
    assert run(*command).exit_code != 0, "the folder is not empty"
    assert len(chat.requests) == asked, "that is found out before anything is asked"
