"""A campaign of pairs whose test part is balanced by label and genre, and what is written in it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from beat_the_ai.kinds.nli.writing import HypothesisWriting
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Attempt, Campaign, Store
from beat_the_ai.terms.campaign import BoundCampaign
from tests.store.builders import NEW_YEAR

GENRES = ("fiction", "news")
SLOTS = 3


def offered(store: Store, section: Mapping[str, object], contexts: int = 24) -> BoundCampaign:
    """Return a campaign whose contexts each have a HIT for each label."""
    campaign = store.campaigns.create(
        Campaign("pilot", "nli", 3, "k" * 32, {}, NEW_YEAR), {"dataset": {"balanced": ["test"], **section}}
    )
    made = [
        Context(f"c{number:02}", f"Text {number}.", private={"genre": GENRES[number % 2], "hypotheses": []})
        for number in range(contexts)
    ]
    brief = HypothesisWriting().brief
    store.campaigns.offer(
        campaign.id,
        made,
        round_number=1,
        slots=SLOTS,
        brief=lambda context, slot: brief(context, slot, campaign.seed),
        part_of={context.id: "test" if number % 3 else "train" for number, context in enumerate(made)},
    )
    return BoundCampaign.open(store, campaign.id)


def hits_of(campaign: BoundCampaign) -> list[str]:
    return list(campaign.store.campaigns.offered(campaign.id, 1))


def cell(campaign: BoundCampaign, hit_id: str) -> tuple[str, str, str]:
    hit = campaign.store.campaigns.hit(hit_id)
    part = campaign.store.campaigns.parts(campaign.id)[hit.context.id]
    return part, hit.brief["target"], hit.context.private["genre"]


def write(campaign: BoundCampaign, hit: str, worker: str = "w", *, wins: bool = True, hand_in: bool = True) -> None:
    store, target = campaign.store, cell(campaign, hit)[1]
    assignment, _ = store.attempts.accept(hit, worker, f"r-{hit}-{worker}", NEW_YEAR)
    attempt = Attempt(
        id=short_hash(assignment.id),
        assignment_id=assignment.id,
        key="key",
        ordinal=1,
        work={"hypothesis": "So it is.", "target": target},
        prediction={"label": target, "probabilities": {}},
        fooled=wins,
        scores={},
        member="m",
        model_name="m",
        model_hash="a" * 64,
        model_precision="fp32",
        created_at=NEW_YEAR + timedelta(seconds=9),
    )
    store.attempts.add(attempt)
    if hand_in:
        store.assignments.submit(assignment.id, None, NEW_YEAR + timedelta(minutes=1))
