"""The schedule of a network's training: duration, speed and data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """A run ends with its epochs, its steps or its minutes, whichever come first, or when it gets no better.

    `batch_size` is that of a step of the optimiser. `minutes` are those of the clock: steps, and looks at the
    development part. `check_steps` lie between two looks, as `steps_between_looks` has it; after `patience` looks
    without a better one a run ends.
    """

    epochs: float
    max_steps: int | None = None
    minutes: float | None = None
    seed: int = 0
    learning_rate: float
    batch_size: int
    weight_decay: float = 0.01
    check_steps: int
    patience: int = 5
    device: str = "cpu"
    threads: int = 1
    bfloat16: bool = False  # mixed precision, which pays where the processor multiplies in it (AMX)

    def steps(self, epoch_steps: int) -> int:
        """Return the steps of the whole run, for epochs of so many."""
        steps = max(1, round(self.epochs * epoch_steps))
        return steps if self.max_steps is None else min(steps, self.max_steps)

    def steps_between_looks(self, epoch_steps: int, dev_batches: int) -> int:
        """An epoch at most, but never less than the development part has batches: looking does not take over."""
        return max(1, min(self.check_steps, epoch_steps), dev_batches)

    def share_of_time(self, seconds: float) -> float:
        return 0.0 if self.minutes is None else seconds / (60 * self.minutes)


# Settings that a run may differ in when it goes on; pretrained weights are known by a hash wherever they lie.
MACHINE = ("out", "minutes", "device", "threads", "bfloat16", "pretrained")
