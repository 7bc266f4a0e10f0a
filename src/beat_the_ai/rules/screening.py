"""The screening of newcomers before they work: a quiz step by step, then a sample HIT.

The engine counts tries, keeps the answers and decides who has passed (`workforce.screening`). The kind of task has the
steps, their grading and what a page shows of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Protocol

from beat_the_ai.rules.protocol import Context, Json, Value


class Step(Protocol):
    """`kind` says to the page which one it is."""

    @property
    def id(self) -> str: ...

    @property
    def kind(self) -> str: ...


@dataclass(frozen=True)
class SampleHit:
    """A writing HIT on a fixed context. At least `min_attempts` are asked; beating the model is not needed to pass."""

    context: Context
    min_attempts: int
    wins_wanted: int
    max_wins: int
    max_tries: int


@dataclass(frozen=True)
class Grade:
    """`work` is what was checked: the response together with what the step gives. `scores` says how near it came."""

    work: Value
    mistake: str | None = None
    scores: Json = field(default_factory=dict)


class Quiz(Protocol):
    """A quiz, whose keys stay here. `digest` names its exact content."""

    @property
    def digest(self) -> str: ...

    @property
    def tries_per_step(self) -> int: ...

    @property
    def steps(self) -> Sequence[Step]: ...

    @property
    def sample(self) -> SampleHit: ...

    @property
    def page_config(self) -> Json:
        """Return the data that every page gets before the HIT is accepted: `page`, its name, and all that it needs."""

    def shown(self, step: str) -> Json:
        """Return what a newcomer at the step is told of it, and nothing of its key."""

    def grade(self, step: str, payload: object, earlier: Sequence[Json]) -> Grade:
        """`earlier` holds the works that were right. Raises `InvalidInput`: no try is used."""

    def explanation(self, step: str, mistake: str, number: int) -> Json:
        """Return the page's explanation of the mistake of that number, counted from 0."""

    def query(self, step: str, work: Any) -> Value | None:
        """Return the model's query about a work that was right; None where the model is not asked."""

    def evidence(self, work: Any, prediction: Any) -> Json:
        """Return what the model's answer says of the work, for reviewers."""

    def disclosure(self, evidence: Json) -> Json:
        """Return the part of the evidence that the newcomer may know."""


class Newcomers(Protocol):
    """Simulated newcomers of a quiz. What they do depends on what they are given alone."""

    def response(self, persona: str, step: str, rng: Random) -> Json:
        """To a step, by one who is good, sloppy or malicious."""

    def works(self, persona: str, brief: Json, rng: Random) -> Sequence[Json]:
        """Return the works of such a newcomer in the sample HIT, whose page shows this brief, one after the other."""


class Screening(Protocol):
    """The training and qualification of newcomers to a kind of task."""

    def load_quiz(self, path: Path) -> Quiz:
        """Raises `InvalidInput` that says where in the file and what is wrong there."""

    def newcomers(self, path: Path) -> Newcomers:
        """Return the newcomers who take the quiz in that file."""
