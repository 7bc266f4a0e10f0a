"""A model that somebody else serves, asked as one that is loaded here."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler

import pytest

from beat_the_ai.adversary.answers import BATCH, at_once
from beat_the_ai.adversary.served import ServedModel
from beat_the_ai.adversary.service import Limits
from beat_the_ai.errors import AdversaryError, InvalidInput, UnknownName
from beat_the_ai.kinds.nli.labels import Pair
from beat_the_ai.kinds.nli.labels import Prediction as LabelPrediction
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from tests.adversary.conftest import Serve
from tests.adversary.fakes import FakeAdversary, query
from tests.adversary.test_client import Quiet, Serving

IDENTITY = {"name": "m", "task": "reading_comprehension", "hash": "0" * 64, "precision": "fp32"}
LISTED = json.dumps({"models": [{"name": "m", "model": IDENTITY, "query": ["context", "question"]}]}).encode()
ANSWERED = json.dumps(
    {"model": IDENTITY, "predictions": [{"text": "476", "start": 13, "score": 0.5}], "model_seconds": 0.1}
).encode()

Answer = Callable[[BaseHTTPRequestHandler, threading.Event], None]


def sends(content: bytes) -> Answer:
    def answer(handler: BaseHTTPRequestHandler, _ended: threading.Event) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def stalls(_handler: BaseHTTPRequestHandler, ended: threading.Event) -> None:
    ended.wait()


def floods(handler: BaseHTTPRequestHandler, ended: threading.Event) -> None:
    handler.send_response(200)
    handler.end_headers()
    with suppress(OSError):
        while not ended.is_set():
            handler.wfile.write(b" " * 1_000_000)


@contextmanager
def serving(listed: Answer, answered: Answer) -> Iterator[str]:
    """A real server that lists and answers in these ways, at `address#m`."""
    ended = threading.Event()

    class Handler(Quiet, BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            listed(self, ended)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            answered(self, ended)

    with Serving(Handler) as address:
        try:
            yield f"{address}#m"
        finally:
            ended.set()


RUBBISH = [b"", b"<html>", b"[]", b'{"models": 1}', b'{"models": [{}]}', b"[" * 100_000]


@pytest.mark.parametrize("listed", [stalls, floods, *map(sends, RUBBISH)])
def test_a_server_that_does_not_tell_what_it_has_is_an_error_before_anything_is_asked(listed: Answer) -> None:
    with (
        serving(listed, sends(ANSWERED)) as address,
        pytest.raises(AdversaryError, match=r"http://127\.0\.0\.1:\d+ does not list its models"),
    ):
        ServedModel(address, Query, Prediction, timeout_seconds=2)


ANOTHER = ANSWERED.replace(b"0" * 64, b"1" * 64)


@pytest.mark.parametrize(
    ("answered", "told"),
    [
        *((answer, "gave no answer that can be used") for answer in (stalls, floods, *map(sends, RUBBISH))),
        (sends(ANOTHER), "has another model 'm' now"),
    ],
)
def test_a_server_that_gives_no_answers_is_an_error(answered: Answer, told: str) -> None:
    with (
        serving(sends(LISTED), answered) as address,
        ServedModel(address, Query, Prediction, timeout_seconds=2) as model,
        pytest.raises(AdversaryError, match=told),
    ):
        model.predict([query("When?")])


def test_it_answers_as_the_model_does_in_as_many_requests_as_that_takes(serve: Serve) -> None:
    fake = FakeAdversary()
    questions = [f"Who {number}?" for number in range(100)]
    long = [query("Which?", context="a" * 9_000)] * 5
    with serve({"m": [fake]}) as address, ServedModel(f"{address}#m", Query, Prediction) as model:
        assert model.identity == fake.identity
        assert [each.text for each in model.predict([query(each) for each in questions])] == questions
        assert [each.text for each in model.predict(long)] == ["Which?"] * 5
        assert model.predict([]) == []


def test_a_model_that_is_not_there_or_of_another_kind_is_wrong_usage(serve: Serve) -> None:
    with serve({"m": [FakeAdversary()]}) as address:
        with pytest.raises(UnknownName, match=r"Unknown model 'n'\. Available: m"):
            ServedModel(f"{address}#n", Query, Prediction)
        with pytest.raises(InvalidInput, match="asked with context, question, and this kind of task asks with"):
            ServedModel(f"{address}#m", Pair, LabelPrediction)
        with pytest.raises(InvalidInput, match="names no model"):
            ServedModel(address, Query, Prediction)
    with pytest.raises(InvalidInput, match="is no address"):
        ServedModel("http://[#m", Query, Prediction)


class SlowAdversary(FakeAdversary):
    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        time.sleep(0.05 * len(queries))
        return super().predict(queries)


def test_a_server_that_has_no_time_for_all_is_asked_about_fewer_at_once(serve: Serve) -> None:
    questions = [f"Who {number}?" for number in range(40)]
    slow = {"m": [SlowAdversary()]}
    with (
        serve(slow, Limits(grace_seconds=0.2, deadline_seconds=1)) as address,
        ServedModel(f"{address}#m", Query, Prediction) as model,
    ):
        assert [each.text for each in model.predict([query(each) for each in questions])] == questions


def test_a_served_model_that_costs_nothing_is_asked_in_batches_where_it_is_measured(serve: Serve) -> None:
    """It could say what it charges, as every served model can; only one that does is asked one by one."""
    with serve({"m": [FakeAdversary()]}) as address, ServedModel(f"{address}#m", Query, Prediction) as model:
        assert model.prices is None
        assert at_once(model) == BATCH
