"""What a kind of task asks of newcomers before they work: a quiz step by step, then a sample HIT.

The engine counts tries, keeps what was answered and says who has passed (`workforce.screening`); what the steps are,
how they are graded and what a page shows of them is the kind's.
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
        """What every page is told before anybody accepts the HIT: `page`, its name, and whatever that needs."""

    def shown(self, step: str) -> Json:
        """What a newcomer who is at the step is told of it, and nothing of its key."""

    def grade(self, step: str, payload: object, earlier: Sequence[Json]) -> Grade:
        """`earlier` holds the works that were right. Raises `InvalidInput`: no try is used."""

    def explanation(self, step: str, mistake: str, number: int) -> Json:
        """What the page says of the mistake of that number, counted from 0."""

    def query(self, step: str, work: Any) -> Value | None:
        """What the model is asked about a work that was right; None where it is asked nothing."""

    def evidence(self, work: Any, prediction: Any) -> Json:
        """What the model's answer says of the work, for reviewers."""

    def disclosure(self, evidence: Json) -> Json:
        """What the newcomer may know of the evidence."""


class Newcomers(Protocol):
    """Simulated newcomers of a quiz. What they do depends on what they are given alone."""

    def response(self, manner: str, step: str, chance: Random) -> Json:
        """To a step, by one who is good, sloppy or malicious."""

    def works(self, manner: str, brief: Json, chance: Random) -> Sequence[Json]:
        """What such a one writes in the sample HIT, whose page shows this brief, one after the other."""


class Screening(Protocol):
    """How newcomers to a kind of task are trained and qualified."""

    def load_quiz(self, path: Path) -> Quiz:
        """Raises `InvalidInput` that says where in the file and what is wrong there."""

    def newcomers(self, path: Path) -> Newcomers:
        """Who take the quiz in that file."""
