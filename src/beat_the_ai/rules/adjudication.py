"""From votes to a final status: what every kind of task has in common when other people check what was written.

A label is what the author gave and what a validator votes for: an answer's text in reading comprehension, None where a
validator says that there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

OPEN = "open"

Label = str | None


@dataclass(frozen=True)
class Adjudication:
    """Where an example stands.

    `label` is the final one, None as long as there is none or if there will be none. At least `votes_needed` more votes
    are wanted. `settled`: no further vote can change the status.
    """

    status: str
    label: Label
    votes_needed: int
    settled: bool


class Adjudicator(Protocol):
    """The rules of one kind of task."""

    @property
    def kept(self) -> frozenset[str]:
        """The statuses of examples that go into a dataset."""

    @property
    def min_gold_accuracy(self) -> float:
        """The share of questions with known answers that a validator must get right for their votes to count."""

    def agree(self, vote: Label, author: str) -> bool:
        """Whether a vote says what the author says."""

    def adjudicate(self, author: str, votes: Sequence[Label]) -> Adjudication:
        """The status that these votes give; the order in which they came makes no difference."""
