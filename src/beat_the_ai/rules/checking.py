"""Checking: what other people are asked about a work, and by which rules their votes are counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from beat_the_ai.rules.adjudication import Adjudication, Label, Outcome
from beat_the_ai.rules.protocol import Context, Value
from beat_the_ai.statistics.figure import Figure


@dataclass(frozen=True)
class CheckingText:
    """The text of a report about checked works. Sentences, but for the first two."""

    title: str
    kept: str
    meaning: str
    performance: str
    discarded: str = "too little of what others have checked was kept"


class Checking(Protocol):
    """The rules of one kind of task."""

    @property
    def text(self) -> CheckingText: ...

    @property
    def vote_type(self) -> type[Value]: ...

    @property
    def most_votes(self) -> int:
        """More votes are never asked for about one work."""

    @property
    def min_gold_accuracy(self) -> float:
        """The share of works with known labels that a validator must get right for their votes to count."""

    def shown(self, work: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the fields of a stored work that a validator may see: never the writer's answer or label."""

    def read_vote(self, payload: object, context: Context) -> Value:
        """A validator's vote, checked. Raises `InvalidInput` when it breaks a rule."""

    def author_label(self, work: Mapping[str, Any]) -> str:
        """Return the label of a stored work's author, in the form of a vote's label."""

    def model_label(self, prediction: Mapping[str, Any]) -> Label:
        """Return the label of the model's prediction."""

    def vote_label(self, vote: Mapping[str, Any]) -> Label:
        """Return the label of a stored vote."""

    def read_labels(self, author: Label, model: Label, votes: Sequence[Label]) -> tuple[Label, Label, Sequence[Label]]:
        """Return labels as people write them in files. Raises `InvalidInput` for what is no label."""

    def references(self, context: Context) -> Sequence[Mapping[str, Any]]:
        """Works on a context whose labels are known beforehand, gold for watching validators; perhaps none."""

    def identity(self, work: Mapping[str, Any]) -> str:
        """Return the identity of a work on its context, whoever wrote it."""

    def agree(self, vote: Label, author: str) -> bool:
        """Return whether a vote has the author's label."""

    def adjudicate(self, author: Label, model: Label, votes: Sequence[Label]) -> Adjudication:
        """Return the result of these votes. Their order makes no difference.

        The author of a work from elsewhere may be None: nobody knows what they said.
        """

    def performance(self, outcomes: Sequence[Outcome], seed: int, *, adaptive: bool) -> Sequence[Figure]:
        """Return people's performance on works with votes. `adaptive`: asking stopped once a status was certain."""

    def agreement(self, outcomes: Sequence[Outcome]) -> Sequence[Figure]:
        """Return the agreement of the validators."""

    def discards(self, kept: Sequence[bool]) -> bool:
        """Return whether all work of a writer is discarded, given which of their settled works are kept."""


@runtime_checkable
class Gradual(Protocol):
    """Rules of works that are shown step by step: a vote tells after how many steps it came, and cannot be changed.

    `Checking.shown` has what is seen before the first step; of a context its title is, and nothing else. Gold is what
    the works are compared with: it is no secret, and exports have the votes on it.
    """

    def steps(self, work: Mapping[str, Any]) -> int:
        """Return the number of steps of a stored work, at least one."""

    def revealed(self, work: Mapping[str, Any], steps: int) -> Mapping[str, Any]:
        """Return what a validator sees of the work after so many steps."""

    def voted_after(self, vote: Any, steps: int) -> Value:
        """The vote, with the number of steps before it."""


@dataclass(frozen=True)
class Ballot:
    """A vote that counts, as it was stored, and the stored work that it is on; `is_gold`: one with a known label."""

    validator: str
    work: Mapping[str, Any]
    vote: Mapping[str, Any]
    is_gold: bool
