"""The models that one server holds: for each its streams, its cache, and its types.

This is the server without HTTP. It runs in one event loop; only the streams inside the schedulers are threads.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import anyio
from pydantic import ValidationError

from beat_the_ai.adversary.cache import AnswerCache
from beat_the_ai.adversary.metrics import Metrics
from beat_the_ai.adversary.protocol import Adversary, Billed, Explains, ModelIdentity
from beat_the_ai.adversary.scheduler import Answer, NotReady, Scheduler
from beat_the_ai.adversary.wire import PredictRequest, Reply
from beat_the_ai.errors import AdversaryBusy, AdversaryError, InvalidInput, UnknownName
from beat_the_ai.rules.protocol import Value

EXAMPLE, EXAMINER = "Rome was not built in a day.", "health"
LOOK_SECONDS = 0.05  # between two looks whether anybody has been answered
# Of a call of the model, by device: on a CPU batches bring little.
BATCH_SIZE = {"cpu": 1, "cuda": 32}


@dataclass(frozen=True)
class Limits:
    """The limits of a server: per model `queue_capacity` queries wait and `cache_capacity` answers are kept.

    A request is answered or refused within `deadline_seconds`. A stopping server finishes what it can within
    `grace_seconds`. Batches are for a GPU: up to `batch_size` queries, gathered for `batch_wait_seconds`.
    """

    queue_capacity: int = 256
    cache_capacity: int = 4096
    deadline_seconds: float = 20.0
    grace_seconds: float = 10.0
    batch_size: int = 1
    batch_wait_seconds: float = 0.002


class ServedModel:
    """One model by its name on this server: `adversaries` are its loaded instances, one per stream."""

    def __init__(self, name: str, adversaries: Sequence[Adversary[Any, Any]], limits: Limits, metrics: Metrics) -> None:
        self.name = name
        self.identity: ModelIdentity = adversaries[0].identity
        query_type: type[Value] = adversaries[0].query_type
        self.query_fields = sorted(query_type.model_fields)
        self.explains = isinstance(adversaries[0], Explains)
        self.prices = adversaries[0].prices if isinstance(adversaries[0], Billed) else None
        self.request_type: type[PredictRequest[Any]] = PredictRequest[query_type]  # type: ignore[valid-type]
        self._cache: AnswerCache[bytes, Answer[Any]] = AnswerCache(limits.cache_capacity)
        self._metrics = metrics
        self._example = _example(adversaries[0])
        self._answered = 0
        observe = metrics.batch_observer(name)

        def on_batch(size: int, seconds: float) -> None:
            self._answered += size
            observe(size, seconds)

        self.scheduler: Scheduler[Any, Any] = Scheduler(
            adversaries,
            capacity=limits.queue_capacity,
            batch_size=1 if isinstance(adversaries[0], Billed) else limits.batch_size,  # each answer is a call
            batch_wait_seconds=limits.batch_wait_seconds,
            on_batch=on_batch,
        )
        metrics.watch_queue(name, lambda: self.scheduler.waiting)

    async def answer(self, request: PredictRequest[Any]) -> Reply[Any]:
        """All predictions of a request. The first failure fails the whole and takes the rest out of the line.

        Raises `InvalidInput` where explanations are asked of a model that gives none.
        """
        if request.explain and not self.explains:
            raise InvalidInput(
                "explain", f"The model {self.name!r} does not say which words it went by. Ask it without explain."
            )
        asked = [self._ask(query, request) for query in request.queries]
        try:
            answers = await asyncio.gather(*(answer for answer, _ in asked))
        finally:
            for answer, _ in asked:
                answer.cancel()
        explanations = [answer.explanation for answer in answers if answer.explanation is not None]
        new = [answer.result() for answer, found in asked if not found]
        return Reply(
            self.identity,
            [answer.prediction for answer in answers],
            sum((answer.model_seconds for answer in new), 0.0),
            sum(answer.microcents for answer in new),
            explanations if request.explain else None,
        )

    async def check(self, seconds: float) -> None:
        """Ask the model an example, past what is remembered, unless that costs money.

        Raises `AdversaryError` when it fails at it, or has answered nobody within `seconds`, also while its line is
        full.
        """
        if self._example is None:
            return
        before = self._answered
        try:
            with anyio.fail_after(seconds):
                try:
                    await asyncio.wrap_future(self.scheduler.submit(self._example, EXAMINER))
                except NotReady:
                    return
                except AdversaryBusy:
                    while self._answered == before:
                        await anyio.sleep(LOOK_SECONDS)
        except TimeoutError:
            if self._answered == before:
                raise AdversaryError(f"The model {self.name!r} has answered nobody for {seconds:g} seconds.") from None

    def _ask(self, query: Value, request: PredictRequest[Any]) -> tuple[asyncio.Future[Answer[Any]], bool]:
        explained, requester = request.explain, request.requester or ""
        key = hashlib.blake2b(query.model_dump_json().encode(), digest_size=16, person=bytes([explained])).digest()
        answer, found = self._cache.get(
            key, lambda: self.scheduler.submit(query, requester, explained=explained, patient=request.patient)
        )
        if found and not request.patient and (flight := self._cache.flight(key)) is not None:
            self.scheduler.hurry(flight)
        self._metrics.count_query(self.name, cached=found)
        return answer, found


class Service:
    """The models of a server. The service is `loading` until `start` is called and `stopping` from `stop` on."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.metrics = Metrics()
        self.state: Literal["loading", "ready", "stopping"] = "loading"
        self.models: dict[str, ServedModel] = {}

    def start(self, loaded: Mapping[str, Sequence[Adversary[Any, Any]]]) -> None:
        """Serve these models: for each name the instances that were loaded, one per stream."""
        self.models = {
            name: ServedModel(name, adversaries, self.limits, self.metrics) for name, adversaries in loaded.items()
        }
        self.state = "ready"

    def model(self, name: str | None) -> ServedModel:
        """The model of that name, or the only one. Raises `UnknownName`, or `NotReady` outside `ready`."""
        if self.state != "ready":
            raise NotReady(f"The AI is {self.state}. Please try again in a moment.")
        if name is None and len(self.models) == 1:
            return next(iter(self.models.values()))
        if name is None:
            raise InvalidInput("model", f"This server has several models; name one of {', '.join(self.models)}.")
        if name not in self.models:
            raise UnknownName("model", name, self.models)
        return self.models[name]

    async def check(self) -> None:
        """Ask every model an example, at once. Raises `AdversaryError` for one that does not answer in time."""
        await asyncio.gather(*(model.check(self.limits.deadline_seconds) for model in self.models.values()))

    async def stop(self) -> None:
        """Take nothing more and finish what waits, all models at once, within the grace time."""
        self.state = "stopping"
        stops = [asyncio.to_thread(m.scheduler.stop, self.limits.grace_seconds) for m in self.models.values()]
        await asyncio.gather(*stops)


def answer_example(model: Adversary[Any, Any]) -> None:
    """Before it is asked by anybody. Raises `AdversaryError` for a model that does not answer."""
    example = _example(model)
    if example is not None:
        model.predict([example])


def _example(model: Adversary[Any, Any]) -> Value | None:
    """The same text in every field that has to be there.

    None for queries that want more than texts, and for a model whose answers may cost money.
    """
    query_type: type[Value] = model.query_type
    required = [name for name, field in query_type.model_fields.items() if field.is_required()]
    try:
        return None if isinstance(model, Billed) else query_type(**dict.fromkeys(required, EXAMPLE))
    except ValidationError:
        return None
