from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from beat_the_ai.adversary import app, server
from beat_the_ai.adversary.client import AdversaryClient
from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.server import default_streams
from beat_the_ai.adversary.service import Limits
from beat_the_ai.adversary.wire import MAX_BODY_BYTES
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from tests.adversary.conftest import Serve, Spawn
from tests.adversary.fakes import PATIENCE_SECONDS, ExplainingAdversary, FakeAdversary, query, wait_until


def body(*questions: str, **others: Any) -> dict[str, Any]:
    return {"queries": [{"context": "Rome fell.", "question": question} for question in questions], **others}


def ask(address: str, *questions: str, **others: Any) -> httpx.Response:
    return httpx.post(f"{address}/v1/predict", json=body(*questions, **others), timeout=PATIENCE_SECONDS)


def error(response: httpx.Response) -> tuple[int, str, str | None]:
    content = response.json()["error"]
    assert content["message"]
    return response.status_code, content["code"], content.get("field")


def metric(address: str, name: str, **labels: str) -> float:
    text = httpx.get(f"{address}/metrics").text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return sum(
        sample.value
        for sample in samples
        if sample.name == f"beat_the_ai_adversary_{name}" and labels.items() <= sample.labels.items()
    )


def test_predictions_come_in_the_order_of_the_queries_with_who_gave_them(serve: Serve) -> None:
    with serve({"bidaf": [FakeAdversary("bidaf-small")]}) as address:
        response = ask(address, "Who?", "When? 🏛")
    assert response.status_code == 200
    reply = response.json()
    assert [prediction["text"] for prediction in reply["predictions"]] == ["Who?", "When? 🏛"]
    assert reply["model"] == {
        "name": "bidaf-small",
        "task": "reading_comprehension",
        "hash": "0" * 64,
        "precision": "fp32",
    }
    assert reply["model_seconds"] >= 0


def test_one_server_serves_several_models_by_name(serve: Serve) -> None:
    with serve({"a": [FakeAdversary("first")], "b": [FakeAdversary("second")]}) as address:
        assert ask(address, "Who?", model="b").json()["model"]["name"] == "second"
        names = [model["name"] for model in httpx.get(f"{address}/v1/models").json()["models"]]
        assert names == ["a", "b"]
        assert error(ask(address, "Who?")) == (400, "invalid", "model")


def test_an_unknown_model_lists_those_there_are(serve: Serve) -> None:
    with serve({"bidaf": [FakeAdversary()], "bert": [FakeAdversary()]}) as address:
        response = ask(address, "Who?", model="birt")
    assert error(response) == (404, "unknown", "model")
    assert "Available: bert, bidaf. Did you mean 'bert'?" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("content", "field"),
    [
        (b"", "body"),
        (b"{", "body"),
        (b"[]", "body"),
        (b"\xff\xfe", "body"),
        (b'{"queries": []}', "queries"),
        (b'{"queries": "Who?"}', "queries"),
        (b'{"queries": [{"context": "Rome fell."}]}', "queries.0.question"),
        (b'{"queries": [{"context": "Rome fell.", "question": 7}]}', "queries.0.question"),
        (b'{"queries": [{"context": "Rome fell.", "question": "Who?", "answer": "Rome"}]}', "queries.0.answer"),
        (b'{"queries": [{"context": "Rome fell.", "question": "\\ud800"}]}', "body"),
        (b'{"queries": [{"context": "Rome fell.", "question": "Who?"}], "model": 3}', "model"),
        (b'{"queries": [{"context": "Rome fell.", "question": "Who?"}], "verdict": true}', "verdict"),
    ],
)
def test_what_is_not_a_request_is_refused_naming_the_field(serve: Serve, content: bytes, field: str) -> None:
    with serve({"bidaf": [FakeAdversary()]}) as address:
        response = httpx.post(f"{address}/v1/predict", content=content)
    assert error(response) == (400, "invalid", field)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"context": "a" * 20_001, "question": "Who?"}, "queries.0.context"),
        ({"context": "Rome fell.", "question": "a" * 10_001}, "queries.0.question"),
    ],
)
def test_a_text_over_its_limit_is_refused_with_the_limit(serve: Serve, query: dict[str, str], field: str) -> None:
    with serve({"bidaf": [FakeAdversary()]}) as address:
        response = httpx.post(f"{address}/v1/predict", json={"queries": [query]})
        assert ask(address, "a" * 10_000).status_code == 200
    assert error(response) == (400, "invalid", field)
    assert "at most " in response.json()["error"]["message"]


def test_queries_that_are_too_much_together_are_refused_before_they_cost_time(serve: Serve) -> None:
    query = {"context": "a" * 14_999, "question": "?"}
    with serve({"bidaf": [FakeAdversary()]}) as address:
        assert httpx.post(f"{address}/v1/predict", json={"queries": [query] * 2}).status_code == 200
        refused = httpx.post(f"{address}/v1/predict", json={"queries": [query] * 3})
    assert error(refused) == (400, "invalid", "queries")
    assert "45,000 characters together; at most 30,000" in refused.json()["error"]["message"]


def test_at_most_64_queries_go_into_a_request(serve: Serve) -> None:
    questions = [f"Who {number}?" for number in range(65)]
    with serve({"bidaf": [FakeAdversary()]}) as address:
        assert ask(address, *questions[:64]).status_code == 200
        assert error(ask(address, *questions)) == (400, "invalid", "queries")


def test_a_body_over_a_mebibyte_is_refused_with_and_without_a_content_length(serve: Serve) -> None:
    too_long = b"x" * (MAX_BODY_BYTES + 1)
    with serve({"bidaf": [FakeAdversary()]}) as address:
        announced = httpx.post(f"{address}/v1/predict", content=too_long)
        chunked = httpx.post(f"{address}/v1/predict", content=iter([too_long[:1000], too_long[1000:]]))
        assert "Content-Length" not in chunked.request.headers
        assert error(announced) == error(chunked) == (413, "too_large", "body")
        assert ask(address, "Still there?").status_code == 200


def test_a_body_without_end_is_cut_off(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "MAX_DISCARDED_BYTES", 2 * MAX_BODY_BYTES)
    sent = 0

    def endless() -> Any:
        nonlocal sent
        while sent < 1000:
            sent += 1
            yield b"x" * MAX_BODY_BYTES

    with serve({"bidaf": [FakeAdversary()]}) as address, contextlib.suppress(httpx.TransportError):
        assert error(httpx.post(f"{address}/v1/predict", content=endless()))[0] == 413
    assert sent < 1000


def test_a_body_that_never_arrives_is_given_up_at_the_deadline(serve: Serve) -> None:
    with serve({"bidaf": [FakeAdversary()]}, Limits(deadline_seconds=0.1, grace_seconds=0.1)) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS) as connection:
            connection.sendall(b"POST /v1/predict HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{")
            assert connection.recv(1000).startswith(b"HTTP/1.1 504")
        assert metric(address, "requests_total", outcome="deadline") == 1


def test_other_paths_and_methods_are_answered_in_json(serve: Serve) -> None:
    with serve({"bidaf": [FakeAdversary()]}) as address:
        assert error(httpx.get(f"{address}/nowhere")) == (404, "http", None)
        assert error(httpx.get(f"{address}/v1/predict")) == (405, "http", None)


def test_a_model_that_fails_says_nothing_about_its_insides(serve: Serve) -> None:
    with serve({"bidaf": [FakeAdversary()]}) as address:
        response = ask(address, "fail")
        assert error(response) == (500, "adversary", None)
        assert "secret" not in response.text
        assert ask(address, "Who?").status_code == 200
        assert metric(address, "requests_total", outcome="adversary") == 1


def test_a_model_that_stops_at_its_first_example_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopping(FakeAdversary):
        def predict(self, queries: Sequence[Query]) -> list[Prediction]:
            raise StopIteration

    monkeypatch.setattr(server, "open_streams", lambda *_: [Stopping()])

    async def load() -> None:
        loading = server._load_unless_stopped({"m": "fake:m"}, "reading_comprehension", LoadOptions(), asyncio.Event())
        await asyncio.wait_for(loading, PATIENCE_SECONDS)

    with pytest.raises(AdversaryError, match="raised StopIteration"):
        asyncio.run(load())


def test_an_unforeseen_fault_says_nothing_about_its_insides(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret internals")

    with serve({"bidaf": [FakeAdversary()]}) as address:
        monkeypatch.setattr(app, "read_address", broken)
        response = ask(address, "Who?")
        assert error(response) == (500, "error", None)
        assert "secret" not in response.text


def test_a_full_queue_is_answered_busy_with_when_to_come_back(serve: Serve) -> None:
    model = FakeAdversary(closed=True)
    with (
        serve({"bidaf": [model]}, Limits(queue_capacity=1, grace_seconds=0.2)) as address,
        ThreadPoolExecutor() as pool,
    ):
        first = pool.submit(ask, address, "first")
        model.wait_until_entered()
        second = pool.submit(ask, address, "second")
        wait_until(lambda: metric(address, "queue_length", model="bidaf") == 1, "the second waits")
        refused = ask(address, "third")
        model.gate.set()
        assert [first.result().status_code, second.result().status_code] == [200, 200]
    assert error(refused) == (429, "busy", None)
    assert int(refused.headers["Retry-After"]) >= 1


def test_a_request_past_its_deadline_is_answered_504_and_never_computed(serve: Serve) -> None:
    model = FakeAdversary(closed=True)
    with serve({"bidaf": [model]}, Limits(deadline_seconds=0.2, grace_seconds=1)) as address:
        with ThreadPoolExecutor() as pool:
            running, waiting = pool.submit(ask, address, "running"), pool.submit(ask, address, "waiting")
            assert error(running.result())[:2] == error(waiting.result())[:2] == (504, "deadline")
        assert metric(address, "queue_length", model="bidaf") == 0
        model.gate.set()
        assert ask(address, "afterwards").status_code == 200
    assert len(model.batches) == 2


def test_a_query_whose_client_left_is_taken_out_of_the_line(serve: Serve) -> None:
    model = FakeAdversary(closed=True)
    with serve({"bidaf": [model]}) as address, ThreadPoolExecutor() as pool:
        running = pool.submit(ask, address, "running")
        model.wait_until_entered()
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{address}/v1/predict", json=body("left"), timeout=0.2)
        wait_until(lambda: metric(address, "requests_total", outcome="gone") == 1, "the server saw it leave")
        assert metric(address, "queue_length", model="bidaf") == 0
        model.gate.set()
        assert running.result().status_code == 200
    assert model.batches == [["running"]]


def test_a_prediction_comes_with_an_explanation_where_it_is_asked_for_and_only_there(serve: Serve) -> None:
    with serve({"plain": [FakeAdversary()], "open": [ExplainingAdversary()]}) as address:
        with AdversaryClient(address, PATIENCE_SECONDS) as client:
            assert {name: listed.explains for name, listed in client.models().items()} == {"plain": False, "open": True}
            asked = [query("Who?"), query("When, pray?")]
            plain = client.predict(asked, Prediction, "open")
            explained = client.predict(asked, Prediction, "open", explain=True)
            assert plain.explanations is None
            assert explained.predictions == plain.predictions
            assert [why.fields["question"][0].end for why in explained.explanations or []] == [4, 11]
            with pytest.raises(InvalidInput, match="'plain' does not say which words") as refused:
                client.predict(asked, Prediction, "plain", explain=True)
        assert refused.value.field == "explain"
        assert "explanations" not in ask(address, "Who?", model="open").json()


def test_identical_questions_at_the_same_time_cost_one_prediction(serve: Serve) -> None:
    model = FakeAdversary(closed=True)
    with serve({"bidaf": [model]}) as address, ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(ask, address, "Who?") for _ in range(8)]
        model.wait_until_entered()
        model.gate.set()
        assert {future.result().json()["predictions"][0]["text"] for future in asked} == {"Who?"}
        assert ask(address, "Who?").json()["model_seconds"] == 0
        assert metric(address, "queries_total", cached="true") == 8
    assert model.batches == [["Who?"]]


def test_one_requester_that_floods_does_not_starve_another(serve: Serve) -> None:
    model = FakeAdversary(closed=True)
    with serve({"bidaf": [model]}) as address, ThreadPoolExecutor() as pool:
        running = pool.submit(ask, address, "running", requester="flood")
        model.wait_until_entered()
        flood = pool.submit(ask, address, *(f"flood {number}" for number in range(64)), requester="flood")
        wait_until(lambda: metric(address, "queue_length", model="bidaf") == 64, "the flood waits")
        quiet = pool.submit(ask, address, "quiet", requester="quiet")
        wait_until(lambda: metric(address, "queue_length", model="bidaf") == 65, "the other waits")
        model.gate.set()
        assert {future.result().status_code for future in (running, flood, quiet)} == {200}
    assert model.batches.index(["quiet"]) <= 2


def test_while_models_load_the_server_says_so(serve: Serve) -> None:
    with serve(None) as address:
        assert httpx.get(f"{address}/health").status_code == 503
        response = ask(address, "Who?")
    assert error(response) == (503, "not_ready", None)
    assert response.headers["Retry-After"] == "1"


def test_a_token_guards_everything_but_health(serve: Serve) -> None:
    with serve({"bidaf": [FakeAdversary()]}, token="open sesame") as address:
        assert httpx.get(f"{address}/health").status_code == 200
        assert error(ask(address, "Who?")) == (401, "unauthorized", None)
        for given in ("Bearer wrong", "open sesame", "Bearer öpen"):
            headers = [(b"Authorization", given.encode())]
            assert httpx.get(f"{address}/v1/models", headers=headers).status_code == 401
        headers = [(b"Authorization", b"Bearer open sesame")]
        assert httpx.get(f"{address}/metrics", headers=headers).status_code == 200


def test_metrics_count_batches_and_model_time(serve: Serve) -> None:
    with serve({"bidaf": [FakeAdversary()]}) as address:
        ask(address, "Who?", "When?")
        assert metric(address, "requests_total", outcome="ok") == 1
        assert metric(address, "batch_size_count", model="bidaf") == 2
        assert metric(address, "model_seconds_count", model="bidaf") == 2


def test_a_server_told_to_stop_answers_what_waits_and_ends_well(spawn: Spawn, tmp_path: Path) -> None:
    pipe = tmp_path / "gate"
    os.mkfifo(pipe)
    server = spawn("--member", f"m=fake:{pipe}", "--streams", "1")
    address = server.read_address()
    with pipe.open("r+b", buffering=0) as gate, ThreadPoolExecutor() as pool:
        asked = [pool.submit(ask, address, f"Who {number}?") for number in range(3)]
        wait_until(lambda: metric(address, "queries_total") == 3, "all have come")
        wait_until(lambda: metric(address, "queue_length", model="m") == 2, "two wait while one is computed")
        server.process.send_signal(signal.SIGTERM)
        gate.write(b"xxx")
        assert [future.result().status_code for future in asked] == [200, 200, 200]
    assert server.end() == 0


def test_by_default_a_cpu_has_a_stream_for_each_core_and_a_gpu_one() -> None:
    cores = len(os.sched_getaffinity(0))
    assert default_streams(LoadOptions()) == cores
    assert default_streams(LoadOptions(threads=cores)) == 1
    assert default_streams(LoadOptions(threads=10 * cores)) == 1
    assert default_streams(LoadOptions(device="cuda")) == 1


def test_a_server_answers_as_many_questions_at_once_as_it_was_told_to(spawn: Spawn, tmp_path: Path) -> None:
    """Each waits for the byte that the test writes: were there one stream, the second would never open its end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    server = spawn("--member", f"fake=fake:{pipe}", "--streams", "2")
    address = server.read_address()
    with ThreadPoolExecutor(2) as pool, pipe.open("r+b", buffering=0) as end:
        answers = [pool.submit(ask, address, question) for question in ("a?", "b?")]
        wait_until(lambda: metric(address, "queries_total") == 2, "both were taken")
        wait_until(lambda: metric(address, "queue_length") == 0, "nobody waits in line")
        end.write(b"..")
        assert [answer.result(PATIENCE_SECONDS).status_code for answer in answers] == [200, 200]


def test_a_server_takes_batches_as_large_as_it_was_told_to(spawn: Spawn, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    server = spawn("--member", f"fake=fake:{pipe}", "--batch-size", "4", "--streams", "1")
    address = server.read_address()
    with ThreadPoolExecutor(1) as pool, pipe.open("r+b", buffering=0) as end:
        answer = pool.submit(ask, address, *(f"{number}?" for number in range(4)))
        end.write(b".")
        assert answer.result(PATIENCE_SECONDS).status_code == 200
    assert (metric(address, "batch_size_count"), metric(address, "batch_size_sum")) == (1, 4)


def test_a_server_told_to_stop_while_it_loads_ends_at_once(spawn: Spawn) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    server = spawn("--member", "m=fake:loading", "--port", str(port))

    def health() -> int | None:
        with contextlib.suppress(httpx.ConnectError):
            return httpx.get(f"http://127.0.0.1:{port}/health").status_code
        return None

    wait_until(lambda: health() == 503, "it listens and says that it is not ready")
    server.process.send_signal(signal.SIGTERM)
    assert server.end() == 0


def test_an_ipv6_address_is_printed_in_brackets(spawn: Spawn) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    address = spawn("--member", "m=fake:ready", "--host", "::1").read_address()
    assert address.startswith("http://[::1]:")
    assert ask(address, "Who?").status_code == 200


def test_a_server_answers_without_the_delay_of_nagles_algorithm(spawn: Spawn) -> None:
    address = spawn("--member", "m=fake:ready").read_address()
    requests = 50
    with httpx.Client(base_url=address) as client:
        started = time.monotonic()
        for number in range(requests):
            assert client.post("/v1/predict", json=body(f"Who {number}?")).status_code == 200
    assert time.monotonic() - started < requests * 0.03  # the delay alone would be 40 ms


@pytest.mark.parametrize(("source", "reason"), [("broken", "no such weights"), ("dumb", "computes no numbers")])
def test_a_model_that_cannot_be_used_ends_the_server_with_the_reason(spawn: Spawn, source: str, reason: str) -> None:
    server = spawn("--member", f"m=fake:{source}")
    output, errors = server.process.communicate(timeout=PATIENCE_SECONDS)
    assert server.end() == 1
    assert output == ""
    assert reason in errors


def test_a_taken_port_and_a_wrong_member_are_usage_errors() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for arguments, reason in (
            (["--member", "m=onnx:x", "--port", port], "Port 0 takes a free one"),
            (["--member", "m=onnxx:x"], "Did you mean 'onnx'?"),
            (["--member", "bidaf-small"], "write name=backend:source"),
        ):
            command = [sys.executable, "-m", "beat_the_ai.adversary.server", *arguments]
            ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
            assert ended.returncode == 2
            assert reason in ended.stderr
