"""A person: a worker with a name, an e-mail address or none, groups, and a state."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput, Refused, UnknownName
from beat_the_ai.marketplace import accounts, credentials, identifiers
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.saying import said
from beat_the_ai.marketplace.tables import accounts as account_table
from beat_the_ai.marketplace.tables import invitations, people, person_groups, sign_in_links, workers
from beat_the_ai.rules.text import clean_line

State = Literal["invited", "unconfirmed", "waiting", "active", "suspended", "removed"]
STATES: tuple[State, ...] = get_args(State)
MAY_WORK: State = "active"
MAX_NAME_CHARS, MAX_EMAIL_CHARS = 80, 254
FORMULA = ("=", "+", "-", "@")  # the beginning of a formula in a spreadsheet; some take wide signs, too
LOCAL_PART = r"(?=[a-z0-9])[a-z0-9_%+'-]{1,64}(?:\.[a-z0-9_%+'-]{1,64})*"
EMAIL = re.compile(LOCAL_PART + r"@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}")
GROUP = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}", re.ASCII)
COUNTRY = re.compile(r"[A-Z]{2}", re.ASCII)
ROWS_AT_ONCE = 500
ORDER = (people.c.added_at, sa.func.coalesce(people.c.name, ""), people.c.worker_id)


@dataclass(frozen=True)
class NewPerson:
    """A person as the requester describes them. All fields are clean (`clean_name`, `clean_email`, `clean_group`)."""

    name: str
    email: str | None = None
    groups: tuple[str, ...] = ()
    country: str = "US"


@dataclass(frozen=True)
class Person:
    """A row of `people`, with the groups. A removed person has neither name nor e-mail address.

    `suspended_from` is the state that `restore` gives back. An unconfirmed person who `needs_approval` waits for it
    once the address is confirmed.
    """

    worker_id: str
    name: str | None
    email: str | None
    state: State
    suspended_from: State | None
    needs_approval: bool
    added_at: datetime
    mailed_at: datetime | None
    joined_at: datetime | None
    groups: tuple[str, ...] = ()

    @property
    def shown_name(self) -> str:
        return self.name or self.worker_id


def clean_name(text: str) -> str:
    """Return a name in one line. Raises `InvalidInput`."""
    name = clean_line("name", text, max_chars=MAX_NAME_CHARS)
    if not any(char.isalpha() for char in name):
        raise InvalidInput("name", said("portal_refusals.name.no_letter", name=repr(name)))
    if "@" in name:
        raise InvalidInput("name", said("portal_refusals.name.email", name=repr(name)))
    if unicodedata.normalize("NFKC", name).startswith(FORMULA):
        raise InvalidInput("name", said("portal_refusals.name.formula", name=repr(name)))
    return name


def clean_email(text: str) -> str:
    """Return an e-mail address in lower case. Raises `InvalidInput`."""
    address = text.strip().lower()
    if len(address) > MAX_EMAIL_CHARS or not EMAIL.fullmatch(address):
        raise InvalidInput("email", said("portal_refusals.email", email=repr(text.strip()[:80])))
    return address


def clean_group(text: str) -> str:
    """Return the name of a group. Raises `InvalidInput`."""
    if not GROUP.fullmatch(name := text.strip()):
        raise InvalidInput(
            "group", f"{name[:60]!r} is no name of a group: up to 40 letters, digits, spaces, dots and hyphens."
        )
    return name


def clean_country(text: str) -> str:
    """Return a country's code of two letters. Raises `InvalidInput`."""
    if not COUNTRY.fullmatch(code := text.strip().upper()):
        raise InvalidInput(
            "country", f"{text.strip()[:40]!r} is no country. Write its code of two letters, as US or DE."
        )
    return code


def add_people(
    moment: Moment,
    described: Sequence[NewPerson],
    state: State = "invited",
    *,
    needs_approval: bool = False,
    ids: Sequence[str] | None = None,
) -> list[Person]:
    """Add workers with a name, under new ids or under these. Raises `Refused` when an e-mail address is taken."""
    ids = [identifiers.new_person() for _ in described] if ids is None else ids
    emails = [one.email for one in described if one.email is not None]
    if known := emails_known(moment, emails):
        raise Refused(f"There is a person with the address {min(known)} already.")
    if not described:
        return []
    add = moment.connection.execute
    add(
        sa.insert(workers),
        [
            {
                "id": worker_id,
                "country": one.country,
                "prior_approved": 0,
                "prior_rate_percent": 100,
                "approved": 0,
                "rejected": 0,
                "adult": False,
                "masters": False,
                "created_at": moment.now,
            }
            for worker_id, one in zip(ids, described, strict=True)
        ],
    )
    add(sa.insert(account_table), [{"name": accounts.earned(worker_id), "cents": 0} for worker_id in ids])
    times = {"added_at": moment.now, "joined_at": moment.now if state in ("active", "waiting") else None}
    common = {"state": state, "needs_approval": needs_approval, **times}
    rows = [
        {"worker_id": worker_id, "name": one.name, "email": one.email, **common}
        for worker_id, one in zip(ids, described, strict=True)
    ]
    add(sa.insert(people), rows)
    members = [
        {"name": name, "worker_id": worker_id}
        for worker_id, one in zip(ids, described, strict=True)
        for name in set(one.groups)
    ]
    if members:
        add(sa.insert(person_groups), members)
    return people_with(moment, ids)


def emails_known(moment: Moment, emails: Iterable[str]) -> set[str]:
    """Return those of the e-mail addresses that belong to somebody."""
    wanted, found = sorted(set(emails)), set[str]()
    for start in range(0, len(wanted), ROWS_AT_ONCE):
        query = sa.select(people.c.email).where(people.c.email.in_(wanted[start : start + ROWS_AT_ONCE]))
        found.update(moment.connection.scalars(query))
    return found


def names(moment: Moment) -> set[str]:
    """Return everybody's names."""
    return set(moment.connection.scalars(sa.select(people.c.name).where(people.c.name.is_not(None))))


def join_groups(moment: Moment, worker_id: str, groups: Iterable[str]) -> None:
    """Add a person to groups; being in one already is no fault."""
    wanted = set(groups)
    if not wanted:
        return
    mine = _groups(moment, [worker_id]).get(worker_id, ())
    if missing := sorted(wanted - set(mine)):
        moment.connection.execute(
            sa.insert(person_groups), [{"name": name, "worker_id": worker_id} for name in missing]
        )


def leave_groups(moment: Moment, worker_id: str, groups: Iterable[str]) -> None:
    """Take a person out of groups."""
    mine = sa.delete(person_groups).filter_by(worker_id=worker_id)
    moment.connection.execute(mine.where(person_groups.c.name.in_(sorted(groups))))


def people_with(moment: Moment, worker_ids: Sequence[str]) -> list[Person]:
    """Return the people with these worker ids, in this order; ids of nobody are left out."""
    found = dict[str, Person]()
    for start in range(0, len(worker_ids), ROWS_AT_ONCE):
        part = worker_ids[start : start + ROWS_AT_ONCE]
        found |= {one.worker_id: one for one in read_people(moment, people.c.worker_id.in_(part))}
    return [found[worker_id] for worker_id in worker_ids if worker_id in found]


def person_of(moment: Moment, worker_id: str) -> Person | None:
    """Return the person behind a worker; None for a worker without a name."""
    return next(iter(people_with(moment, [worker_id])), None)


def person_at(moment: Moment, email: str) -> Person | None:
    """Return the person with this e-mail address; None for nobody, and for what is no address."""
    address = email.strip().lower()
    return next(iter(read_people(moment, people.c.email == address)), None) if EMAIL.fullmatch(address) else None


def find(moment: Moment, who: str) -> Person:
    """Return the person with this worker id, or else this e-mail address, or else this name.

    Raises `InvalidInput`, and `Refused` where several people have the name.
    """
    text = who.strip()
    for column, value in ((people.c.worker_id, text.upper()), (people.c.email, text.lower()), (people.c.name, text)):
        people_found = read_people(moment, column == value)
        if len(people_found) > 1:
            ids = ", ".join(person.worker_id for person in people_found)
            raise Refused(f"{len(people_found)} people are called {text!r}: {ids}. Name one by worker id.")
        if people_found:
            return people_found[0]
    raise InvalidInput("person", f"Nobody here is called {text[:80]!r}. `beat-the-ai people list` shows everybody.")


def list_people(moment: Moment, group: str | None = None, state: str | None = None, words: str = "") -> list[Person]:
    """Return the people in the order in which they were added; `words` are in name, e-mail address or worker id."""
    return read_people(moment, *matching(group, state, words))


def matching(group: str | None = None, state: str | None = None, words: str = "") -> list[sa.ColumnElement[bool]]:
    """Say in SQL who is in a group, has a state, and has all words in name, e-mail address or worker id."""
    chosen: list[sa.ColumnElement[bool]] = []
    if group is not None:
        members = sa.select(person_groups.c.worker_id).filter_by(name=group)
        chosen.append(people.c.worker_id.in_(members))
    if state is not None:
        chosen.append(people.c.state == state)
    for word in words.split():
        columns = (people.c.name, people.c.email, people.c.worker_id)
        chosen.append(sa.or_(*(column.icontains(word, autoescape=True) for column in columns)))
    return chosen


def note_mail(moment: Moment, person: Person) -> None:
    """Take note that an invitation was sent to a person."""
    here = sa.update(people).filter_by(worker_id=person.worker_id)
    moment.connection.execute(here.values(mailed_at=moment.now))


def set_state(moment: Moment, person: Person, state: State) -> None:
    """Change a person's state. Whoever may not work is signed out; a removed person's data is erased.

    The worker id stays for the books, and for work that was done.
    """
    here = sa.update(people).filter_by(worker_id=person.worker_id)
    before = person.suspended_from if person.state == "suspended" else person.state
    joined_at = person.joined_at or (moment.now if state == MAY_WORK else None)
    kept = before if state == "suspended" else None
    moment.connection.execute(here.values(state=state, suspended_from=kept, joined_at=joined_at))
    if state != MAY_WORK:
        credentials.end_sessions(moment, person.worker_id)
    if state in ("suspended", "removed"):
        for links in (invitations, sign_in_links):
            moment.connection.execute(sa.delete(links).filter_by(worker_id=person.worker_id))
    if state == "removed":
        moment.connection.execute(here.values(name=None, email=None, salt=None, digest=None))
        moment.connection.execute(sa.delete(person_groups).filter_by(worker_id=person.worker_id))


def restore(moment: Moment, person: Person) -> Person:
    """Give a suspended person the state that they had before."""
    set_state(moment, person, person.suspended_from or "invited")
    return people_with(moment, [person.worker_id])[0]


def expect(moment: Moment, person: Person, described: NewPerson) -> None:
    """Make an invited person of somebody who has named an address and never confirmed it: the requester knows them."""
    here = sa.update(people).filter_by(worker_id=person.worker_id)
    moment.connection.execute(here.values(state="invited", needs_approval=False, name=described.name))
    join_groups(moment, person.worker_id, described.groups)


def read_people(moment: Moment, *chosen: sa.ColumnElement[bool], limit: int | None = None) -> list[Person]:
    """Return the first people that meet the conditions, in the order of `ORDER`."""
    columns = [people.c[name] for name in Person.__dataclass_fields__ if name != "groups"]
    rows = moment.connection.execute(sa.select(*columns).where(*chosen).order_by(*ORDER).limit(limit)).all()
    groups = _groups(moment, [row.worker_id for row in rows])
    return [Person(**row._mapping, groups=groups.get(row.worker_id, ())) for row in rows]


def groups_with_sizes(moment: Moment) -> dict[str, int]:
    """Return the number of people in each group."""
    query = sa.select(person_groups.c.name, sa.func.count()).group_by(person_groups.c.name)
    return {row.name: row[1] for row in moment.connection.execute(query.order_by(person_groups.c.name))}


def check_group(moment: Moment, group: str | None) -> None:
    """Raise `UnknownName` for a group that nobody is in."""
    known = groups_with_sizes(moment)
    if group is not None and group not in known:
        raise UnknownName("group", group, known)


def _groups(moment: Moment, worker_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    found = dict[str, tuple[str, ...]]()
    for start in range(0, len(worker_ids), ROWS_AT_ONCE):
        part = worker_ids[start : start + ROWS_AT_ONCE]
        query = sa.select(person_groups).where(person_groups.c.worker_id.in_(part)).order_by(person_groups.c.name)
        for row in moment.connection.execute(query):
            found[row.worker_id] = (*found.get(row.worker_id, ()), row.name)
    return found
