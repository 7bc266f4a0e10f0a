"""The progress of a training, its observers, and the figure that decides which weights are the best."""

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
    """A step of the optimiser: the share of the run that is done, 0 to 1, and the time that it has taken."""

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
    """An observer of a run, which may stop it. This one lets it run and says nothing."""

    def prepared(self, done: int, total: int) -> None:
        """So many examples of all are ready."""

    def stepped(self, step: Step) -> None:
        """After the first step, and from then on every ten seconds."""

    def looked(self, look: Look) -> None:
        """After each look at the development part."""

    def stopped(self) -> bool:
        """Return whether to stop the run and keep it for a later time; asked at every step."""
        return False


@dataclass(frozen=True)
class Deciding:
    """The figure that says which of several looks is the best."""

    figure: str
    more_is_better: bool

    def prefers(self, look: Look, other: Look | None) -> bool:
        """Return whether the look is better than the other one, or the only one."""
        if other is None:
            return True
        mine, theirs = look.figures[self.figure], other.figures[self.figure]
        return mine > theirs if self.more_is_better else mine < theirs


@dataclass(frozen=True)
class Trained:
    """The best weights of a run (a file or a folder), and their figures on the development part."""

    weights: Path
    best: Look


class Clock:
    """The clock of a run, which continues from the seconds taken so far; it says when to report steps."""

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
