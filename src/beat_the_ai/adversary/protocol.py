"""The model in the loop, as everything else sees it: `predict(queries) -> predictions`, and who answered.

A backend is one small file in `backends/` with a class that follows `Adversary` and a function `load(source, options)`.
Queries and predictions are the pydantic types of the kind of task (`rules/`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar, runtime_checkable

from beat_the_ai.adversary.prices import Prices
from beat_the_ai.errors import AdversaryError
from beat_the_ai.rules.protocol import Value

QueryT = TypeVar("QueryT", bound=Value)
PredictionT_co = TypeVar("PredictionT_co", bound=Value, covariant=True)


UNKNOWN_PRECISION = "unknown"


@dataclass(frozen=True)
class ModelIdentity:
    """The model that answered: recorded with every attempt, so that a verdict can be traced to exact weights.

    `hash` is the SHA-256 (hex) over the model's files; `precision` is its precision (fp32, fp16, int8 ...). For a
    language model on another server both are unknown, and the hash is over the way it is asked.
    """

    name: str
    task: str
    hash: str
    precision: str

    @property
    def label(self) -> str:
        """Return its name with the beginning of its hash, for people."""
        return f"{self.name} ({self.hash[:8]}, {self.precision})"

    @property
    def is_repeatable(self) -> bool:
        """Return whether the same query is certain to get the same answer."""
        return self.precision != UNKNOWN_PRECISION


@dataclass(frozen=True)
class LoadOptions:
    """The settings of a backend: `device` is cpu or cuda, `threads` is per stream, `precision` None for its default.

    `streams` is the number of threads that ask the model at once. All models of a process may use `memory_gib` of a
    GPU's memory; None for all that is free.
    """

    device: str = "cpu"
    threads: int = 1
    precision: str | None = None
    streams: int = 1
    memory_gib: float | None = None


class Adversary(Protocol[QueryT, PredictionT_co]):
    """A loaded model. `predict` is called by one thread at a time per instance."""

    @property
    def identity(self) -> ModelIdentity: ...

    @property
    def query_type(self) -> type[QueryT]: ...

    def predict(self, queries: Sequence[QueryT]) -> Sequence[PredictionT_co]:
        """One prediction per query, in order. Any length of input is answered; long ones are windowed, not refused."""


@runtime_checkable
class Shared(Protocol):
    """An adversary whose weights are there once for all streams."""

    def stream(self) -> Adversary[Any, Any]:
        """One more over the same weights, which another thread may ask at the same time."""


class WordWeight(Value):
    """A stretch of a field's text, in code points, and how much it spoke for the prediction; below 0 against it."""

    start: int
    end: int
    weight: float


class Explanation(Value):
    """The words on which a prediction rests: those of each field of the query, by the field's name, in order.

    The weights' absolute values sum to 1 over all fields, or are all 0. `method` names the method that found them.
    """

    method: str
    fields: dict[str, list[WordWeight]]


@runtime_checkable
class Explains(Protocol):
    """An adversary that can say which words it went by."""

    def explain(self, queries: Sequence[Any]) -> Sequence[tuple[Any, Explanation]]:
        """The predictions that `predict` gives, each with its explanation."""


class NoAnswer(AdversaryError):
    """The model was asked and has said something, and it is no answer: asked again it may say the same."""

    code = "no_answer"


class DeadlinePassed(AdversaryError):
    """There was no prediction in time; none will come."""

    code = "deadline"


@runtime_checkable
class ReadInParts(Protocol):
    """A query that takes several calls of a language model: `parts` calls, `most_parts` at most."""

    most_parts: ClassVar[int]

    @property
    def parts(self) -> int: ...


@runtime_checkable
class Billed(Protocol):
    """An adversary whose calls may cost money: `microcents` is what its last one did, in millionths of a US cent.

    `prices` is None for one that charges nothing.
    """

    microcents: int
    prices: Prices | None
