"""A campaign as the cashier sees it."""

from __future__ import annotations

from dataclasses import dataclass

from beat_the_ai.campaign.validated import Findings, terms_by_round
from beat_the_ai.payments import (
    Cap,
    Crowd,
    HeldBack,
    Ledger,
    Owed,
    PaidWork,
    Payer,
    Plan,
    open_rewards,
    owed_by,
    plan,
    spent_on_models_cents,
)
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Campaign, Round, Store
from beat_the_ai.terms.round import RoundTerms
from beat_the_ai.terms.tariff import Tariff, Tariffs
from beat_the_ai.workforce.screening import SCREENING_OF, sample_campaign_id


@dataclass(frozen=True)
class Account:
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

    def pay(self, owed: list[Owed], crowd: Crowd) -> str | None:
        """As `Payer.pay`."""
        return Payer(self.ledger, crowd, self.cap).pay(owed)


def account(store: Store, campaign_id: str, cap_cents: int | None = None) -> Account:
    """With the pay of each round's own terms: what its workers were shown before they worked."""
    campaign = store.campaigns.get(campaign_id)
    paid = tariffs(store, campaign_id)
    cap = campaign_cap_cents(store, campaign_id) if cap_cents is None else cap_cents
    ledger = Ledger(store.database, campaign_id)
    # What is open is read before what was earned: a HIT that is confirmed meanwhile is in both then, not in neither.
    rewards_cents, held = open_rewards(store, campaign_id, paid)
    limit = Cap(cap, rewards_cents, spent_on_models_cents(store, campaign_id), _committed_beside(store, campaign))
    asks, findings = asks_for_verification(paid), Findings(store, campaign)
    if asks:
        findings.settle()  # before what is unpaid is looked for
    work = PaidWork.read_unpaid(store, campaign_id, paid)
    tried = (each.id for of_hit in work.attempts.values() for each in of_hit)
    verified = findings.verified_wins_among(tried) if asks else set()
    earned = {one.key: one for one in work.owed(verified)}
    known = ledger.known(earned)
    return Account(
        campaign_id=campaign_id,
        owed=[one for key, one in earned.items() if key not in known],
        ledger=ledger,
        cap=limit,
        held=held,
    )


def owed_to(store: Store, campaign_id: str, worker: str) -> list[Owed]:
    """Return everything that a worker has earned, paid or not; nothing where the rounds do not say what they pay."""
    campaign = store.campaigns.get(campaign_id)
    if not says_what_it_pays(store, campaign):
        return []
    paid = tariffs(store, campaign_id)
    return owed_by(store, campaign_id, paid, verified_wins_of(store, campaign, paid, worker), worker)


def says_what_it_pays(store: Store, campaign: Campaign) -> bool:
    """Return whether the terms of all rounds say what they pay; those of older versions do not."""
    return all(terms.pays for terms in terms_by_round(store, campaign).values())


def verified_wins_of(store: Store, campaign: Campaign, paid: Tariffs, worker: str) -> set[str]:
    """Return the ids of a writer's attempts that other people have confirmed; none where nothing is paid for them."""
    return Findings(store, campaign).verified_wins_of(worker) if asks_for_verification(paid) else set()


def _committed_beside(store: Store, campaign: Campaign) -> int:
    """Return the sum in the ledger of a campaign's screenings, or of a screening's campaign: they share one cap."""
    beside = campaign.config.get(SCREENING_OF) or sample_campaign_id(campaign.id)
    return sum(cents for _, cents in Ledger(store.database, str(beside)).totals().values())


def tariffs(store: Store, campaign_id: str) -> Tariffs:
    """Raises `InvalidInput` for a campaign with a round that does not say what it pays."""
    return {each.number: _tariff(store, each) for each in store.rounds.of_campaign(campaign_id)}


def _tariff(store: Store, round_: Round) -> Tariff:
    terms = RoundTerms.of(round_)
    return terms.tariff(terms.kind(store.campaigns.get(round_.campaign_id).kind_place))


def campaign_cap_cents(store: Store, campaign_id: str) -> int:
    """For all rounds together: that of the current one. Nothing may be paid where it does not tell any."""
    pay = RoundTerms.of(store.rounds.current(campaign_id)).pay
    return 0 if pay is None else pay.cap_cents


def asks_for_verification(paid: Tariffs) -> bool:
    return any(tariff.rules.ask_for_verification for tariff in paid.values())


def run_name(stage: Stage, round_number: int) -> str:
    """Return the name that tells a stage of a round from the others of its campaign."""
    return stage.value if round_number == 1 else f"{stage.value}-{round_number}"


def crowd_label(campaign: Campaign, stage: Stage, round_number: int = 1) -> str:
    """Return the label of a stage's HITs."""
    return f"{campaign.crowd_name}-{run_name(stage, round_number)}"
