"""The table of votes on the works, on gold too: every vote, whether it counts or not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Generic, TypeVar

from pydantic import Field

from beat_the_ai.dataset.further import FurtherTable
from beat_the_ai.dataset.names import DISCARDED, VOTES
from beat_the_ai.dataset.placement import uncounted
from beat_the_ai.dataset.records import checked_row, pseudonym
from beat_the_ai.dataset.validation import Validation
from beat_the_ai.rules.checking import Gradual
from beat_the_ai.rules.ids import keyed_hash, short_hash
from beat_the_ai.rules.protocol import Value
from beat_the_ai.terms.campaign import BoundCampaign

UNSOUND = "unsound"  # whoever gave it does badly where the label is known

VoteT = TypeVar("VoteT", bound=Value)


class VoteRow(Value, Generic[VoteT]):
    """One person's last word on one work of a HIT."""

    assignment: str = Field(
        description="the validator's assignment, as a keyed hash, because its id would identify them"
    )
    position: int = Field(description="the work's place within the HIT, from 0")
    round: int = Field(description="the round's number, from 1")
    worker: str = Field(description="the validator's pseudonym, as in the table of attempts")
    attempt_id: str | None = Field(description="the attempt voted on; empty for gold, a work whose label is known")
    context_id: str = Field(description="the context's id, as in the table of attempts")
    vote: VoteT | None = Field(description="the validator's vote; empty on gold, to keep the gold secret")
    agrees: bool = Field(description="the vote agrees with the writer or, on gold, with the known label")
    dropped: str | None = Field(
        description="the reason why the vote does not count: not_handed_in, not_confirmed, set_aside, discarded "
        "(the validator was revoked) or unsound (the validator does badly on gold); empty if it counts"
    )
    created_at: str = Field(description="the time of the vote (ISO 8601, UTC)")


class GradualVoteRow(VoteRow[VoteT], Generic[VoteT]):
    """A vote on a work that was shown step by step; gold is what the works are compared with."""

    vote: VoteT | None = Field(description="the validator's vote, on gold as well")
    steps: int = Field(description="the number of steps of the work; the vote tells after how many it was given")
    gold: str | None = Field(description="a hash of the gold work, the same for all validators; empty for attempts")


class GoldVoteRow(Value):
    """One person's last word on gold, with the label that is known beforehand."""

    assignment: str = Field(description="as in the table of votes")
    position: int = Field(description="as in the table of votes")
    worker: str = Field(description="as in the table of votes")
    work: str = Field(description="the gold work, as JSON")
    vote: str = Field(description="the validator's vote, as JSON")


def votes(campaign: BoundCampaign, validation: Validation) -> FurtherTable:
    """Return the votes by HIT in the order in which they were given, for a kind of task that is checked.

    A vote on gold says only whether the answer was right, unless works are shown step by step.
    """
    checking = campaign.kind.checking
    assert checking is not None, "nobody is asked"
    row_type = _vote_type(checking.vote_type, isinstance(checking, Gradual))
    about = "The table of votes has every validator's vote on each work, including votes that do not count."
    return FurtherTable(VOTES, row_type, _rows(campaign, validation, row_type), about)


def gold_votes(campaign: BoundCampaign) -> list[FurtherTable]:
    """Return the table of votes on gold, which no future voter should see.

    There is none where gold is no secret, and before anybody was asked.
    """
    if campaign.kind.checking is None or isinstance(campaign.kind.checking, Gradual):
        return []
    if not campaign.store.validations.rounds_begun(campaign.id):
        return []
    return [FurtherTable("gold_votes", GoldVoteRow, _gold_rows(campaign))]


def _gold_rows(campaign: BoundCampaign) -> Iterator[Value]:
    for assignment, item, work, vote in campaign.store.validations.votes(campaign.id):
        if item.gold is not None:
            yield GoldVoteRow(
                assignment=assignment_pseudonym(assignment.id, campaign),
                position=item.position,
                worker=pseudonym(assignment.worker, campaign.record),
                work=json.dumps(work, ensure_ascii=False, sort_keys=True),
                vote=json.dumps(vote.vote, ensure_ascii=False, sort_keys=True),
            )


def assignment_pseudonym(assignment_id: str, campaign: BoundCampaign) -> str:
    """Return the stand-in of a voter's HIT, whose id tells who the voter is."""
    return f"v-{keyed_hash(assignment_id, campaign.record.pseudonym_key)}"


@lru_cache
def _vote_type(vote: type[Value], is_gradual: bool) -> type[Value]:
    return GradualVoteRow[vote] if is_gradual else VoteRow[vote]  # type: ignore[valid-type]


def _rows(campaign: BoundCampaign, validation: Validation, row_type: type[Value]) -> Iterator[Value]:
    """Raises `InvalidInput` for a stored vote that is not as its kind of task says."""
    store, kind = campaign.store, campaign.kind
    revoked = store.standings.discarded(campaign.id)
    for assignment, item, work, vote in store.validations.votes(campaign.id):
        checking = validation.checking_by_round.get(assignment.round, kind.checking)
        assert checking is not None, "a round's kind of task is the campaign's"
        dropped = uncounted(assignment)
        if dropped is None and assignment.worker in revoked:
            dropped = DISCARDED
        if dropped is None and assignment.worker in validation.unreliable.get(assignment.round, ()):
            dropped = UNSOUND
        fields = {
            "assignment": assignment_pseudonym(assignment.id, campaign),
            "position": item.position,
            "round": assignment.round,
            "worker": pseudonym(assignment.worker, campaign.record),
            "attempt_id": item.attempt_id,
            "context_id": item.context_id,
            "vote": vote.vote if item.attempt_id is not None or isinstance(checking, Gradual) else None,
            "agrees": checking.agree(checking.vote_label(vote.vote), checking.author_label(work)),
            "dropped": dropped,
            "created_at": vote.created_at.isoformat(),
        }
        if isinstance(checking, Gradual):
            gold = None if item.gold is None else short_hash(checking.identity(item.gold))
            fields |= {"steps": checking.steps(work), "gold": gold}
        yield checked_row(row_type, fields, f"The vote on item {item.position} of {assignment.id}", kind)
