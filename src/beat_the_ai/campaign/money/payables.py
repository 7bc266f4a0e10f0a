"""Payables: the debts of a campaign to its workers, and the money that it may still spend."""

from __future__ import annotations

from dataclasses import dataclass, replace

from beat_the_ai.payments import (
    Cap,
    HeldBack,
    Ledger,
    Owed,
    PaidWork,
    Payer,
    PaymentGateway,
    Plan,
    open_rewards,
    owed_by,
    plan,
    spent_on_models_cents,
)
from beat_the_ai.requester.label import MARK
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Campaign
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.tariff import Tariffs
from beat_the_ai.validation import AdjudicatedWorks


@dataclass(frozen=True)
class Payables:
    """The earnings of a campaign's workers that its ledger does not have, and the cap under which they are paid.

    `held` is what is not paid by itself.
    """

    campaign_id: str
    owed: list[Owed]
    ledger: Ledger
    cap: Cap
    held: list[HeldBack]

    def plan(self, owed: list[Owed]) -> Plan:
        return plan(owed, self.ledger, self.cap)

    def pay(self, owed: list[Owed], crowd: PaymentGateway) -> str | None:
        """As `Payer.pay`."""
        return Payer(self.ledger, crowd, self.cap).pay(owed)


def payables_of(campaign: BoundCampaign, cap_cents: int | None = None) -> Payables:
    """Return the account with the pay of each round's own terms, which its workers were shown before they worked."""
    store, paid = campaign.store, campaign.tariffs
    ledger = Ledger(store.database, campaign.id)
    # What is open is read before what was earned: a HIT that is confirmed meanwhile is in both then, not in neither.
    rewards_cents, held = open_rewards(campaign)
    cap = campaign.cap_cents if cap_cents is None else cap_cents
    limit = Cap(cap, rewards_cents, spent_on_models_cents(campaign), _committed_beside(campaign))
    asks, adjudicated = asks_for_verification(paid), AdjudicatedWorks(campaign)
    if asks:
        adjudicated.adjudicate()  # before what is unpaid is looked for
    work = PaidWork.read_unpaid(campaign)
    tried = (each.id for of_hit in work.attempts.values() for each in of_hit)
    verified = adjudicated.verified_wins_among(tried) if asks else set()
    earned = {one.key: one for one in work.owed(verified)}
    known = ledger.known(earned)
    return Payables(
        campaign_id=campaign.id,
        owed=[_told(campaign, one) for key, one in earned.items() if key not in known],
        ledger=ledger,
        cap=limit,
        held=held,
    )


def _told(campaign: BoundCampaign, one: Owed) -> Owed:
    """Return what is owed as its worker reads it. The ledger knows a payment by its key, whatever the words are."""
    return replace(one, because=campaign.told(one.because))


def owed_to(campaign: BoundCampaign, worker: str) -> list[Owed]:
    """Return everything that a worker has earned, paid or not; nothing where the rounds do not state their pay."""
    if not campaign.states_its_pay:
        return []
    return owed_by(campaign, verified_wins_of(campaign, worker), worker)


def verified_wins_of(campaign: BoundCampaign, worker: str) -> set[str]:
    """Return the ids of a writer's attempts that other people have confirmed; none where nothing is paid for them."""
    return AdjudicatedWorks(campaign).verified_wins_of(worker) if asks_for_verification(campaign.tariffs) else set()


def _committed_beside(campaign: BoundCampaign) -> int:
    """Return the sum in the ledger of a campaign's screenings, or of a screening's campaign: they share one cap."""
    return sum(cents for _, cents in Ledger(campaign.store.database, campaign.beside).totals().values())


def asks_for_verification(paid: Tariffs) -> bool:
    return any(each.rules.ask_for_verification for tariff in paid.values() for each in tariff.each)


def run_name(stage: Stage, round_number: int) -> str:
    """Return the name that tells a stage of a round from the others of its campaign."""
    return stage.value if round_number == 1 else f"{stage.value}-{round_number}"


def crowd_label(campaign: Campaign, stage: Stage, round_number: int = 1) -> str:
    """Return the label of a stage's HITs."""
    return f"{campaign.crowd_name}-{run_name(stage, round_number)}"


def annotations_prefix(campaign: Campaign) -> str:
    """Return how the annotations of all HITs of a campaign begin."""
    return f"{MARK}:{campaign.crowd_name}-"
