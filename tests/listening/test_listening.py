"""Connections to a small server with short limits."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from beat_the_ai.errors import InvalidInput
from beat_the_ai.listening import address_of, listen
from tests.listening.attack import HALF_A_REQUEST, OTHER_CLIENT, PATIENCE_SECONDS, Attacked, answer_of

SERVER = str(Path(__file__).with_name("serve.py"))
Serve = Callable[..., AbstractContextManager[Attacked]]


@pytest.fixture
def serve(tmp_path: Path) -> Serve:
    @contextmanager
    def served(files: int = 4096, **limits: Any) -> Iterator[Attacked]:
        with Attacked.started([SERVER, json.dumps(limits)], tmp_path / "log", files) as server:
            yield server

    return served


def wait_until_served(server: Attacked, source: str = "127.0.0.1") -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    answer = b""
    while not answer.startswith(b"HTTP/1.1 200 "):
        assert time.monotonic() < deadline
        with server.connect(source) as client, contextlib.suppress(OSError):
            client.sendall(b"GET /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            answer = answer_of(client)
        time.sleep(0.05)


def test_whoever_reads_the_address_can_connect_at_once() -> None:
    listener = listen("127.0.0.1", 0)
    try:
        socket.create_connection(listener.getsockname(), PATIENCE_SECONDS).close()
        assert address_of(listener) == f"http://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(InvalidInput, match="Port 0 takes a free one"):
            listen("127.0.0.1", listener.getsockname()[1])
    finally:
        listener.close()


def test_a_head_that_trickles_in_is_answered_with_a_time_out(serve: Serve) -> None:
    with serve(head_seconds=1) as server, server.connect() as slow:
        slow.sendall(HALF_A_REQUEST)
        slow.settimeout(0.2)
        answer, began = b"", time.monotonic()
        while b"\r\n\r\n" not in answer:
            assert time.monotonic() - began < PATIENCE_SECONDS
            try:
                slow.sendall(b"x")
                answer += slow.recv(65536)
            except TimeoutError:
                pass
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"took too long" in answer


def test_a_connection_that_says_nothing_is_closed_without_a_word(serve: Serve) -> None:
    with serve(head_seconds=1) as server, server.connect() as silent:
        assert answer_of(silent) == b""


def test_a_second_request_has_its_own_time(serve: Serve) -> None:
    with serve(head_seconds=1, idle_seconds=60) as server, server.connect() as slow:
        slow.sendall(b"GET /echo HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"200 OK" in slow.recv(65536)
        time.sleep(2.5)
        slow.sendall(b"GET /echo HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"200 OK" in slow.recv(65536)
        slow.sendall(HALF_A_REQUEST)
        assert answer_of(slow).startswith(b"HTTP/1.1 408 ")


def test_an_idle_connection_is_closed_even_when_it_sends_empty_lines(serve: Serve) -> None:
    with serve(idle_seconds=1) as server, server.connect() as idle:
        idle.sendall(b"GET /echo HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"200 OK" in idle.recv(65536)
        idle.sendall(b"\r\n")
        assert answer_of(idle) == b""


def test_a_body_that_trickles_in_is_answered_with_a_time_out_and_no_complaint(serve: Serve) -> None:
    with serve(body_seconds=1) as server:
        with server.connect() as slow:
            slow.sendall(b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf")
            answer = answer_of(slow)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert server.get("/echo").is_success


def test_endless_heads_are_refused(serve: Serve) -> None:
    with serve() as server, server.connect() as endless:
        endless.sendall(b"GET /echo HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
        try:
            for _ in range(64):
                endless.sendall(b"x" * 4096)
                time.sleep(0.001)
        except OSError:  # reset, or a broken pipe
            return
        answer = answer_of(endless)
        assert answer == b"" or answer.startswith(b"HTTP/1.1 431 ")


def test_whoever_does_not_read_the_answer_is_cut_off(serve: Serve) -> None:
    with serve(unread_seconds=1, connections_per_address=1, proxies=[]) as server, server.connect() as deaf:
        deaf.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert server.get("/echo").status_code == 503
        wait_until_served(server)


def test_websockets_live_on_while_half_open_connections_are_closed(serve: Serve) -> None:
    with (
        serve(head_seconds=1, body_seconds=1, idle_seconds=1, unread_seconds=1) as server,
        connect(f"ws://127.0.0.1:{server.port}/talk", proxy=None, ping_interval=None) as page,
        server.connect() as slow,
    ):
        slow.sendall(HALF_A_REQUEST)
        assert answer_of(slow).startswith(b"HTTP/1.1 408 ")
        time.sleep(1)
        page.send("still here")
        assert page.recv(timeout=PATIENCE_SECONDS) == "still here"


def test_one_address_holds_so_many_connections_and_others_are_served(serve: Serve) -> None:
    with serve(connections_per_address=5) as server:
        greedy = [server.connect(OTHER_CLIENT) for _ in range(5)]
        with server.connect(OTHER_CLIENT) as refused:
            answer = answer_of(refused)
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert b"too many connections" in answer
        assert server.get("/echo").is_success
        greedy.pop().close()
        wait_until_served(server, OTHER_CLIENT)
        for one in greedy:
            one.close()


def test_a_websocket_counts_until_it_ends(serve: Serve) -> None:
    with serve(connections_per_address=1, proxies=[]) as server:
        for _ in range(3):
            with connect(f"ws://127.0.0.1:{server.port}/talk", proxy=None) as page:
                page.send("hello")
                assert page.recv(timeout=PATIENCE_SECONDS) == "hello"
                with server.connect() as second:
                    assert answer_of(second).startswith(b"HTTP/1.1 503 ")


def test_a_proxy_holds_any_number_and_says_who_asks_and_nobody_else_does(serve: Serve) -> None:
    request = b"GET /who HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.7\r\nConnection: close\r\n\r\n"
    with serve(connections_per_address=2, proxies=[OTHER_CLIENT]) as server:
        held = [server.connect(OTHER_CLIENT) for _ in range(20)]
        with server.connect(OTHER_CLIENT) as proxy:
            proxy.sendall(request)
            assert answer_of(proxy).endswith(b"\r\n192.0.2.7")
        with server.connect() as stranger:
            stranger.sendall(request)
            assert answer_of(stranger).endswith(b"\r\n127.0.0.1")
        for one in held:
            one.close()


def test_a_server_answers_to_its_own_names(serve: Serve) -> None:
    with serve(hosts=["tasks.example.org"]) as server:
        for name in ("localhost", f"127.0.0.1:{server.port}", "tasks.example.org", "TASKS.example.org:443"):
            assert server.get("/echo", headers={"Host": name}).status_code == 200, name
        for name in ("evil.example", "tasks.example.org.evil.example", "", ":80"):
            refused = server.get("/echo", headers={"Host": name})
            assert (refused.status_code, "Host header" in refused.text) == (421, True), name


def test_the_log_holds_so_much_from_each_place_and_says_what_it_leaves_out(serve: Serve) -> None:
    with serve() as server:
        for _ in range(3):
            assert server.get("/noisy").is_success
    said = server.log.read_text().splitlines()
    assert [line for line in said if "complaint" in line] == [f"ERROR:noisy:complaint {number}" for number in range(20)]


def test_a_server_takes_as_many_files_as_it_may_have(serve: Serve) -> None:
    with serve(files=777) as server:
        assert server.get("/files").text == "777"
