"""The table of votes on the works, on gold too: every vote, whether it counts or not."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Generic, TypeVar

from pydantic import Field

from beat_the_ai.dataset.further import FurtherTable
from beat_the_ai.dataset.placement import DISCARDED, uncounted
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

    assignment: str = Field(description="the voter's HIT, as a keyed hash: its id tells who the voter is")
    position: int = Field(description="which work of the HIT, from 0")
    round: int
    worker: str = Field(description="as in the table of attempts")
    attempt_id: str | None = Field(description="the attempt that it is about; empty for gold, whose label is known")
    context_id: str
    vote: VoteT | None = Field(description="empty on gold, so that nobody learns it from here")
    agrees: bool = Field(description="with whoever wrote the work")
    dropped: str | None = Field(
        description="why it does not count: not_handed_in, not_confirmed, set_aside, discarded (the voter was revoked) "
        "or unsound (the voter does badly on gold); empty where it does"
    )
    created_at: str = Field(description="ISO 8601, UTC")


class GradualVoteRow(VoteRow[VoteT], Generic[VoteT]):
    """A vote on a work that was shown step by step; gold is what the works are compared with."""

    vote: VoteT | None = Field(description="on gold, too")
    steps: int = Field(description="how many steps the work has; the vote says after how many it came")
    gold: str | None = Field(description="a hash of the gold work, the same for everybody; empty for what was written")


def votes(campaign: BoundCampaign, validation: Validation) -> FurtherTable:
    """Return the votes by HIT in the order in which they were given, for a kind of task that is checked.

    A vote on gold says only whether the answer was right, unless works are shown step by step.
    """
    checking = campaign.kind.checking
    assert checking is not None, "nobody is asked"
    row_type = _vote_type(checking.vote_type, isinstance(checking, Gradual))
    about = "The table of votes has what each person said of each work, those whose votes do not count, too."
    return FurtherTable("votes", row_type, _rows(campaign, validation, row_type), about)


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
            "assignment": f"v-{keyed_hash(assignment.id, campaign.record.pseudonym_key)}",
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
