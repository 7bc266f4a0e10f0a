"""The records of HITs on hold that the reviewers' page is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from beat_the_ai.campaign.money.on_hold import explained
from beat_the_ai.payments import cost_if_paid
from beat_the_ai.review.held import HeldHit as Held
from beat_the_ai.rules.protocol import Moment, View
from beat_the_ai.terms.rejections import MOST_CHARS
from beat_the_ai.terms.rejections import RejectionTerms as Rejections


class PayDecision(View):
    """A lead's decision on a HIT on hold. `category` is the crowd's name for a kind of rejection."""

    pays: bool
    by: str
    reason: str
    category: str | None


class HeldHit(View):
    """A HIT that is not paid by itself. `cents` is what it costs if it is paid, with fees."""

    assignment: str
    worker: str
    work: Literal["writing", "validation"]
    why: str
    accepted_at: Moment
    submitted_at: Moment | None
    cents: int
    decision: PayDecision | None

    @classmethod
    def of(cls, held: Held) -> HeldHit:
        one, assignment = held.work, held.work.assignment
        return cls(
            assignment=assignment.id,
            worker=assignment.worker,
            work="validation" if assignment.is_validation else "writing",
            why=explained(one.cause, one.reason),
            accepted_at=assignment.accepted_at,
            submitted_at=assignment.submitted_at,
            cents=cost_if_paid(held.campaign, [one]),
            decision=None if one.decision is None else PayDecision.model_validate(one.decision),
        )


class RejectionCategory(View):
    """A kind of rejection, by the crowd's name for it and in words."""

    name: str
    words: str


class RejectionTerms(View):
    """The reason and category that the crowd asks for to reject work."""

    min_chars: int
    most_chars: int
    categories: tuple[RejectionCategory, ...]


class HeldHits(View):
    """HITs on hold, those that nobody has decided first. `rejections` is null where the crowd asks for nothing."""

    held: tuple[HeldHit, ...]
    rejections: RejectionTerms | None

    @classmethod
    def of(cls, hits: Sequence[Held], asked: Rejections | None) -> HeldHits:
        if asked is None:
            terms = None
        else:
            named = tuple(RejectionCategory(name=name, words=words) for name, words in asked.categories.items())
            terms = RejectionTerms(min_chars=asked.min_chars, most_chars=MOST_CHARS, categories=named)
        return cls(held=tuple(HeldHit.of(one) for one in hits), rejections=terms)
