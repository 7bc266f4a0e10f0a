"""Simulated reviewers: they judge sampled HITs as a person would who knows how good each writer is."""

from __future__ import annotations

import random
from collections.abc import Mapping

from beat_the_ai.workforce import Reviewing

REASON = "a simulated reviewer would not accept these questions"


class SimulatedReviewer:
    """Accepts a worker's HITs at the worker's own rate; whether one passes depends on the seed and the HIT alone."""

    def __init__(self, name: str, pass_rates: Mapping[str, float], seed: int) -> None:
        self._name = name
        self._pass_rates = pass_rates
        self._seed = seed

    def passes(self, worker: str, assignment_id: str) -> bool:
        chance = random.Random(f"review/{self._seed}/{assignment_id}")  # noqa: S311  # a simulation, not a secret
        return chance.random() < self._pass_rates[worker]

    def review(self, reviewing: Reviewing) -> int:
        """Judge all of the sample that this reviewer has not judged. Returns how many HITs that was."""
        waiting = [sampled.assignment for sampled in reviewing.queue(self._name) if sampled.mine is None]
        for one in waiting:
            if self.passes(one.worker, one.id):
                reviewing.accept(one.id, self._name)
            else:
                reviewing.reject(one.id, self._name, REASON)
        return len(waiting)
