"""A campaign as the cashier sees it, and the crowd's cash desk that belongs to it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from beat_the_ai.cli.sections import RoundTerms
from beat_the_ai.cli.validated import verified_wins
from beat_the_ai.errors import Refused
from beat_the_ai.payments import Cap, Ledger, MTurkCrowd, Owed, Payer, Tariffs, exposure, owed_by
from beat_the_ai.payments.crowd import ENDPOINTS
from beat_the_ai.store import Campaign, Store
from beat_the_ai.workforce import Stage


@dataclass(frozen=True)
class Account:
    """What a campaign has earned its workers, under which cap they are paid, and where."""

    campaign_id: str
    provider: str
    endpoint_url: str | None
    owed: list[Owed]
    ledger: Ledger
    cap: Cap

    def pay(self, owed: list[Owed], endpoint_url: str | None = None, **keys: Any) -> str | None:
        """As `Payer.pay`, at the campaign's own crowd unless another endpoint is named. `keys` are boto3.Session's."""
        known = self.endpoint_url or endpoint_url
        if known is None and self.provider not in ENDPOINTS:
            raise Refused(
                f"It is not known how the crowd {self.provider!r} of campaign {self.campaign_id!r} pays. "
                "Name its requester API with --endpoint URL."
            )
        crowd = MTurkCrowd.connect(endpoint_url or self.endpoint_url or ENDPOINTS[self.provider], **keys)
        try:
            return Payer(self.ledger, crowd, self.cap).pay(owed)
        finally:
            crowd.close()


def account(store: Store, campaign_id: str, cap_cents: int | None = None) -> Account:
    """With the pay of each round's own terms: what its workers were shown before they worked."""
    campaign = store.campaigns.get(campaign_id)
    paid = tariffs(store, campaign_id)
    cap = campaign_cap_cents(store, campaign_id) if cap_cents is None else cap_cents
    ledger = Ledger(store.database, campaign_id)
    exposed = exposure(store, campaign_id, paid, ledger.payments())
    crowd = campaign.config.get("crowd", {})
    verified = verified_wins(store, campaign) if asks_for_verification(paid) else set()
    return Account(
        campaign_id=campaign_id,
        provider=str(crowd.get("provider", "")),
        endpoint_url=crowd.get("endpoint_url"),
        owed=owed_by(store, campaign_id, paid, verified),
        ledger=ledger,
        cap=Cap(cap, exposed.open_rewards_cents),
    )


def tariffs(store: Store, campaign_id: str) -> Tariffs:
    """Raises `InvalidInput` for a campaign with a round that does not say what it pays."""
    return {each.number: RoundTerms.of(each).tariff() for each in store.rounds.of_campaign(campaign_id)}


def campaign_cap_cents(store: Store, campaign_id: str) -> int:
    """For all rounds together: that of the current one. Nothing may be paid where it does not tell any."""
    pay = RoundTerms.of(store.rounds.current(campaign_id)).pay
    return 0 if pay is None else pay.cap_cents


def asks_for_verification(paid: Tariffs) -> bool:
    return any(tariff.rules.ask_for_verification for tariff in paid.values())


def run_name(stage: Stage, round_number: int) -> str:
    """By which a stage of a round is told from others of its campaign."""
    return stage.value if round_number == 1 else f"{stage.value}-{round_number}"


def crowd_label(campaign: Campaign, stage: Stage, round_number: int = 1) -> str:
    """What its HITs are labelled with: other campaigns of this name, in other stores, keep theirs to themselves."""
    digest = hashlib.sha256(campaign.pseudonym_key.encode()).hexdigest()[:12]
    return f"{campaign.id}-{digest}-{run_name(stage, round_number)}"
