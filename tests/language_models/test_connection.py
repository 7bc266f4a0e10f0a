"""Whatever a server does, a call ends in time, and says what was wrong without the key."""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.responses import Response

from beat_the_ai.adversary.language_models.connection import MAX_REPLY_BYTES, Connection, NotUnderstood
from beat_the_ai.adversary.language_models.source import read_source
from beat_the_ai.errors import AdversaryBusy, AdversaryError
from tests.language_models.chat_server import ChatServer, Trouble, body, dies, drips, floods, stalls, status

FINE = body(b"fine")
ASKED = {"model": "m", "messages": []}


def connection(chat: ChatServer, seconds: float = 15) -> Connection:
    return Connection(read_source(f"{chat.address}?key_variable=OWN_KEY&timeout_seconds={seconds}#m"))


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OWN_KEY", "sk-secret")
    return "sk-secret"


def test_the_key_is_shown_to_the_server_alone(chat: ChatServer, key: str) -> None:
    chat.troubles += [FINE, status(401, f"Incorrect API key provided: {key}")]
    asked = connection(chat)
    assert asked.ask(ASKED) == (b"fine", 0)
    assert chat.keys == [f"Bearer {key}"]
    with pytest.raises(AdversaryError) as caught:
        asked.ask(ASKED)
    assert "answered 401" in str(caught.value)
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    ("trouble", "lost"), [(status(500), 0), (status(503), 0), (status(429, Retry_After="0"), 0), (dies, 1)]
)
def test_what_passes_is_asked_again(
    chat: ChatServer, trouble: Trouble, lost: int, caplog: pytest.LogCaptureFixture
) -> None:
    """And what was lost on its way is told: it may be charged for."""
    chat.troubles += [trouble, FINE]
    with caplog.at_level(logging.WARNING):
        assert connection(chat).ask(ASKED) == (b"fine", lost)
    assert "asked again" in caplog.text
    assert len(chat.requests) == 2


def test_nobody_asks_before_the_server_wants_it(chat: ChatServer) -> None:
    chat.troubles += [status(429, Retry_After="0.4"), FINE, FINE]
    began = time.monotonic()
    assert connection(chat).ask(ASKED) == (b"fine", 0)
    assert time.monotonic() - began >= 0.4


def test_a_rest_that_is_too_long_is_handed_on_and_kept_by_all_calls(chat: ChatServer) -> None:
    chat.troubles += [status(429, Retry_After="30")]
    asked = connection(chat)
    for _ in range(2):
        with pytest.raises(AdversaryBusy) as caught:
            asked.ask(ASKED)
        assert 29 < caught.value.retry_after_seconds <= 30
    assert len(chat.requests) == 1


@pytest.mark.parametrize("header", ["999999", "9" * 400, "Fri, 31 Dec 2100 23:59:59 GMT"])
def test_no_rest_is_longer_than_a_minute_and_the_log_tells_it(
    chat: ChatServer, header: str, caplog: pytest.LogCaptureFixture
) -> None:
    chat.troubles += [status(429, Retry_After=header)]
    with pytest.raises(AdversaryBusy) as caught:
        connection(chat).ask(ASKED)
    assert 59 < caught.value.retry_after_seconds <= 60
    assert "It is called again after 60" in caplog.text


@pytest.mark.parametrize("header", ["-5", "nan", "inf", "1e9", "soon", "Wed, 25 Nov 1998 18:00:30 GMT"])
def test_a_rest_that_is_none_is_not_waited_for(chat: ChatServer, header: str) -> None:
    chat.troubles += [status(429, Retry_After=header), FINE]
    assert connection(chat).ask(ASKED) == (b"fine", 0)


def test_a_server_that_stays_busy_is_given_up(chat: ChatServer) -> None:
    chat.troubles += [status(429, Retry_After="0")] * 3
    with pytest.raises(AdversaryBusy):
        connection(chat).ask(ASKED)
    assert len(chat.requests) == 3


def test_what_may_have_been_answered_once_was_not_certainly_refused(chat: ChatServer) -> None:
    """It may have cost something, so that nobody may take it for unasked."""
    chat.troubles += [dies, status(500), status(500)]
    with pytest.raises(AdversaryError, match="connection was lost") as caught:
        connection(chat).ask(ASKED)
    assert not isinstance(caught.value, AdversaryBusy)


@pytest.mark.parametrize("trouble", [stalls, drips])
def test_a_server_that_comes_to_no_end_is_left_at_the_deadline(chat: ChatServer, trouble: Trouble) -> None:
    chat.troubles += [trouble] * 3
    began = time.monotonic()
    with pytest.raises(AdversaryError, match=r"no whole answer within 0\.6 seconds"):
        connection(chat, 0.6).ask(ASKED)
    assert time.monotonic() - began < 5


def test_a_flood_is_cut_off_and_not_asked_for_again(chat: ChatServer) -> None:
    chat.troubles += [floods]
    with pytest.raises(AdversaryError, match=f"more than {MAX_REPLY_BYTES:,} bytes"):
        connection(chat).ask(ASKED)
    assert len(chat.requests) == 1


def test_a_request_that_is_not_understood_is_not_sent_again(chat: ChatServer) -> None:
    chat.troubles += [status(422, "logprobs?")]
    with pytest.raises(NotUnderstood, match=r"422: 'logprobs\?'"):
        connection(chat).ask(ASKED)
    assert len(chat.requests) == 1


def test_nobody_there_is_said_as_such() -> None:
    nobody = Connection(read_source("http://127.0.0.1:9/v1?timeout_seconds=0.3#m"))  # no second try fits
    with pytest.raises(AdversaryBusy, match="cannot be reached"):
        nobody.ask(ASKED)


def test_a_server_gets_no_more_calls_at_once_than_it_may(chat: ChatServer) -> None:
    at_once = [0]

    async def counted() -> Response:
        at_once.append(at_once[-1] + 1)
        await asyncio.sleep(0.02)
        at_once.append(at_once[-1] - 1)
        return Response("fine")

    chat.troubles += [counted] * 8
    asked = Connection(read_source(f"{chat.address}?max_calls=2#m"))
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(asked.ask, [ASKED] * 8)) == {(b"fine", 0)}
    assert max(at_once) == 2


def test_a_rest_is_for_whoever_waits_for_a_turn_too(chat: ChatServer) -> None:
    times: list[float] = []

    async def rested() -> Response:
        times.append(time.monotonic())
        return Response("", 429, {"Retry-After": "0.3"}) if len(times) == 1 else Response("fine")

    chat.troubles += [rested] * 5
    asked = Connection(read_source(f"{chat.address}?max_calls=1#m"))
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(asked.ask, [ASKED] * 4)) == {(b"fine", 0)}
    assert times[1] - times[0] >= 0.29
