"""What is found out about a server before people are affected, and what of it is in the model's hash."""

from __future__ import annotations

import json
from typing import Any

import pytest

from beat_the_ai.adversary.language_models.completion import MAX_CONTENT_CHARS
from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import NLI, READING, open_adversary
from beat_the_ai.errors import AdversaryError, InvalidInput, UnknownName
from beat_the_ai.kinds.nli.labels import Pair
from tests.language_models.chat_server import ChatServer, body, dies, status

PAIR = Pair(premise="Rome fell in 476.", hypothesis="Rome fell.")
FENCED = 'Let me see {what} is meant: ```json\n{"label": "neutral"}\n```'


@pytest.fixture(autouse=True)
def answers(chat: ChatServer) -> None:
    chat.answer = lambda data: '{"label": "neutral"}' if "premise" in data else '{"answer": "1932"}'


def loaded(chat: ChatServer, settings: str = "", kind: str = NLI) -> Any:
    return open_adversary(f"openai:{chat.address}{settings and '?'}{settings}#tiny", kind, LoadOptions())


def refusal(chat: ChatServer, settings: str = "", kind: str = NLI) -> str:
    with pytest.raises(AdversaryError) as caught:
        loaded(chat, settings, kind)
    assert "cannot be used" in str(caught.value)
    return str(caught.value)


def test_a_server_that_understands_everything_is_asked_for_everything(chat: ChatServer) -> None:
    loaded(chat, "temperature=0.5&seed=9&max_answer_tokens=30").predict([PAIR])
    asked = chat.requests[-1]
    assert (asked["model"], asked["temperature"], asked["seed"], asked["max_tokens"]) == ("tiny", 0.5, 9, 30)
    assert (asked["logprobs"], asked["top_logprobs"]) == (True, 5)
    schema = asked["response_format"]["json_schema"]
    assert asked["response_format"]["type"] == "json_schema"
    assert schema["schema"]["properties"]["label"]["enum"] == ["entailment", "neutral", "contradiction"]
    assert (schema["strict"], schema["schema"]["additionalProperties"]) == (True, False)


@pytest.mark.parametrize(
    "unknown", [{"logprobs"}, {"response_format"}, {"response_format", "logprobs"}, {"max_tokens", "logprobs"}]
)
def test_what_a_server_does_not_understand_is_found_out_once(chat: ChatServer, unknown: set[str]) -> None:
    chat.unknown = unknown
    model = loaded(chat)
    tried = len(chat.requests)
    assert tried > 1
    for _ in range(3):
        model.predict([PAIR])
    assert len(chat.requests) == tried + 3
    assert not unknown & set(chat.requests[-1])
    assert loaded(chat).identity == model.identity
    assert len(chat.requests) == tried + 3, "streams share what was found out"


def test_without_schemas_the_last_object_of_the_kind_is_the_answer(chat: ChatServer) -> None:
    chat.unknown = {"response_format"}
    chat.answer = lambda data: f'{{"label": "entailment"}} no: {FENCED}'
    [prediction] = loaded(chat).predict([PAIR])
    assert prediction.label == "neutral"


def test_the_identity_tells_prompt_settings_and_abilities_apart_but_not_places(chat: ChatServer) -> None:
    first = loaded(chat).identity
    assert (first.name, first.task, first.precision, first.is_repeatable) == ("tiny", "nli", "unknown", False)
    assert loaded(chat, "timeout_seconds=9&cents_per_million_tokens_in=1").identity == first
    others = {loaded(chat, text).identity.hash for text in ("seed=2", "temperature=1", "max_answer_tokens=9")}
    others.add(loaded(chat, kind=READING).identity.hash)
    chat.unknown = {"logprobs"}
    others.add(loaded(chat, "timeout_seconds=8").identity.hash)
    chat.model = "tiny-2027"
    others.add(loaded(chat, "timeout_seconds=7").identity.hash)
    assert len(others | {first.hash}) == 7


def test_a_precision_is_not_the_clients_to_choose(chat: ChatServer) -> None:
    with pytest.raises(InvalidInput, match="'int8' was given"):
        open_adversary(f"openai:{chat.address}#tiny", NLI, LoadOptions(precision="int8"))


def test_an_unknown_prompt_lists_those_there_are(chat: ChatServer) -> None:
    with pytest.raises(UnknownName, match=r"Unknown prompt '99'\. Available: 1"):
        loaded(chat, "prompt=99")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "holds no JSON object with label"),
        ('{"label": "perhaps"}', "holds no JSON object with label"),
        ('{"answer": "1932"}', "holds no JSON object with label"),
        ('{"label": "neutral", "verdict": "fooled"}', "holds no JSON object with label"),
        ("{" * 20_000, "Its answer of 20,000 characters"),
        ('{"a":' * 5_000, "holds no JSON object with label"),
        ("x" * (MAX_CONTENT_CHARS + 1), "at most 50,000 are read"),
    ],
)
def test_rubbish_is_no_answer(chat: ChatServer, content: str, said: str) -> None:
    chat.answer = lambda data: content
    assert said in refusal(chat)


@pytest.mark.parametrize(
    "content", [b"", b"<html>", b"[]", b'{"choices": []}', b'{"choices": [{"message": {"content": 7}}]}', b"\xff"]
)
def test_what_is_no_completion_is_said_as_such(chat: ChatServer, content: bytes) -> None:
    chat.troubles += [body(content)]
    assert "is no chat completion" in refusal(chat)


def test_an_answer_at_its_limit_names_the_setting(chat: ChatServer) -> None:
    chat.finish_reason = "length"
    assert "Raise max_answer_tokens" in refusal(chat)


def test_a_server_that_refuses_or_fails_is_quoted(chat: ChatServer) -> None:
    chat.troubles += [status(404, "no such model")]
    assert "answered 404: 'no such model'" in refusal(chat)
    chat.troubles += [dies] * 3
    assert "The connection was lost" in refusal(chat)
    chat.unknown = {"messages"}
    assert "answered 400" in refusal(chat)


def test_a_price_needs_a_server_that_counts(chat: ChatServer) -> None:
    chat.usage = None
    assert "does not tell how many tokens" in refusal(chat, "cents_per_million_tokens_in=10")


def test_what_an_answer_cost_is_counted_by_the_servers_tokens(chat: ChatServer) -> None:
    model = loaded(chat, "cents_per_million_tokens_in=10&cents_per_million_tokens_out=100")
    model.predict([PAIR])
    assert model.microcents == 2000
    model.predict([PAIR, PAIR])
    assert model.microcents == 4000


def test_a_model_that_became_another_one_answers_nobody(chat: ChatServer) -> None:
    model = loaded(chat)
    chat.model = "tiny-2027"
    with pytest.raises(AdversaryError, match="'tiny-2027' answered for 'tiny', and 'tiny-2026' did"):
        model.predict([PAIR])


def test_texts_of_people_are_not_in_what_goes_wrong(chat: ChatServer) -> None:
    model = loaded(chat)
    chat.answer = lambda data: json.dumps({"label": data["hypothesis"]})
    with pytest.raises(AdversaryError) as caught:
        model.predict([Pair(premise="A secret.", hypothesis="A confession.")])
    assert "confession" not in str(caught.value)
