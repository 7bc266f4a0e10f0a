"""Watching a training: its looks at the development part, and when it is to stop."""

from __future__ import annotations

from collections.abc import Callable

from beat_the_ai.networks.progress import Look, Observer, Step


class Looks(Observer):
    """Puts looks into a list, and stops a run once `stopping` says so."""

    def __init__(self, seen: list[Look], stopping: Callable[[], bool] = lambda: False) -> None:
        self._seen, self._stopping = seen, stopping
        self.steps: list[Step] = []

    def stepped(self, step: Step) -> None:
        self.steps.append(step)

    def looked(self, look: Look) -> None:
        self._seen.append(look)

    def stopped(self) -> bool:
        return self._stopping()
