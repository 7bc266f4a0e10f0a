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
from beat_the_ai.marketplace.people.person import ROWS_AT_ONCE, Person, find, list_people
from beat_the_ai.marketplace.people.roster import decoded, delimiter_of, first_of, rows_of
from beat_the_ai.marketplace.people.store import unit_of
from beat_the_ai.marketplace.people.studies import list_studies
from beat_the_ai.marketplace.tables import accounts, payouts, visits
from beat_the_ai.rules.amounts import SIGNS, show

REWARD = "reward "  # begins the reference of a reward that a recruiter has paid; the rest is the place there
COLUMNS = ("name", "email", "worker", "earned", "paid", "owed", "payer")
BY_RECRUITER, BY_REQUESTER = "recruiter", "you"
REFERENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._/-]{0,39}", re.ASCII)


@dataclass(frozen=True)
class Owed:
    """A person's earnings in cents, how much of them was paid out, and whether a recruiter pays the rest."""

    person: Person
    earned_cents: int
    paid_cents: int
    is_paid_by_recruiter: bool = False

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
    by_recruiter = _paid_by_recruiters(moment)
    return [
        Owed(one, earned[one.worker_id], paid.get(one.worker_id, 0), one.worker_id in by_recruiter)
        for one in list_people(moment, group)
    ]


def _paid_by_recruiters(moment: Moment) -> set[str]:
    """Return the workers who came to a study that its recruiter pays, through an API of its own."""
    paying = [study.key for study in list_studies(moment) if study.is_paid_by_recruiter]
    return set(moment.connection.scalars(sa.select(visits.c.worker_id).where(visits.c.study.in_(paying))))


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
        payer = BY_RECRUITER if one.is_paid_by_recruiter else BY_REQUESTER
        table.writerow((one.person.shown_name, one.person.email or "", one.person.worker_id, *amounts, payer))
    return text.getvalue()


def read_amounts(moment: Moment, content: bytes, source: str) -> dict[str, int]:
    """Return cents by worker id from a table with the columns `worker` (id or e-mail) and `amount`, or else `owed`.

    Rows of people whom a recruiter pays (column `payer`) are left out. Raises `InvalidInput` with all of its faults.
    """
    text = decoded(content, source)
    rows = rows_of(text, delimiter_of(text), source)
    columns = [cell.strip().lower() for cell in rows[0][1]] if rows else []
    amount = "amount" if "amount" in columns else "owed"
    if len(rows) < 2 or not {"worker", amount} <= set(columns):
        raise InvalidInput("list", f"{source} needs a header with worker and amount, or owed, and people below it.")
    amounts, faults, sign = dict[str, int](), list[str](), SIGNS.get(unit_of(moment), "")
    for number, cells in rows[1:]:
        row = dict(zip_longest(columns, cells, fillvalue=""))
        if row.get("payer") == BY_RECRUITER:
            continue
        try:
            person, cents = find(moment, row["worker"]), parse_cents(row[amount].strip().removeprefix(sign))
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
    known, unit = _noted(moment, reference), unit_of(moment)
    new = {worker_id: cents for worker_id, cents in amounts.items() if worker_id not in known}
    faults = [
        f"{by_worker[worker_id].person.shown_name} was paid {show(known[worker_id], unit)} as {reference!r}, not "
        f"{show(cents, unit)}."
        for worker_id, cents in amounts.items()
        if known.get(worker_id, cents) != cents
    ]
    faults += [
        f"{by_worker[worker_id].person.shown_name} is owed {show(by_worker[worker_id].cents, unit)}, and "
        f"{show(cents, unit)} was paid."
        for worker_id, cents in new.items()
        if cents > by_worker[worker_id].cents
    ]
    faults += [
        f"{by_worker[worker_id].person.shown_name} is paid by the recruiter. Note only a reward that `people studies` "
        "names, with the reference that it names."
        for worker_id in new
        if by_worker[worker_id].is_paid_by_recruiter and not reference.startswith(REWARD)
    ]
    if faults:
        raise Refused(f"Nothing was noted. {first_of(faults)}")
    _add(moment, reference, new)
    return list(new)


def is_noted(moment: Moment, references: Sequence[str]) -> set[str]:
    """Return the references, of these, under which something was noted."""
    noted = set[str]()
    for start in range(0, len(references), ROWS_AT_ONCE):
        some = payouts.c.reference.in_(references[start : start + ROWS_AT_ONCE])
        noted.update(moment.connection.scalars(sa.select(payouts.c.reference).where(some)))
    return noted


def note_paid_by_recruiter(moment: Moment, reference: str, amounts: Mapping[str, int]) -> None:
    """Note what a recruiter says that it has paid; a worker who stands there under the reference keeps the amount."""
    known = _noted(moment, reference)
    _add(moment, reference, {worker_id: cents for worker_id, cents in amounts.items() if worker_id not in known})


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
