"""Money that the requester pays people outside of the marketplace: how much is owed, and what was paid.

The marketplace's ledger says what people have earned. A payout has a reference, such as "November": the same one again
is the same payout, so that a list that is sent in twice counts once.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace import accounts as ledger
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.money import parse_cents, show_dollars
from beat_the_ai.marketplace.people.person import Person, find, list_people
from beat_the_ai.marketplace.people.roster import decoded, delimiter_of, first_of, rows_of
from beat_the_ai.marketplace.tables import accounts, payouts
from beat_the_ai.rules.amounts import show

COLUMNS = ("name", "email", "worker", "earned", "paid", "owed")
REFERENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._/-]{0,39}", re.ASCII)


@dataclass(frozen=True)
class Owed:
    """A person's earnings in cents, and how much of them was paid out."""

    person: Person
    earned_cents: int
    paid_cents: int

    @property
    def cents(self) -> int:
        return self.earned_cents - self.paid_cents


def owed(moment: Moment, group: str | None = None) -> list[Owed]:
    """Return what everybody has earned and was paid, or everybody in a group."""
    prefix = ledger.earned("")
    earned_rows = sa.select(accounts.c.name, accounts.c.cents).where(
        accounts.c.name.startswith(prefix, autoescape=True)
    )
    earned = {name.removeprefix(prefix): cents for name, cents in moment.connection.execute(earned_rows)}
    paid_rows = sa.select(payouts.c.worker_id, sa.func.sum(payouts.c.cents)).group_by(payouts.c.worker_id)
    paid = {worker_id: int(cents) for worker_id, cents in moment.connection.execute(paid_rows)}
    return [Owed(one, earned[one.worker_id], paid.get(one.worker_id, 0)) for one in list_people(moment, group)]


def paid_cents(moment: Moment, worker_id: str) -> int:
    """Return what was paid out to a worker."""
    query = sa.select(sa.func.coalesce(sa.func.sum(payouts.c.cents), 0)).filter_by(worker_id=worker_id)
    return int(moment.connection.scalars(query).one())


def as_csv(rows: Iterable[Owed]) -> str:
    """Return a table of what is owed; with the column `owed` as the amount it can be read back by `read_amounts`."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(COLUMNS)
    for one in rows:
        amounts = map(show_dollars, (one.earned_cents, one.paid_cents, one.cents))
        table.writerow((one.person.shown_name, one.person.email or "", one.person.worker_id, *amounts))
    return text.getvalue()


def read_amounts(moment: Moment, content: bytes, source: str) -> dict[str, int]:
    """Return cents by worker id from a table with the columns `worker` (id or e-mail) and `amount`, or else `owed`.

    Raises `InvalidInput` with all of its faults.
    """
    text = decoded(content, source)
    rows = rows_of(text, delimiter_of(text), source)
    columns = [cell.strip().lower() for cell in rows[0][1]] if rows else []
    amount = "amount" if "amount" in columns else "owed"
    if len(rows) < 2 or not {"worker", amount} <= set(columns):
        raise InvalidInput("list", f"{source} needs a header with worker and amount, or owed, and people below it.")
    amounts, faults = dict[str, int](), list[str]()
    for number, cells in rows[1:]:
        row = dict(zip_longest(columns, cells, fillvalue=""))
        try:
            person, cents = find(moment, row["worker"]), parse_cents(row[amount].strip().removeprefix("$"))
            if person.worker_id in amounts:
                raise InvalidInput("worker", f"{person.shown_name} is on the list twice.")
            amounts[person.worker_id] = cents
        except (InvalidInput, Refused, ValueError) as error:
            faults.append(f"line {number}: {error}")
    if faults:
        raise InvalidInput("list", f"{source}: nothing was noted. {first_of(faults)}")
    return {worker_id: cents for worker_id, cents in amounts.items() if cents > 0}


def note(moment: Moment, reference: str, amounts: Mapping[str, int]) -> list[str]:
    """Note what was paid under a reference. Return the workers for whom that is new.

    Raises `InvalidInput` and `Refused`, and notes nothing then: for more than is owed, and for a reference that was
    used for another amount.
    """
    reference = _clean_reference(moment, reference)
    by_worker = {one.person.worker_id: one for one in owed(moment)}
    known = _noted(moment, reference)
    new = {worker_id: cents for worker_id, cents in amounts.items() if worker_id not in known}
    faults = [
        f"{by_worker[worker_id].person.shown_name} was paid {show(known[worker_id])} as {reference!r}, not "
        f"{show(cents)}."
        for worker_id, cents in amounts.items()
        if known.get(worker_id, cents) != cents
    ]
    faults += [
        f"{by_worker[worker_id].person.shown_name} is owed {show(by_worker[worker_id].cents)}, and "
        f"{show(cents)} was paid."
        for worker_id, cents in new.items()
        if cents > by_worker[worker_id].cents
    ]
    if faults:
        raise Refused(f"Nothing was noted. {first_of(faults)}")
    _add(moment, reference, new)
    return list(new)


def _clean_reference(moment: Moment, text: str) -> str:
    """Return a reference, as it was written first: november is November. Raises `InvalidInput`."""
    if not REFERENCE.fullmatch(reference := text.strip()):
        raise InvalidInput("--as", f"{reference[:60]!r} is no reference. Write one like November or 2026-11.")
    same = sa.select(payouts.c.reference).where(sa.func.lower(payouts.c.reference) == reference.lower()).limit(1)
    return moment.connection.scalar(same) or reference


def _noted(moment: Moment, reference: str) -> dict[str, int]:
    query = sa.select(payouts.c.worker_id, payouts.c.cents).filter_by(reference=reference)
    return {row.worker_id: row.cents for row in moment.connection.execute(query)}


def _add(moment: Moment, reference: str, amounts: Mapping[str, int]) -> None:
    rows: Sequence[dict[str, object]] = [
        {"worker_id": worker_id, "reference": reference, "cents": cents, "at": moment.now}
        for worker_id, cents in amounts.items()
    ]
    if rows:
        moment.connection.execute(sa.insert(payouts), rows)
