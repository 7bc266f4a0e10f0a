"""The counters of a model server in Prometheus' text format, in a registry of its own."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

PREFIX = "beat_the_ai_adversary"
BATCH_SIZES = (1, 2, 4, 8, 16, 32, 64)
MODEL_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The counters of one server; label values are outcomes and the names of its members."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            f"{PREFIX}_requests", "Requests for predictions by outcome.", ["outcome"], registry=self._registry
        )
        self._queries = Counter(
            f"{PREFIX}_queries",
            "Queries asked, and whether the answer was there already.",
            ["model", "cached"],
            registry=self._registry,
        )
        self._waiting = Gauge(f"{PREFIX}_queue_length", "Queries that wait.", ["model"], registry=self._registry)
        self._batch_sizes = Histogram(
            f"{PREFIX}_batch_size", "Queries per batch.", ["model"], buckets=BATCH_SIZES, registry=self._registry
        )
        self._model_seconds = Histogram(
            f"{PREFIX}_model_seconds", "Time per batch.", ["model"], buckets=MODEL_SECONDS, registry=self._registry
        )

    def count_request(self, outcome: str) -> None:
        """`outcome` is ok, gone (the client left), or the code of the error."""
        self._requests.labels(outcome).inc()

    def count_query(self, model: str, cached: bool) -> None:
        self._queries.labels(model, str(cached).lower()).inc()

    def watch_queue(self, model: str, length: Callable[[], int]) -> None:
        self._waiting.labels(model).set_function(length)

    def batch_observer(self, model: str) -> Callable[[int, float], None]:
        """Return the function to which the scheduler of `model` reports its batches."""
        sizes, times = self._batch_sizes.labels(model), self._model_seconds.labels(model)

        def observe(size: int, seconds: float) -> None:
            sizes.observe(size)
            times.observe(seconds)

        return observe

    def render(self) -> bytes:
        """Everything, as a Prometheus server scrapes it."""
        return generate_latest(self._registry)
