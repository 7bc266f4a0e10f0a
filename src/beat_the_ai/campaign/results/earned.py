"""The earnings of a campaign's work, with fees, paid or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from beat_the_ai.payments import Ledger, PaidWork, PaymentKey
from beat_the_ai.terms.campaign import BoundCampaign


def earned_cents(campaign: BoundCampaign, work: PaidWork, verified: Collection[str] = ()) -> dict[PaymentKey, int]:
    """Return the cents by payment key. What the ledger has stays earned, whatever was confirmed or admitted since.

    `verified` holds the ids of the attempts that other people have confirmed.
    """
    cents = {one.key: one.with_fee_cents for one in work.owed(verified)}
    of_work = {(each.worker, each.crowd_assignment) for each in work.assignments}
    for payment in Ledger(campaign.store.database, campaign.id).payments():
        if (payment.key.worker, payment.key.assignment) in of_work:
            cents[payment.key] = payment.with_fee_cents
    return cents


def earned_by_assignment(campaign: BoundCampaign, verified: Collection[str]) -> dict[str, int]:
    """Return the cents by assignment of writing and validation, or of sample HITs; 0 in none that is paid."""
    work = PaidWork.read(campaign)
    names = {(each.worker, each.crowd_assignment): each.id for each in work.assignments}
    found: Counter[str] = Counter()
    for key, cents in earned_cents(campaign, work, verified).items():
        found[names[key.worker, key.assignment]] += cents
    return found
