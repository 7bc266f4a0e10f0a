"""Adjudication: what the votes of other people on a work come to.

A label is what the author gave and what a validator votes for: an answer's text in reading comprehension, None where a
validator says that there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.figure import Figure

OPEN = "open"

Label = str | None


class Validity(str, Enum):
    """The meaning of an adjudication for a dataset, whatever a kind of task calls it."""

    VALID = "valid"
    INVALID = "invalid"
    UNDECIDED = "undecided"


_CONFIRMED = {Validity.VALID: True, Validity.INVALID: False, Validity.UNDECIDED: None, None: None}


def is_confirmed(validity: Validity | None, admitted: bool | None) -> bool | None:
    """Return whether other people keep a work (`Trial.confirmed`), by the votes and by a reviewer's word on doubts."""
    if admitted is False:
        return False
    return _CONFIRMED[validity]


def validity(*, kept: bool, settled: bool) -> Validity:
    """Return the meaning of a status, by what `Adjudication` says of it."""
    if kept:
        return Validity.VALID
    return Validity.INVALID if settled else Validity.UNDECIDED


@dataclass(frozen=True)
class Adjudication:
    """The status of a work.

    `label` is the final one, None as long as there is none or if there will be none. At least `votes_needed` more votes
    are wanted. `settled`: no further vote can change the status. `kept`: with this status it goes into a dataset as a
    work that beat the model. `confirmed`: others say what its writer says, which earns the bonus for verified wins.
    `model_right`: the final label is the model's, so a dataset files it with what did not beat the model.
    """

    status: str
    label: Label
    votes_needed: int
    settled: bool
    kept: bool = False
    confirmed: bool = False
    model_right: bool = False

    @property
    def validity(self) -> Validity:
        return validity(kept=self.kept, settled=self.settled)


NOT_ADJUDICATED = Adjudication(OPEN, None, 0, settled=False)
"""Of a work whose votes have not been counted yet, or have changed since."""


@dataclass(frozen=True)
class Vote:
    """One validator's last word on a work; `vote` is what was stored, `label` what it says.

    One that does not count is kept all the same: the validator does badly on gold.
    """

    worker: str
    assignment_id: str
    label: Label
    vote: Mapping[str, Any]
    at: datetime
    agrees: bool
    counts: bool = True


@dataclass(frozen=True)
class Outcome:
    """A work that beat the model and counts, its adjudication, and all votes on it in the order in which they came."""

    attempt_id: str
    context_id: str
    writer: str
    work: Mapping[str, Any]
    round: int
    adjudication: Adjudication
    cast: tuple[Vote, ...] = ()

    @property
    def votes(self) -> tuple[Vote, ...]:
        """Return the votes that count."""
        return tuple(vote for vote in self.cast if vote.counts)

    @property
    def validity(self) -> Validity:
        return self.adjudication.validity


@dataclass(frozen=True)
class VoteFigures:
    """The number of votes and the agreement of validators. `gold` has the right votes on works with known labels.

    `votes_saved` were spared by stopping as soon as a status was certain.
    The votes of `excluded` validators do not count.
    """

    validators: int
    votes: int
    votes_saved: int
    gold: Clustered
    agreement: Sequence[Figure] = ()
    excluded: int = 0
