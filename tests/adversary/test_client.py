from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from beat_the_ai.adversary.client import AdversaryClient
from beat_the_ai.errors import AdversaryBusy, AdversaryError, InvalidInput
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from tests.adversary.conftest import Serve, Spawn
from tests.adversary.fakes import PATIENCE_SECONDS, FakeAdversary, query

FOR_A_WORKER = "Your text is kept; try again in a moment"


@contextlib.contextmanager
def client_of(
    server: AbstractContextManager[str], timeout_seconds: float = PATIENCE_SECONDS
) -> Iterator[AdversaryClient]:
    with server as address, AdversaryClient(address, timeout_seconds) as client:
        yield client


def test_a_reply_holds_predictions_and_who_gave_them(serve: Serve) -> None:
    with client_of(serve({"m": [FakeAdversary("bidaf")]})) as client:
        reply = client.predict([query("Who?"), query("When?")], Prediction, model="m", requester="w1")
    assert reply.predictions == [
        Prediction(text="Who?", start=0, score=0.5),
        Prediction(text="When?", start=0, score=0.5),
    ]
    assert reply.identity.name == "bidaf"


def test_many_threads_share_one_client(serve: Serve) -> None:
    questions = [f"Who {number}?" for number in range(200)]
    with client_of(serve({"m": [FakeAdversary(), FakeAdversary()]})) as client, ThreadPoolExecutor(16) as pool:
        replies = pool.map(lambda question: client.predict([query(question)], Prediction), questions)
        assert [reply.predictions[0].text for reply in replies] == questions


def test_what_the_server_refuses_is_invalid_input_with_its_field(serve: Serve) -> None:
    with client_of(serve({"m": [FakeAdversary()]})) as client:
        with pytest.raises(InvalidInput, match="at most 10,000") as caught:
            client.predict([query("Who?" * 5000)], Prediction)
        assert caught.value.field == "queries.0.question"
        with pytest.raises(InvalidInput, match="Available: m"):
            client.predict([query("Who?")], Prediction, model="nobody")
        with pytest.raises(InvalidInput, match="at most 1,048,576 bytes"):
            client.predict([query("Who?", context="a" * 99_000)] * 11, Prediction)


def test_text_that_is_no_unicode_is_invalid_input(serve: Serve) -> None:
    broken = Query.model_construct(context="Rome fell.", question="\ud800")
    with client_of(serve({"m": [FakeAdversary()]})) as client, pytest.raises(InvalidInput, match="not valid Unicode"):
        client.predict([broken], Prediction)


def test_a_model_that_fails_is_an_error_fit_for_a_worker(serve: Serve) -> None:
    with client_of(serve({"m": [FakeAdversary()]})) as client, pytest.raises(AdversaryError, match=FOR_A_WORKER):
        client.predict([query("fail")], Prediction)


def test_a_wrong_token_is_an_error_and_the_right_one_is_not(serve: Serve) -> None:
    with serve({"m": [FakeAdversary()]}, token="sesame") as address:
        with AdversaryClient(address, PATIENCE_SECONDS) as client, pytest.raises(AdversaryError, match=FOR_A_WORKER):
            client.predict([query("Who?")], Prediction)
        with AdversaryClient(address, PATIENCE_SECONDS, token="sesame") as client:
            assert client.predict([query("Who?")], Prediction).predictions


def test_a_slow_model_is_given_up_after_the_timeout(serve: Serve) -> None:
    model = FakeAdversary(closed=True)
    with client_of(serve({"m": [model]}), 0.3) as client:
        with pytest.raises(AdversaryError, match=FOR_A_WORKER):
            client.predict([query("Who?")], Prediction)
        model.gate.set()


def test_a_server_that_is_not_there_is_busy_after_the_timeout() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with AdversaryClient(f"http://127.0.0.1:{port}", 0.2) as client:
        with pytest.raises(AdversaryBusy, match=FOR_A_WORKER):
            client.predict([query("Who?")], Prediction)
        with pytest.raises(AdversaryError, match=r"not ready within 0\.1 seconds"):
            client.models_once_ready(0.1)


def test_a_busy_server_is_busy_at_once_when_it_asks_for_more_patience_than_there_is(serve: Serve) -> None:
    with client_of(serve(None), 0.5) as client, pytest.raises(AdversaryBusy, match=FOR_A_WORKER) as caught:
        client.predict([query("Who?")], Prediction)
    assert caught.value.retry_after_seconds == 1


class Quiet(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class Serving:
    """A real HTTP server."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Scripted(Serving):
    """A real HTTP server that gives the answers it is told to, in order, and counts requests."""

    def __init__(self, *answers: tuple[int, dict[str, str], bytes]) -> None:
        self.requests = 0
        script = self

        class Handler(Quiet):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                status, headers, content = answers[script.requests]
                script.requests += 1
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

        super().__init__(Handler)


GOOD = (
    b'{"model": {"name": "m", "task": "reading_comprehension", "hash": "0", "precision": "fp32"},'
    b' "predictions": [{"text": "Rome", "start": 0, "score": 0.5}], "model_seconds": 0.1}'
)


def test_a_busy_answer_is_asked_again_after_the_time_it_names() -> None:
    server = Scripted((429, {"Retry-After": "0"}, b""), (503, {"Retry-After": "0"}, b""), (200, {}, GOOD))
    with client_of(server) as client:
        assert client.predict([query("Who?")], Prediction).predictions[0].text == "Rome"
    assert server.requests == 3


def test_a_server_that_names_eleven_days_is_busy_for_a_minute() -> None:
    server = Scripted((429, {"Retry-After": "999999"}, b""))
    with client_of(server) as client, pytest.raises(AdversaryBusy) as caught:
        client.predict([query("Who?")], Prediction)
    assert caught.value.retry_after_seconds == 60


def test_a_failed_prediction_is_not_asked_again() -> None:
    server = Scripted((500, {}, b"Internal Server Error"))
    with client_of(server) as client, pytest.raises(AdversaryError, match=FOR_A_WORKER):
        client.predict([query("Who?")], Prediction)
    assert server.requests == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>",
        b"{}",
        GOOD.replace(b'"start": 0', b'"start": "0"'),
        GOOD.replace(b'[{"text": "Rome", "start": 0, "score": 0.5}]', b"[]"),
    ],
)
def test_a_reply_that_is_none_is_an_error(content: bytes) -> None:
    with client_of(Scripted((200, {}, content))) as client, pytest.raises(AdversaryError, match=FOR_A_WORKER):
        client.predict([query("Who?")], Prediction)


class Endless(Serving):
    """A real server whose answer begins well and never ends: `chunk`, again and again, with this pause between."""

    def __init__(self, chunk: bytes, pause_seconds: float) -> None:
        ended = self._ended = threading.Event()

        class Handler(Quiet):
            def do_POST(self) -> None:
                self.send_response(200)
                self.end_headers()
                with contextlib.suppress(OSError):
                    while not ended.wait(pause_seconds):
                        self.wfile.write(chunk)

        super().__init__(Handler)

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        super().__exit__()


@pytest.mark.parametrize(
    ("chunk", "pause_seconds", "timeout_seconds"), [(b"x" * 1_000_000, 0.0, PATIENCE_SECONDS), (b"x", 0.05, 0.5)]
)
def test_an_answer_without_end_is_an_error(chunk: bytes, pause_seconds: float, timeout_seconds: float) -> None:
    with (
        client_of(Endless(chunk, pause_seconds), timeout_seconds) as client,
        pytest.raises(AdversaryError, match=FOR_A_WORKER),
    ):
        client.predict([query("Who?")], Prediction)


def test_a_client_outlives_its_server(spawn: Spawn) -> None:
    server = spawn("--member", "m=fake:ready")
    address = server.read_address()
    with AdversaryClient(address, PATIENCE_SECONDS) as client:
        client.models_once_ready(PATIENCE_SECONDS)
        assert client.predict([query("Who?")], Prediction).predictions
        server.process.send_signal(signal.SIGKILL)
        assert server.end() == -signal.SIGKILL
        spawn("--member", "m=fake:ready", "--port", address.rpartition(":")[2])
        assert client.predict([query("Who?")], Prediction).predictions
