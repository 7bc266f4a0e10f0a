"""The earnings and payments of each worker, and the pay by the hour. Amounts are US cents.

Working time runs from acceptance to submission, pauses included: nobody sees whether a worker at an open page is
thinking, reading or away. So the hourly pay stated here is a lower bound of what an hour of actual work brings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import quantiles

from beat_the_ai.payments.held_back import payable
from beat_the_ai.payments.owed import Owed
from beat_the_ai.payments.paid_campaign import PaidCampaign
from beat_the_ai.payments.payment import Payment, State
from beat_the_ai.store import Assignment

OWED = "owed"
SECONDS_PER_HOUR = 3600


@dataclass(frozen=True)
class Line:
    """One amount, why, and where it stands: a state of the ledger, or "owed" when it is not in there yet."""

    assignment: str
    purpose: str
    cents: int
    reason: str
    state: str


@dataclass(frozen=True)
class Hourly:
    """Cents per hour over `assignments` assignments: first quartile, median, third quartile."""

    assignments: int
    lower_cents: float
    median_cents: float
    upper_cents: float


@dataclass(frozen=True)
class Statement:
    """Everything about one worker's pay; `rates` are the cents per hour of each assignment."""

    worker: str
    lines: tuple[Line, ...]
    rates: tuple[float, ...]

    @property
    def hourly(self) -> Hourly | None:
        return hourly(self.rates)

    @property
    def paid_cents(self) -> int:
        return sum(line.cents for line in self.lines if line.state == State.CONFIRMED.value)

    @property
    def earned_cents(self) -> int:
        return sum(line.cents for line in self.lines)


def statements(
    campaign: PaidCampaign,
    owed: Iterable[Owed],
    ledger: Sequence[Payment],
    worker: str | None = None,
) -> tuple[list[Statement], Hourly | None]:
    """One statement per worker, in the order of their ids, and the hourly pay over all assignments.

    Hourly pay counts what was earned, paid out or not. An assignment without working time is left out of it. With a
    `worker` what is owed and the ledger are that worker's, too.
    """
    lines = _lines(owed, ledger)
    rates = _rates(campaign, lines, worker)
    made = [
        Statement(worker, tuple(of_worker), tuple(rates[worker]))
        for worker, of_worker in sorted(_by_worker(lines).items())
    ]
    return made, hourly([rate for of_worker in rates.values() for rate in of_worker])


def hourly(rates: Sequence[float]) -> Hourly | None:
    """Median and quartiles, the ends of the data included in their interpolation; None without data."""
    if not rates:
        return None
    cuts = quantiles(rates, n=4, method="inclusive") if len(rates) > 1 else [rates[0]] * 3
    return Hourly(len(rates), *cuts)


def _lines(owed: Iterable[Owed], ledger: Sequence[Payment]) -> dict[tuple[str, str, str], Line]:
    """Return the lines by worker, assignment and purpose; the ledger takes precedence over the calculation."""
    lines = {}
    for one in owed:
        key = one.key
        lines[key.worker, key.assignment, key.purpose] = Line(key.assignment, key.purpose, one.cents, one.reason, OWED)
    for payment in ledger:
        key = payment.key
        line = Line(key.assignment, key.purpose, payment.cents, payment.reason, payment.state.value)
        lines[key.worker, key.assignment, key.purpose] = line
    return lines


def _by_worker(lines: dict[tuple[str, str, str], Line]) -> dict[str, list[Line]]:
    found: defaultdict[str, list[Line]] = defaultdict(list)
    for (worker, _, _), line in lines.items():
        found[worker].append(line)
    return found


def _rates(
    campaign: PaidCampaign, lines: dict[tuple[str, str, str], Line], only: str | None
) -> defaultdict[str, list[float]]:
    """`{worker: cents per hour of each assignment}`, of writing and of validation."""
    earned: defaultdict[tuple[str, str], int] = defaultdict(int)
    for (worker, assignment, _), line in lines.items():
        earned[worker, assignment] += line.cents
    rates: defaultdict[str, list[float]] = defaultdict(list)
    for each in payable(campaign, only):
        seconds = _seconds(each)
        if seconds > 0:
            cents = earned[each.worker, each.crowd_assignment]
            rates[each.worker].append(cents * SECONDS_PER_HOUR / seconds)
    return rates


def _seconds(assignment: Assignment) -> float:
    """0 for one that was never handed in."""
    if assignment.submitted_at is None:
        return 0.0
    return (assignment.submitted_at - assignment.accepted_at).total_seconds()
