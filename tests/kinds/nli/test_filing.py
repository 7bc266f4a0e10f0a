"""What is paid and what goes into the dataset after votes: two questions, answered apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.campaign.money.payables import owed_to
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.kinds.nli.verification import Verification
from beat_the_ai.store import Campaign, Store, now, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.validation import ValidationTerms
from beat_the_ai.validation import AdjudicatedWorks, ValidationDesk
from tests.kinds.nli.premises import premise
from tests.validation.written import items, write

TARGET, MODEL, OTHER = "entailment", "neutral", "contradiction"
PREDICTION = {"label": MODEL, "probabilities": {MODEL: 0.8, TARGET: 0.1, OTHER: 0.1}}
EXPLANATION = {"label_reason": "It is so.", "model_reason": "It cannot count."}
BONUS = 50


def hypothesis(name: str, target: str) -> dict[str, Any]:
    return {"hypothesis": f"This is number {name}.", "target": target}


def campaign_in(store: Store, part: str) -> Campaign:
    """Open an NLI campaign whose one premise is in that part."""
    config = {
        "pay": {"reward_cents": 0, "bonus_cents_per_win": 0, "bonus_cents_per_verified_win": BONUS},
        "round": {
            "number": 1, "hits_per_context": 3, "max_hits": None, "wins_wanted": 1, "max_wins": 1, "max_tries": 5,
            "time_limit_seconds": 3600,
        },
        "validation": {"parts": ["train", "dev"], "terms": {"gold_per_hit": 0, "reward_cents": 0}},
        "dataset": {name: int(name == part) for name in ("train", "dev", "test")},
    }  # fmt: skip
    campaign = store.campaigns.create(Campaign("pilot", "nli", 7, "k" * 64, {}, now()), config)
    store.campaigns.offer("pilot", [premise("attic")], round_number=1, slots=3)
    return campaign


def verify(store: Store, campaign: Campaign, labels: dict[str, str]) -> None:
    terms = ValidationTerms(works_per_hit=9, gold_per_hit=0)
    desk = ValidationDesk(BoundCampaign.open(store, campaign.id), Verification(), terms)
    for worker in ("v1", "v2"):
        taken = desk.accept(f"hit of {worker}", worker, "r")
        for item in items(desk, taken.id):
            desk.vote(taken.id, item.id, "k", {"label": labels[item.attempt_id or ""]})
        desk.finish(taken.id)


@pytest.mark.parametrize("part", ["train", "dev"])
def test_an_overruled_writer_earns_no_bonus_and_what_the_model_got_right_is_filed_so(tmp_path: Path, part: str) -> None:
    store = open_store(str(tmp_path / "store.db"))
    try:
        campaign = campaign_in(store, part)
        names = {}
        for slot, label in enumerate((TARGET, MODEL, OTHER)):
            [names[label]] = write(
                store, "attic", f"writer of {label}", (TARGET,), slot=slot, work=hypothesis, prediction=PREDICTION,
                explanation=EXPLANATION, scores={"target_probability": 0.1, "margin": -0.7},
            )  # fmt: skip
        verify(store, campaign, {name: label for label, name in names.items()})
        owed = {
            label: sum(one.cents for one in owed_to(BoundCampaign.open(store, "pilot"), f"writer of {label}"))
            for label in names
        }
        with CampaignOutcomes.at_one_moment(BoundCampaign.open(store, campaign.id)) as findings:
            export_campaign(findings.placement, tmp_path / "out", ["jsonl"])
        totals = AdjudicatedWorks(BoundCampaign.open(store, campaign.id)).totals
    finally:
        store.close()
    assert owed == {TARGET: BONUS, MODEL: 0, OTHER: 0}
    assert (totals.settled, totals.kept) == (3, 2)
    rows = {row["uid"]: row for row in _lines(tmp_path / "out" / "jsonl" / f"{part}.jsonl")}
    labels = {name: (row["label"], row["model_label"]) for name, row in rows.items()}
    model_errors = {names[TARGET]: ("e", "n"), names[OTHER]: ("c", "n")}
    assert labels == {**model_errors, **({names[MODEL]: ("n", "n")} if part == "train" else {})}
    dropped = {row["attempt_id"]: row["dropped"] for row in _lines(tmp_path / "out" / "attempts.jsonl")}
    assert dropped[names[MODEL]] == (None if part == "train" else "model_right")


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
