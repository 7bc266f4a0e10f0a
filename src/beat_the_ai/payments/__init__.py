"""Money: bonus rules, fees, the cap, the write-ahead ledger, the payer, statements. Everything is in US cents."""

from beat_the_ai.payments.cap import (
    Cap,
    Exposure,
    check_launch,
    exposure,
    open_rewards,
    spent_on_models_cents,
)
from beat_the_ai.payments.earnings import Earnings, earnings_of, page_earnings
from beat_the_ai.payments.gateway import PaymentGateway
from beat_the_ai.payments.held_back import Cause, HeldBack, held_back
from beat_the_ai.payments.key import PaymentKey
from beat_the_ai.payments.ledger import Ledger
from beat_the_ai.payments.owed import Owed, PaidWork, cost_if_paid, owed_by
from beat_the_ai.payments.payer import Payer, Plan, plan
from beat_the_ai.payments.payment import Payment, State
from beat_the_ai.payments.statement import Hourly, Line, Statement, hourly, statements
from beat_the_ai.payments.wages import Wage, hourly_rates, wages

__all__ = [
    "Cap",
    "Cause",
    "Earnings",
    "Exposure",
    "HeldBack",
    "Hourly",
    "Ledger",
    "Line",
    "Owed",
    "PaidWork",
    "Payer",
    "Payment",
    "PaymentGateway",
    "PaymentKey",
    "Plan",
    "State",
    "Statement",
    "Wage",
    "check_launch",
    "cost_if_paid",
    "earnings_of",
    "exposure",
    "held_back",
    "hourly",
    "hourly_rates",
    "open_rewards",
    "owed_by",
    "page_earnings",
    "plan",
    "spent_on_models_cents",
    "statements",
    "wages",
]
