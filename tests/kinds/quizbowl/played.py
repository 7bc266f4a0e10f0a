"""Questions that somebody wrote, in a store, and a desk for those who play them; no Mephisto."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

from beat_the_ai.kinds.quizbowl.playing import Playing
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Attempt, Campaign, Store, hit_id, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.validation import ValidationTerms
from beat_the_ai.validation import ValidationDesk
from tests.kinds.quizbowl.questions import CRAFTS, KILN, LOOM

YESTERDAY = datetime.now(timezone.utc) - timedelta(days=1)
REGULAR = "Potters open the door of this oven days after the fire went out. For 10 points, name this hot chamber."
WITH_REGULAR = replace(CRAFTS, private={**CRAFTS.private, "regular": [{"text": REGULAR, "answer": "Kiln"}]})
PREDICTION: dict[str, Any] = {  # of which nothing may reach a player
    "guesses": [{"page": "Secret_guess", "confidence": 1.0}],
    "rank": 2,
    "turns": [],
    "confidences": [],
    "evidence": [],
    "saliency": [],
}
WRITTEN = ((LOOM, "Loom"), (KILN, "Kiln"))


def written(store: Store, *, questions: Any = WRITTEN, contexts: Sequence[Context] = (WITH_REGULAR,)) -> Campaign:
    """A campaign with questions on the first context that beat the model, each in a HIT that was handed in."""
    campaign = store.campaigns.create(Campaign("quiz", "quizbowl", 7, "k" * 64, {}, now()))
    store.campaigns.offer("quiz", contexts, round_number=1, slots=len(questions))
    for slot, (text, page) in enumerate(questions):
        assignment = store.attempts.accept(
            hit_id("quiz", contexts[0].id, slot), f"author-{slot}", f"r{slot}", YESTERDAY
        )[0]
        attempt = Attempt(
            id=short_hash(assignment.id, 1),
            assignment_id=assignment.id,
            key="k1",
            ordinal=1,
            work={"text": text, "answer": page},
            prediction=PREDICTION,
            fooled=True,
            scores={},
            member="m1",
            model_name="fake",
            model_hash="a" * 64,
            model_precision="fp32",
            created_at=YESTERDAY,
        )
        store.attempts.add(attempt)
        store.assignments.submit(assignment.id, None, YESTERDAY)
    return campaign


def playing_desk(store: Store, campaign: Campaign, rules: Playing | None = None, **terms: Any) -> ValidationDesk:
    chosen = ValidationTerms(**{"works_per_hit": 2, "gold_per_hit": 1, **terms})
    return ValidationDesk(BoundCampaign.open(store, campaign.id), rules or Playing(), chosen)


def read(desk: ValidationDesk, assignment: str, item: str, words: int) -> str:
    """So many words, one by one; the text then."""
    shown: dict[str, Any] = {}
    for number in range(1, words + 1):
        shown = dict(desk.reveal(assignment, item, number))
    return str(shown["text"])
