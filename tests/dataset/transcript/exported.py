"""A small campaign in which everything happens that a transcript tells, and its export."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.transcript.contents import record
from beat_the_ai.rules.ids import new_pseudonym
from beat_the_ai.store import Store, now, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from tests.validation.written import YESTERDAY, answer_all, new_campaign, new_desk, passages, write

RIGHT: dict[str, Any] = {
    "prediction": {"text": "Oxbow", "start": 28, "score": 0.5},
    "fooled": False,
    "scores": {"f1": 1.0},
}
SECTION = {"dataset": {"train": 1, "dev": 1, "test": 1}}


def exported(store_file: Path, out: Path) -> Path:
    """Write the export of a new campaign: works that beat the model or not, votes, a revocation, an erasure."""
    with closing(open_store(str(store_file))) as store:
        played(store)
        export(store, out)
    return out


def played(store: Store) -> None:
    campaign = new_campaign(store, passages(4))
    store.rounds.amend("pilot", 1, SECTION)
    made = [name for at in range(4) for name in write(store, f"mill/{at}", f"w{at}", ("1807", "Oxbow", "Dray"))]
    write(store, "mill/0", "right", ("Oxbow",), slot=1, **RIGHT)
    write(store, "mill/1", "back", ("1807",), slot=1, retracted_at=YESTERDAY)
    write(store, "mill/2", "open", ("1807",), slot=1, submitted=False)
    write(store, "mill/3", "erased", ("1807", "Oxbow"), slot=1)
    desk = new_desk(store, campaign, works_per_hit=4, gold_per_hit=1)
    for number, voter in enumerate(("v0", "v1", "v2", "v3", "erased", "w0")):
        answers = dict.fromkeys(made[number % 2 :: 2], "1807")
        for hit in range(3):
            if desk.has_work(voter):
                answer_all(desk, voter, answers, f"{voter} {hit}")
    for worker in ("w1", "v3"):
        store.standings.add("pilot", worker, "revoked", by="ann", reason="copied", at=now())
    record(BoundCampaign.open(store, "pilot"))
    assert store.erasure.erase("erased", new_pseudonym(), now())


def export(store: Store, out: Path, formats: list[str] | None = None) -> None:
    with CampaignOutcomes.recorded(BoundCampaign.open(store, "pilot")) as outcomes:
        export_campaign(outcomes.placement, out, formats)
