"""A person's word on work that waits, at the crowd: which pays by itself in the end unless the work is rejected."""

from __future__ import annotations

from dataclasses import replace

from beat_the_ai.campaign.money.crowd import connected, has_crowd, rejections_of
from beat_the_ai.campaign.money.on_hold import on_hold_in
from beat_the_ai.campaign.money.payables import payables_of
from beat_the_ai.errors import PaymentError, Refused
from beat_the_ai.messages import said
from beat_the_ai.payments import HeldBack, Ledger
from beat_the_ai.payments.held_back import OTHER_WORK
from beat_the_ai.requester import Requester
from beat_the_ai.store import PayDecision, Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.rejections import Rejection
from beat_the_ai.workforce import Difference


def decide(
    campaign: BoundCampaign, one: HeldBack, decision: PayDecision, endpoint: str | None
) -> tuple[PayDecision, str | None]:
    """Keep a decision and make the crowd follow. Return the decision as it is kept, and what the crowd did.

    Raises `InvalidInput` for a rejection that the crowd does not take, `Refused` for what can be paid to nobody or is
    being paid already, and `PaymentError` when the decision is kept and the crowd did not follow.
    """
    _check(campaign, one, pays=decision.pays)
    terms = rejections_of(campaign)
    if terms is None or decision.pays:
        decision = replace(decision, category=None)
    else:
        rejection = terms.check(decision.reason, decision.category)
        decision = replace(decision, reason=rejection.reason, category=rejection.category)
    campaign.store.pay_decisions.add(decision)
    return decision, _settle(campaign, one, decision, endpoint)


def _check(campaign: BoundCampaign, one: HeldBack, *, pays: bool) -> None:
    if pays and one.reason in OTHER_WORK:
        raise Refused(
            f"Assignment {one.assignment.id!r} cannot be paid: {one.reason}. Paying it would approve that other work. "
            "Let it be with --withhold."
        )
    known_cents = 0 if pays else _cents_in_ledger(campaign, one)
    if known_cents:
        known = campaign.crowd.amount(known_cents)
        raise Refused(f"Too late: {known} for assignment {one.assignment.id!r} are in the ledger already.")


def _cents_in_ledger(campaign: BoundCampaign, one: HeldBack) -> int:
    payments = Ledger(campaign.store.database, campaign.id).payments(worker=one.assignment.worker)
    return sum(payment.cents for payment in payments if payment.key.assignment == one.assignment.crowd_assignment)


def _settle(campaign: BoundCampaign, one: HeldBack, decision: PayDecision, endpoint: str | None) -> str | None:
    """Make the crowd follow, where it has the work: what is not paid is rejected, and what was rejected is approved."""
    if not has_crowd(campaign, endpoint) or not _is_its_own(campaign.store, one):
        return None
    with connected(campaign, endpoint) as requester:
        try:
            name, state = one.assignment.crowd_assignment, _state(requester, one)
            if state is None:
                return None
            if not decision.pays:
                requester.reject(name, _feedback(campaign, decision))
                return "rejected"
            if state != "Rejected":
                return None
            _check_cap(campaign, one)
            requester.approve(name, override_rejection=True)
            return "approved"
        except PaymentError as error:
            raise PaymentError(
                f"It is decided here, but the crowd did not follow: {error} Run it again later."
            ) from error


def _feedback(campaign: BoundCampaign, decision: PayDecision) -> str:
    """Return what the worker reads: the reason where the crowd asked for it."""
    if decision.category is None:
        return campaign.told(said("notices.withheld"))
    return Rejection(decision.reason, decision.category).feedback


def reject_withheld(campaign: BoundCampaign, endpoint: str | None, *, mend: bool) -> list[Difference]:
    """Reject what a person has withheld and the crowd would still pay: it did not follow, or `decide` broke off."""
    store = campaign.store
    is_all_paid = all(decision.pays for decision in store.pay_decisions.last().values())
    if is_all_paid or not has_crowd(campaign, endpoint):
        return []
    withheld = [one for one in on_hold_in(campaign) if one.decision is not None and not one.decision.pays]
    with connected(campaign, endpoint) as requester:
        found = [_rejected(campaign, requester, one, mend=mend) for one in withheld if _is_its_own(store, one)]
    return [difference for difference in found if difference is not None]


def _rejected(campaign: BoundCampaign, requester: Requester, one: HeldBack, *, mend: bool) -> Difference | None:
    """None where the crowd has it rejected, or was faster."""
    assert one.decision is not None, "it is withheld"
    worker, note = one.assignment.worker, f"assignment {one.assignment.id}"
    try:
        if _state(requester, one) != "Submitted":
            return None
        if mend:
            requester.reject(one.assignment.crowd_assignment, _feedback(campaign, one.decision))
    except PaymentError as error:
        return Difference(worker, "withheld", False, f"{note}: {error}")
    return Difference(worker, "withheld", mend, note)


def _state(requester: Requester, one: HeldBack) -> str | None:
    """Return the state of the crowd's assignment; None where it has none of this worker."""
    found = requester.assignment(one.assignment.crowd_assignment)
    if found is None or found["WorkerId"] != one.assignment.worker:
        return None
    return str(found["AssignmentStatus"])


def _is_its_own(store: Store, one: HeldBack) -> bool:
    """Return whether the crowd's assignment of that name can be no other work than this one."""
    if one.assignment.counts:
        return True
    worker = one.assignment.worker
    rows = [
        row
        for name in store.campaigns.ids()
        for row in (
            *store.assignments.confirmed(name, worker=worker),
            *store.assignments.uncounted(name, worker=worker),
        )
    ]
    namesakes = sum(row.registration == one.assignment.registration for row in rows)
    return one.reason not in OTHER_WORK and namesakes == 1


def _check_cap(campaign: BoundCampaign, one: HeldBack) -> None:
    """Raises `Refused` when the reward does not fit any more."""
    payables = payables_of(campaign)
    name = one.assignment.crowd_assignment
    rewards = [owed for owed in payables.owed if owed.is_reward and owed.key.assignment == name]
    committed_cents = sum(payment.with_fee_cents for payment in payables.ledger.payments())
    if len(payables.cap.choose(rewards, committed_cents)) < len(rewards):
        raise Refused(
            f"The campaign's cap of {campaign.crowd.amount(payables.cap.cents)} leaves no room for it: pay.cap_cents."
        )
