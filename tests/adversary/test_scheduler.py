from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any

import pytest

from beat_the_ai.adversary.scheduler import Answer, NotReady, Scheduler
from beat_the_ai.errors import AdversaryBusy, AdversaryError
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from tests.adversary.fakes import PATIENCE_SECONDS, ExplainingAdversary, FakeAdversary, query

Answers = Future[Answer[Prediction]]
Start = Callable[..., Scheduler[Query, Prediction]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a scheduler over fakes; it is stopped after the test, with all gates open."""
    started: list[tuple[Scheduler[Query, Prediction], tuple[FakeAdversary, ...]]] = []

    def starting(*fakes: FakeAdversary, capacity: int = 100, **options: Any) -> Scheduler[Query, Prediction]:
        scheduler = Scheduler[Query, Prediction](fakes, capacity=capacity, **options)
        started.append((scheduler, fakes))
        return scheduler

    yield starting
    for scheduler, fakes in started:
        for fake in fakes:
            fake.gate.set()
        scheduler.stop(PATIENCE_SECONDS)


def text(future: Answers) -> str:
    return future.result(PATIENCE_SECONDS).prediction.text


def test_every_query_gets_its_own_answer_from_several_streams(start: Start) -> None:
    fakes = [FakeAdversary(), FakeAdversary(), FakeAdversary()]
    scheduler = start(*fakes, capacity=1000)
    questions = [f"Who {number}?" for number in range(300)]
    with ThreadPoolExecutor(8) as pool:
        futures = list(pool.map(lambda question: scheduler.submit(query(question), question[-2]), questions))
    assert [text(future) for future in futures] == questions
    assert sorted(question for fake in fakes for [question] in fake.batches) == sorted(questions)


def test_streams_work_at_the_same_time(start: Start) -> None:
    fakes = [FakeAdversary(closed=True), FakeAdversary(closed=True)]
    scheduler = start(*fakes)
    futures = [scheduler.submit(query("a")), scheduler.submit(query("b"))]
    for fake in fakes:
        fake.wait_until_entered()
    for fake in fakes:
        fake.gate.set()
    assert sorted(text(future) for future in futures) == ["a", "b"]


def test_on_a_cpu_a_stream_takes_one_query_at_a_time(start: Start) -> None:
    fake = FakeAdversary(closed=True)
    scheduler = start(fake)
    futures = [scheduler.submit(query(question)) for question in "abc"]
    fake.gate.set()
    assert [text(future) for future in futures] == ["a", "b", "c"]
    assert fake.batches == [["a"], ["b"], ["c"]]


def test_what_gathers_during_a_batch_is_sorted_by_length_into_batches(start: Start) -> None:
    fake = FakeAdversary(closed=True)
    sizes: list[int] = []
    scheduler = start(fake, batch_size=2, on_batch=lambda size, seconds: sizes.append(size))
    futures = [scheduler.submit(query("first"))]
    fake.wait_until_entered()
    futures += [scheduler.submit(query(question)) for question in ["aaaa", "b", "ccccc", "dd", "eee"]]
    fake.gate.set()
    assert [text(future) for future in futures] == ["first", "aaaa", "b", "ccccc", "dd", "eee"]
    assert fake.batches == [["first"], ["b", "dd"], ["eee", "aaaa"], ["ccccc"]]
    assert sizes == [1, 2, 2, 1]


def test_a_batch_leaves_as_soon_as_it_is_full(start: Start) -> None:
    fake = FakeAdversary()
    scheduler = start(fake, batch_size=3, batch_wait_seconds=PATIENCE_SECONDS)
    futures = [scheduler.submit(query(question)) for question in "abc"]
    assert [text(future) for future in futures] == ["a", "b", "c"]
    assert fake.batches == [["a", "b", "c"]]


def test_a_batch_leaves_when_it_has_waited_long_enough(start: Start) -> None:
    fake = FakeAdversary()
    scheduler = start(fake, batch_size=3, batch_wait_seconds=0.01)
    assert text(scheduler.submit(query("a"))) == "a"
    assert fake.batches == [["a"]]


def test_a_full_queue_is_busy_and_says_when_to_come_back(start: Start) -> None:
    fake = FakeAdversary(closed=True)
    scheduler = start(fake, capacity=2)
    running = scheduler.submit(query("running"))
    fake.wait_until_entered()
    waiting = [scheduler.submit(query("a")), scheduler.submit(query("b"))]
    with pytest.raises(AdversaryBusy) as caught:
        scheduler.submit(query("c")).result(PATIENCE_SECONDS)
    assert caught.value.retry_after_seconds == pytest.approx(0.2)
    fake.gate.set()
    assert [text(future) for future in [running, *waiting]] == ["running", "a", "b"]


def test_a_flood_gives_way_to_a_requester_who_asks_little(start: Start) -> None:
    fake = FakeAdversary(closed=True)
    scheduler = start(fake, capacity=3)
    scheduler.submit(query("running"), "flood")
    fake.wait_until_entered()
    flood = [scheduler.submit(query(f"flood {number}"), "flood") for number in range(3)]
    quiet = scheduler.submit(query("quiet"), "quiet")
    with pytest.raises(AdversaryBusy):
        flood[2].result(PATIENCE_SECONDS)
    fake.gate.set()
    assert text(quiet) == "quiet"
    assert [text(future) for future in flood[:2]] == ["flood 0", "flood 1"]
    assert fake.batches == [["running"], ["flood 0"], ["quiet"], ["flood 1"]]


def test_the_patient_wait_until_somebody_else_wants_the_same(start: Start) -> None:
    fake = FakeAdversary(closed=True)
    scheduler = start(fake)
    futures = [scheduler.submit(query("running"))]
    fake.wait_until_entered()
    futures += [scheduler.submit(query(f"patient {number}"), "author", patient=True) for number in range(3)]
    futures.append(scheduler.submit(query("other"), "another"))
    scheduler.hurry(futures[2])
    scheduler.hurry(futures[0])
    fake.gate.set()
    assert [text(future) for future in futures] == ["running", "patient 0", "patient 1", "patient 2", "other"]
    assert fake.batches == [["running"], ["other"], ["patient 1"], ["patient 0"], ["patient 2"]]


def test_a_cancelled_query_is_never_computed_and_frees_its_place(start: Start) -> None:
    fake = FakeAdversary(closed=True)
    scheduler = start(fake, capacity=1)
    running = scheduler.submit(query("running"))
    fake.wait_until_entered()
    assert scheduler.submit(query("cancelled")).cancel()
    assert scheduler.waiting == 0
    instead = scheduler.submit(query("instead"))
    assert not running.cancel()
    fake.gate.set()
    assert [text(running), text(instead)] == ["running", "instead"]
    assert fake.batches == [["running"], ["instead"]]


def test_a_query_cancelled_after_it_was_taken_but_before_its_batch_is_not_computed(start: Start) -> None:
    fake = FakeAdversary(closed=True)
    futures: list[Answers] = []
    scheduler = start(fake, batch_size=2, on_batch=lambda size, seconds: futures[3].cancel() if size == 2 else None)
    futures.append(scheduler.submit(query("first")))
    fake.wait_until_entered()
    futures += [scheduler.submit(query(question)) for question in ["a", "bb", "ccc", "dddd"]]
    fake.gate.set()
    assert [text(future) for future in futures if future is not futures[3]] == ["first", "a", "bb", "dddd"]
    assert futures[3].cancelled()
    assert fake.batches == [["first"], ["a", "bb"], ["dddd"]]


def test_cancelling_while_streams_run_loses_no_other_answer(start: Start) -> None:
    scheduler = start(FakeAdversary(), FakeAdversary(), capacity=2000)
    futures = [scheduler.submit(query(f"Who {number}?"), str(number % 7)) for number in range(1000)]
    for future in futures[::2]:
        future.cancel()
    for number, future in enumerate(futures):
        try:
            assert text(future) == f"Who {number}?"
        except CancelledError:
            assert number % 2 == 0
    assert scheduler.waiting == 0


@pytest.mark.parametrize("batch_size", [1, 8])
def test_a_query_the_model_fails_on_fails_alone(start: Start, batch_size: int) -> None:
    fake = FakeAdversary(closed=True)
    scheduler = start(fake, batch_size=batch_size)
    futures = [scheduler.submit(query(question)) for question in ["running", "good", "fail", "also good"]]
    fake.gate.set()
    with pytest.raises(AdversaryError, match="could not answer this"):
        futures.pop(2).result(PATIENCE_SECONDS)
    assert [text(future) for future in futures] == ["running", "good", "also good"]
    assert text(scheduler.submit(query("afterwards"))) == "afterwards"


@pytest.mark.parametrize("explained", [False, True])
def test_a_model_that_exits_or_explains_nothing_leaves_its_stream(
    start: Start, monkeypatch: pytest.MonkeyPatch, *, explained: bool
) -> None:
    fake = ExplainingAdversary()
    scheduler = start(fake)
    with monkeypatch.context() as patch:
        patch.setattr(fake, "explain", fake.predict)
        if not explained:
            patch.setattr(fake, "predict", lambda queries: sys.exit(1))
        with pytest.raises(AdversaryError, match="could not answer this"):
            scheduler.submit(query("a"), explained=explained).result(5)
    assert text(scheduler.submit(query("afterwards"))) == "afterwards"


def test_a_batch_has_only_queries_with_an_explanation_or_only_such_without(start: Start) -> None:
    fake = ExplainingAdversary(closed=True)
    scheduler = start(fake, batch_size=4)
    futures = [scheduler.submit(query("running"))]
    fake.wait_until_entered()
    futures += [scheduler.submit(query(f"{number}?"), explained=number % 2 == 1) for number in range(4)]
    fake.gate.set()
    assert [future.result(PATIENCE_SECONDS).explanation is None for future in futures] == [
        True,
        True,
        False,
        True,
        False,
    ]
    assert fake.batches == [["running"], ["0?", "2?"], ["1?", "3?"]]


class Cramped(FakeAdversary):
    """Has room for so many characters at once, as a GPU has."""

    room = 8

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        answers = super().predict(queries)
        if sum(len(query.question) for query in queries) > self.room:
            raise MemoryError("CUDA out of memory")
        return answers


def test_a_batch_that_does_not_fit_is_halved_until_it_does(start: Start) -> None:
    fake = Cramped(closed=True)
    scheduler = start(fake, batch_size=8)
    questions = ["running", *(f"{number}?" for number in range(7)), "one that is too long"]
    futures = [scheduler.submit(query(questions[0]))]
    fake.wait_until_entered()
    futures += [scheduler.submit(query(question)) for question in questions[1:]]
    fake.gate.set()
    with pytest.raises(AdversaryError, match="could not answer this"):
        futures.pop().result(PATIENCE_SECONDS)
    assert [text(future) for future in futures] == questions[:-1]
    assert [len(batch) for batch in fake.batches] == [1, 8, 4, 4, 2, 2, 1, 1]


def test_a_model_that_answers_too_little_is_a_failure(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeAdversary()
    monkeypatch.setattr(fake, "predict", lambda queries: [])
    with pytest.raises(AdversaryError):
        start(fake).submit(query("a")).result(PATIENCE_SECONDS)


def test_stopping_finishes_what_waits_and_takes_nothing_more(start: Start) -> None:
    fake = FakeAdversary(closed=True)
    scheduler = start(fake)
    futures = [scheduler.submit(query(question)) for question in "abc"]
    fake.wait_until_entered()
    stopping = threading.Thread(target=scheduler.stop, args=(PATIENCE_SECONDS,))
    stopping.start()
    fake.gate.set()
    stopping.join(PATIENCE_SECONDS)
    assert [text(future) for future in futures] == ["a", "b", "c"]
    with pytest.raises(NotReady):
        scheduler.submit(query("d")).result(PATIENCE_SECONDS)


def test_what_is_not_done_within_the_grace_time_is_failed_not_forgotten(start: Start) -> None:
    fake = FakeAdversary(closed=True)
    scheduler = start(fake)
    running, waiting = scheduler.submit(query("running")), scheduler.submit(query("waiting"))
    fake.wait_until_entered()
    scheduler.stop(grace_seconds=0.01)
    with pytest.raises(NotReady, match="shut down before it could answer"):
        waiting.result(PATIENCE_SECONDS)
    fake.gate.set()
    assert text(running) == "running"


def test_stopping_an_idle_scheduler_ends_its_threads(start: Start) -> None:
    before = set(threading.enumerate())  # those of other tests may end meanwhile
    scheduler = start(FakeAdversary(), FakeAdversary())
    streams = set(threading.enumerate()) - before
    assert len(streams) == 2
    scheduler.stop(PATIENCE_SECONDS)
    assert not streams & set(threading.enumerate())
