"""How the training of a model stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """Where a run stands: the share that is done, mean loss since the last report; accuracy (in percent) and loss (in
    nats) on the dev part."""

    done: float
    step: int
    loss: float
    dev_accuracy: float
    dev_loss: float

    def is_better_than(self, other: Progress, *, by_loss: bool) -> bool:
        """On the dev part, by loss, or else by accuracy."""
        return self.dev_loss < other.dev_loss if by_loss else self.dev_accuracy > other.dev_accuracy
