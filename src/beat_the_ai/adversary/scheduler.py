"""The order of queries: they wait in one fair line, and streams (a thread with a loaded model each) take them.

On a CPU every stream takes one query at a time, because batches bring nothing there. On a GPU one stream takes all
waiting queries, sorts them by length to save padding, and cuts them into batches. Cancelling its future takes a waiting
query out of the line. Deadlines and clients that have left are handled that way.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import chain
from math import ceil
from typing import Generic, TypeVar

from beat_the_ai.adversary.fair_queue import FairQueue
from beat_the_ai.adversary.protocol import Adversary, Billed, Explains, Explanation
from beat_the_ai.errors import AdversaryBusy, AdversaryError
from beat_the_ai.rules.protocol import PredictionT, Value

QueryT = TypeVar("QueryT", bound=Value)
log = logging.getLogger(__name__)

BATCHES_SORTED_TOGETHER = 4
FIRST_GUESS_SECONDS = 0.1
WEIGHT_OF_LATEST = 0.1


class NotReady(AdversaryBusy):
    """The model is being loaded or shut down."""

    code = "not_ready"


@dataclass(frozen=True)
class Answer(Generic[PredictionT]):
    """A prediction, why, if that was asked, and its share of the time that its batch took, and of what that cost."""

    prediction: PredictionT
    model_seconds: float
    microcents: int = 0
    explanation: Explanation | None = None


@dataclass(eq=False)
class Job(Generic[QueryT, PredictionT]):
    """A query in line and the future that will hold its answer, with an explanation if it is to have one.

    A `patient` one waits until no other does.
    """

    query: QueryT
    requester: str
    explained: bool = False
    patient: bool = False
    future: Future[Answer[PredictionT]] = field(default_factory=Future)

    def fail(self, error: AdversaryError) -> None:
        if self.future.set_running_or_notify_cancel():
            self.future.set_exception(error)


class Scheduler(Generic[QueryT, PredictionT]):
    """One model, an instance for each stream. `on_batch(size, seconds)` is told of every call of the model."""

    def __init__(
        self,
        adversaries: Sequence[Adversary[QueryT, PredictionT]],
        *,
        capacity: int,
        batch_size: int = 1,
        batch_wait_seconds: float = 0.0,
        on_batch: Callable[[int, float], None] = lambda size, seconds: None,
    ) -> None:
        self._queue: FairQueue[Job[QueryT, PredictionT]] = FairQueue(capacity)
        self._batch_size = batch_size
        self._batch_wait_seconds = batch_wait_seconds if batch_size > 1 else 0.0
        self._on_batch = on_batch
        self._changed = threading.Condition()
        self._stopping = False
        self._seconds_each = FIRST_GUESS_SECONDS
        self._streams = [
            threading.Thread(target=self._stream, args=(adversary,), name=f"stream-{number}", daemon=True)
            for number, adversary in enumerate(adversaries)
        ]
        for stream in self._streams:
            stream.start()

    @property
    def waiting(self) -> int:
        """Return how many queries are in line."""
        return len(self._queue)

    def submit(
        self, query: QueryT, requester: str = "", *, explained: bool = False, patient: bool = False
    ) -> Future[Answer[PredictionT]]:
        """Put a query in line. The future fails with `AdversaryBusy` when there is no room, now or later."""
        job: Job[QueryT, PredictionT] = Job(query, requester, explained, patient)
        job.future.add_done_callback(lambda future: self._forget(job) if future.cancelled() else None)
        with self._changed:
            stopping = self._stopping
            turned_away = None if stopping else self._queue.put(job)
            retry_after_seconds = self._seconds_each * len(self._queue) / len(self._streams)
            self._changed.notify()
        if stopping:
            job.fail(NotReady("The AI is being shut down. Please try again in a moment."))
        if turned_away is not None:
            turned_away.fail(AdversaryBusy("The AI has too much to answer right now.", retry_after_seconds))
        return job.future

    def hurry(self, future: Future[Answer[PredictionT]]) -> None:
        """Somebody now waits for a query that was patient; nothing, if it is not in line any more."""
        with self._changed:
            job = next((job for job in self._queue.patient_entries() if job.future is future), None)
            if job is not None:
                self._queue.remove(job)
                job.patient = False
                self._queue.put(job)

    def stop(self, grace_seconds: float) -> None:
        """Take nothing more, finish what is in line within the grace time, and fail what is then left.

        A call of the model that is still running cannot be interrupted; its thread is a daemon and ends with the
        process.
        """
        deadline = time.monotonic() + grace_seconds
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        for stream in self._streams:
            stream.join(max(0.0, deadline - time.monotonic()))
        with self._changed:
            left = [self._queue.take() for _ in range(len(self._queue))]
        for job in left:
            job.fail(NotReady("The AI was shut down before it could answer. Please try again in a moment."))

    def _forget(self, job: Job[QueryT, PredictionT]) -> None:
        with self._changed:
            self._queue.remove(job)

    def _stream(self, adversary: Adversary[QueryT, PredictionT]) -> None:
        for batch in chain.from_iterable(iter(self._take, [])):
            claimed = [job for job in batch if job.future.set_running_or_notify_cancel()]
            if claimed:
                self._answer(adversary, claimed)

    def _take(self) -> list[list[Job[QueryT, PredictionT]]]:
        """Wait for work and return it as batches of similar length; none at all means that the stream is to end."""
        with self._changed:
            while not self._queue and not self._stopping:
                self._changed.wait()
                self._changed.wait_for(self._batch_is_full, self._batch_wait_seconds)
            window = self._batch_size * BATCHES_SORTED_TOGETHER if self._batch_size > 1 else 1
            jobs = [self._queue.take() for _ in range(min(window, len(self._queue)))]
            if self._queue:
                self._changed.notify()
        return list(self._batches(jobs))

    def _batch_is_full(self) -> bool:
        return self._stopping or len(self._queue) >= self._batch_size

    def _batches(self, jobs: list[Job[QueryT, PredictionT]]) -> Iterator[list[Job[QueryT, PredictionT]]]:
        jobs.sort(key=lambda job: _characters(job.query))
        for explained in (False, True):
            alike = [job for job in jobs if job.explained is explained]
            for start in range(0, len(alike), self._batch_size):
                yield alike[start : start + self._batch_size]

    def _answer(self, adversary: Adversary[QueryT, PredictionT], jobs: list[Job[QueryT, PredictionT]]) -> None:
        started = time.perf_counter()
        outcome = _outcome(adversary, jobs)
        if isinstance(outcome, AdversaryError):
            self._answer_in_halves(adversary, jobs, outcome)
            return
        seconds = time.perf_counter() - started
        microcents = ceil(adversary.microcents / len(jobs)) if isinstance(adversary, Billed) else 0
        self._note(len(jobs), seconds)
        for job, (prediction, explanation) in zip(jobs, outcome, strict=True):
            job.future.set_result(Answer(prediction, seconds / len(jobs), microcents, explanation))

    def _answer_in_halves(
        self, adversary: Adversary[QueryT, PredictionT], jobs: list[Job[QueryT, PredictionT]], error: AdversaryError
    ) -> None:
        """A batch that was too large or has a query at fault is tried in halves: in the end that one alone fails."""
        if len(jobs) == 1:
            jobs[0].future.set_exception(error)
            return
        middle = len(jobs) // 2
        for half in (jobs[:middle], jobs[middle:]):
            self._answer(adversary, half)

    def _note(self, size: int, seconds: float) -> None:
        with self._changed:
            self._seconds_each += WEIGHT_OF_LATEST * (seconds / size - self._seconds_each)
        self._on_batch(size, seconds)


def _outcome(
    adversary: Adversary[QueryT, PredictionT], jobs: Sequence[Job[QueryT, PredictionT]]
) -> Sequence[tuple[PredictionT, Explanation | None]] | AdversaryError:
    """Returned and not raised: an exception keeps alive what it was raised over, such as a GPU's memory."""
    try:
        answers = _answers(adversary, [job.query for job in jobs], explained=jobs[0].explained)
        if len(answers) != len(jobs):
            raise ValueError(f"{len(answers)} predictions for {len(jobs)} queries")
    except AdversaryError as error:
        log.warning("The model gave no answer: %s", error)
        if isinstance(adversary, Billed):
            error.microcents = adversary.microcents
        return error.with_traceback(None)
    except (Exception, SystemExit):  # whatever a model raises must not end its stream
        log.exception("The model failed on a batch of %d", len(jobs))
        return AdversaryError("The AI could not answer this.")
    return answers


def _answers(
    adversary: Adversary[QueryT, PredictionT], queries: Sequence[QueryT], *, explained: bool
) -> Sequence[tuple[PredictionT, Explanation | None]]:
    if not explained:
        return [(prediction, None) for prediction in adversary.predict(queries)]
    assert isinstance(adversary, Explains), "the service asks no other for explanations"
    return [(prediction, explanation) for prediction, explanation in adversary.explain(queries)]


def _characters(query: Value) -> int:
    return sum(len(text) for _, text in query if isinstance(text, str))
