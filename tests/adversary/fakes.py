"""A model that does what a test tells it: wait at a gate, fail on cue, remember what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from beat_the_ai.adversary.protocol import Explanation, LoadOptions, ModelIdentity, WordWeight
from beat_the_ai.adversary.service import EXAMPLE
from beat_the_ai.errors import AdversaryError
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query

PATIENCE_SECONDS = 60.0


def query(question: str, context: str = "Rome fell.") -> Query:
    return Query(context=context, question=question)


class FakeAdversary:
    """Answers with the question itself; a question that begins with "fail" raises.

    `entered` is released once per call of the model; with `closed=True` a call then waits until `gate` is set.
    """

    query_type = Query

    def __init__(self, name: str = "fake", closed: bool = False) -> None:
        self.identity = ModelIdentity(name, "reading_comprehension", "0" * 64, "fp32")
        self.batches: list[list[str]] = []
        self.entered = threading.Semaphore(0)
        self.gate = threading.Event()
        if not closed:
            self.gate.set()

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        self.batches.append([query.question for query in queries])
        self.entered.release()
        if not self.gate.wait(PATIENCE_SECONDS):
            raise TimeoutError("the test never opened the gate")
        if any(query.question.startswith("fail") for query in queries):
            raise RuntimeError("secret internals")
        return [Prediction(text=query.question, start=0, score=0.5) for query in queries]

    def wait_until_entered(self) -> None:
        assert self.entered.acquire(timeout=PATIENCE_SECONDS)


class ExplainingAdversary(FakeAdversary):
    """Says of each query that it went by its question alone."""

    def explain(self, queries: Sequence[Query]) -> list[tuple[Prediction, Explanation]]:
        return [(prediction, _because(prediction.text)) for prediction in self.predict(queries)]


def _because(question: str) -> Explanation:
    return Explanation(method="fake", fields={"question": [WordWeight(start=0, end=len(question), weight=1.0)]})


class DumbAdversary(FakeAdversary):
    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        raise AdversaryError("The network computes no numbers.")


class PipedAdversary(FakeAdversary):
    """For a model in another process: each call waits for one byte from a named pipe, but for the example."""

    def __init__(self, pipe: str) -> None:
        super().__init__("piped")
        self._pipe = pipe

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        if queries[0].question == EXAMPLE:  # while it is loaded
            return super().predict(queries)
        with open(self._pipe, "rb", buffering=0) as pipe:  # noqa: PTH123 - blocks until the test opens its end
            assert pipe.read(1)
        return super().predict(queries)


def load(source: str, options: LoadOptions) -> FakeAdversary:
    """The backend `fake`: `fake:ready`, `fake:broken`, `fake:loading` (for ever), `fake:dumb` (answers nothing), or
    `fake:<path of a named pipe>`.
    """
    if source == "loading":
        threading.Event().wait()
    if source == "broken":
        raise RuntimeError("no such weights")
    if source == "dumb":
        return DumbAdversary()
    return FakeAdversary("fake") if source == "ready" else PipedAdversary(source)


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """For what only another process or thread can say, and says only when asked."""
    waited = threading.Event()
    for _ in range(int(PATIENCE_SECONDS / 0.01)):
        if condition():
            return
        waited.wait(0.01)
    raise AssertionError(f"never happened: {what}")
