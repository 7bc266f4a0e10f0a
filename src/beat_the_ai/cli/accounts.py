"""A campaign as the cashier sees it, and the crowd's cash desk that belongs to it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from beat_the_ai.cli.sections import PaySection, RoundSection, terms_of, validation_of
from beat_the_ai.cli.validated import verified_wins
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.payments import Cap, Ledger, MTurkCrowd, Owed, Payer, Tariff, exposure, owed_by
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
    """With the pay of the campaign's own configuration: what its workers were shown before they worked."""
    campaign = store.campaigns.get(campaign_id)
    config = campaign.config
    paid = tariff(store, campaign_id)
    cap = PaySection.model_validate(config["pay"]).cap_cents if cap_cents is None else cap_cents
    ledger = Ledger(store.database, campaign_id)
    exposed = exposure(store, campaign_id, paid, ledger.payments())
    crowd = config.get("crowd", {})
    verified = verified_wins(store, campaign) if paid.rules.ask_for_verification else set()
    return Account(
        campaign_id=campaign_id,
        provider=str(crowd.get("provider", "")),
        endpoint_url=crowd.get("endpoint_url"),
        owed=owed_by(store, campaign_id, paid, verified),
        ledger=ledger,
        cap=Cap(cap, exposed.open_rewards_cents),
    )


def tariff(store: Store, campaign_id: str) -> Tariff:
    """Raises `InvalidInput` for a campaign whose configuration does not say what it pays."""
    campaign = store.campaigns.get(campaign_id)
    config = campaign.config
    if "pay" not in config or "round" not in config:
        raise InvalidInput("CAMPAIGN", f"Campaign {campaign_id!r} has no configuration of its pay.")
    pay = PaySection.model_validate(config["pay"])
    terms = terms_of(RoundSection.model_validate(config["round"]), pay)
    return pay.tariff(terms, validation_of(campaign).terms.reward_cents)


def crowd_label(campaign: Campaign, stage: Stage) -> str:
    """What its HITs are labelled with: other campaigns of this name, in other stores, keep theirs to themselves."""
    return f"{campaign.id}-{hashlib.sha256(campaign.pseudonym_key.encode()).hexdigest()[:12]}-{stage.value}"
