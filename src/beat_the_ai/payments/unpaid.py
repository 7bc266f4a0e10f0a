"""The assignments that may have earned something that the ledger does not have: no other has to be read."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.payments.paid_campaign import PaidCampaign
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store.attempts import written_in
from beat_the_ai.store.tables import assignments, attempts, payments, works
from beat_the_ai.store.won import DOUBTED, WON
from beat_the_ai.terms.purposes import ADMITTED_WIN, REWARD, VERIFIED_WIN, WINS, streak_purpose
from beat_the_ai.terms.tariff import Tariffs


def unpaid_assignments(campaign: PaidCampaign) -> set[str]:
    """Return ids of writing and validation; some of them may be paid in full already, or earn nothing.

    Where bonuses depend on votes, the results of the votes are settled before.
    """
    found = set(campaign.store.pay_decisions.last())
    with campaign.store.database.reading() as connection:
        for query in _queries(campaign.store.database, campaign.id, campaign.tariffs):
            found.update(connection.scalars(query))
    return found


def _queries(database: Database, campaign_id: str, tariffs: Tariffs) -> Iterator[sa.Select[tuple[str]]]:
    confirmed = sa.select(assignments.c.id).where(assignments.c.confirmed_at.is_not(None))
    written = confirmed.where(written_in(campaign_id))
    won = sa.select(sa.func.count()).where(attempts.c.assignment_id == assignments.c.id, WON)
    rules = [each.rules for tariff in tariffs.values() for each in tariff.each]

    def has(purpose: str) -> sa.ColumnElement[bool]:
        """Return whether the ledger has a payment for that purpose of an assignment."""
        paid = (payments.c.campaign_id == campaign_id, payments.c.purpose == purpose)
        whose = (assignments.c.worker, assignments.c.crowd_assignment)
        return database.is_among(whose, (payments.c.worker, payments.c.assignment), *paid)

    def has_of_attempt(prefix: str) -> sa.ColumnElement[bool]:
        """Return whether the ledger has a payment for the purpose of this prefix and an attempt's ordinal."""
        return database.is_among(
            (
                sa.literal(prefix) + sa.cast(attempts.c.ordinal, sa.String),
                assignments.c.worker,
                assignments.c.crowd_assignment,
            ),
            (payments.c.purpose, payments.c.worker, payments.c.assignment),
            payments.c.campaign_id == campaign_id,
            database.by_code_point(payments.c.purpose).between(prefix, f"{prefix}:"),  # ":" follows "9"
        )

    if any(tariff.terms.reward_cents for tariff in tariffs.values()):
        yield written.where(~has(REWARD))
    if any(rule.cents_per_win for rule in rules):
        yield written.where(~has(WINS), won.where(~DOUBTED).scalar_subquery() > 0)
        yield written.join(attempts).where(WON, DOUBTED, ~has_of_attempt(ADMITTED_WIN))
    for length in sorted({length for rule in rules for length in rule.streak_cents}):
        yield written.where(~has(streak_purpose(length)), won.scalar_subquery() >= length)
    if any(rule.cents_per_verified_win for rule in rules):
        verified = sa.select(attempts.c.assignment_id).join_from(works, attempts).join(assignments)
        is_unpaid = ~has_of_attempt(VERIFIED_WIN)
        yield verified.where(works.c.campaign_id == campaign_id, works.c.confirmed.is_(True), is_unpaid)
    if any(tariff.validation_reward_cents for tariff in tariffs.values()):
        checked = (assignments.c.campaign_id == campaign_id, assignments.c.stage == Stage.VALIDATION)
        yield confirmed.where(*checked, ~has(REWARD))
