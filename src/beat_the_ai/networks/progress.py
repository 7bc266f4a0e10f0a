"""How a training stands, who is told of it, and by what it is decided which weights are the best."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

STEP_SECONDS = 10.0  # between two words about a run that is not looking at its development part

Raw = TypeVar("Raw")
Ready = TypeVar("Ready")


@dataclass(frozen=True)
class Step:
    """Of the optimiser: the share of the run that is done, 0 to 1, and the time that it has taken."""

    done: float
    step: int
    seconds: float


@dataclass(frozen=True)
class Look:
    """At the development part: the share of the run that is done, mean loss since the last look, and the figures."""

    done: float
    step: int
    loss: float
    figures: Mapping[str, float]


class Observer:
    """Whoever watches a run, and may stop it. This one lets it run, and says nothing."""

    def prepared(self, done: int, total: int) -> None:
        """So many examples of all are ready."""

    def stepped(self, step: Step) -> None:
        """After the first step, and from then on every ten seconds."""

    def looked(self, look: Look) -> None:
        """After each look at the development part."""

    def stopped(self) -> bool:
        """Whether the run is to be kept as it is, to go on another time; asked at every step."""
        return False


@dataclass(frozen=True)
class Deciding:
    """The figure that says which of several looks is the best."""

    figure: str
    more_is_better: bool

    def prefers(self, look: Look, other: Look | None) -> bool:
        """Whether the look is better than the other one, or the only one."""
        if other is None:
            return True
        mine, theirs = look.figures[self.figure], other.figures[self.figure]
        return mine > theirs if self.more_is_better else mine < theirs


@dataclass(frozen=True)
class Trained:
    """Where the best weights of a run lie (a file or a folder), and how they did on the development part."""

    weights: Path
    best: Look


class Clock:
    """Of a run, going on from the seconds that it has taken so far; says when to speak about its steps."""

    def __init__(self, seconds: float) -> None:
        self._began = time.monotonic() - seconds
        self._spoke = float("-inf")

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def is_time_to_speak(self) -> bool:
        """At first, and then every ten seconds."""
        if self.seconds - self._spoke < STEP_SECONDS:
            return False
        self._spoke = self.seconds
        return True


def prepare(raw: Sequence[Raw], ready: Callable[[Raw], Ready], observer: Observer) -> Iterator[Ready]:
    """Each made ready in turn; says how it goes every ten seconds."""
    clock = Clock(0.0)
    for number, each in enumerate(raw):
        if clock.is_time_to_speak():
            observer.prepared(number, len(raw))
        yield ready(each)
