from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.mephisto.channel import RouterChannel
from beat_the_ai.mephisto.packets import ANSWER, CALL
from beat_the_ai.mephisto.shim import Packet
from tests.mephisto.test_router import secret
from tests.mephisto.wire import CREDENTIALS, PATIENCE_SECONDS, Router, wait_until


class Events:
    """What a channel told Mephisto."""

    def __init__(self) -> None:
        self.opened: queue.Queue[str] = queue.Queue()
        self.lost = threading.Event()
        self.messages: queue.Queue[Any] = queue.Queue()

    def next_message(self) -> Any:
        return self.messages.get(timeout=PATIENCE_SECONDS)


@pytest.fixture
def router(tmp_path: Path) -> Iterator[Router]:
    router = Router(tmp_path / "router").start()
    yield router
    router.kill()


@pytest.fixture
def events() -> Events:
    return Events()


@pytest.fixture
def channel(router: Router, events: Events) -> Iterator[RouterChannel]:
    channel = new_channel(router, events)
    channel.open()
    assert channel.settle(PATIENCE_SECONDS)
    assert channel.is_alive()
    yield channel
    channel.close()


def new_channel(router: Router, events: Events, token: str = CREDENTIALS["operator_token"]) -> RouterChannel:
    return RouterChannel(
        "c",
        events.opened.put,
        lambda _: events.lost.set(),
        lambda _, packet: events.messages.put(packet),
        url=f"ws://127.0.0.1:{router.port}/",
        token=token,
    )


def answer(text: str) -> Packet:
    return Packet(ANSWER, "1", {"text": text})


def test_packets_go_both_ways(router: Router, channel: RouterChannel, events: Events, tmp_path: Path) -> None:
    with router.page("1", secret("1", tmp_path)) as page:
        page.call("a")
        packet = events.next_message()
        assert (packet.type, packet.subject_id, packet.data["request_id"]) == (CALL, "1", "a")
        assert channel.enqueue_send(answer("𝄞 \ud800"))
        assert page.get(ANSWER)["data"]["text"] == "𝄞 \ud800"


def test_a_router_that_dies_is_found_again_and_nothing_is_lost_meanwhile(
    router: Router, channel: RouterChannel, events: Events, tmp_path: Path
) -> None:
    events.opened.get(timeout=PATIENCE_SECONDS)
    router.kill()
    wait_until(lambda: not channel.is_alive(), "the channel notices")
    assert not channel.is_closed()
    channel.enqueue_send(Packet("update_status", "1", {"status": "in task"}))
    router.start()
    events.opened.get(timeout=PATIENCE_SECONDS)
    with router.page("1", secret("1", tmp_path)) as page:

        def is_told() -> bool:
            page.send("heartbeat", {})
            return bool(page.get("heartbeat")["data"]["status"] == "in task")

        wait_until(is_told, "the page is told its status")
    assert not events.lost.is_set()


def test_packets_that_were_queued_before_the_first_connection_are_sent_in_order(
    router: Router, events: Events, tmp_path: Path
) -> None:
    channel = new_channel(router, events)
    for number in range(100):
        channel.enqueue_send(answer(str(number)))
    with router.page("1", secret("1", tmp_path)) as page:
        channel.open()
        assert [page.get(ANSWER)["data"]["text"] for _ in range(50)] == [str(number) for number in range(50)]
    channel.close()


def test_a_router_of_another_run_is_a_catastrophe_and_not_tried_again(router: Router, events: Events) -> None:
    channel = new_channel(router, events, token="of another run")
    channel.open()
    assert channel.settle(PATIENCE_SECONDS)
    assert events.lost.wait(PATIENCE_SECONDS)
    wait_until(channel.is_closed, "the channel gives up")
    assert not channel.is_alive()
    assert not channel.enqueue_send(answer("late"))
    channel.close()


def test_something_that_speaks_no_websocket_is_tried_again(router: Router, events: Events) -> None:
    """A router that dies in the middle of a handshake looks like that."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        channel = RouterChannel(
            "c",
            events.opened.put,
            lambda _: events.lost.set(),
            lambda *_: None,
            url=f"ws://127.0.0.1:{listener.getsockname()[1]}/",
            token="t",
        )
        channel.open()
        for reply in (b"", b"nonsense\r\n\r\n", b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"):
            listener.settimeout(PATIENCE_SECONDS)
            connection, _ = listener.accept()
            with connection:
                connection.settimeout(PATIENCE_SECONDS)
                connection.recv(65536)
                connection.sendall(reply)
        listener.accept()[0].close()
        assert not channel.is_closed()
        assert not events.lost.is_set()
        assert not channel.settle(0)
        channel.close()
        assert channel.settle(PATIENCE_SECONDS)


@pytest.mark.parametrize("opened", [False, True])
def test_a_channel_can_be_closed_at_any_time_and_twice(router: Router, events: Events, opened: bool) -> None:
    channel = new_channel(router, events)
    if opened:
        channel.open()
        assert channel.settle(PATIENCE_SECONDS)
    channel.close()
    channel.close()
    assert channel.is_closed()
    assert not channel.is_alive()
    assert not channel.enqueue_send(answer("late"))
