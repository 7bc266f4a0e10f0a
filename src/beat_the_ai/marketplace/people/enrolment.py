"""Enrolment: the people of a list, or somebody who is invited by name, become people of the store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people.person import (
    NewPerson,
    Person,
    add_people,
    clean_email,
    clean_name,
    emails_known,
    expect,
    find,
    list_people,
    names,
)
from beat_the_ai.marketplace.people.roster import Roster


@dataclass(frozen=True)
class Enrolment:
    """The outcome of a list: how many are added, were here, and stand on it again."""

    added: int
    here: int
    repeated: int


@dataclass(frozen=True)
class _Compared:
    """A list against the people: who is new, and who named an address on it and never confirmed it."""

    new: list[NewPerson]
    unconfirmed: list[tuple[Person, NewPerson]]


def preview(moment: Moment, roster: Roster) -> Enrolment:
    """Return what `enrol` would do."""
    return _outcome(roster, _compare(moment, roster))


def enrol(moment: Moment, roster: Roster, groups: Iterable[str] = ()) -> Enrolment:
    """Add the people of a list who are not here, into these groups, too. Whoever is known stays as they are.

    Those who named an address on it and never confirmed it are invited as the list says.
    """
    compared = _compare(moment, roster)
    add_people(moment, [replace(one, groups=(*one.groups, *groups)) for one in compared.new])
    for person, described in compared.unconfirmed:
        expect(moment, person, described)
    return _outcome(roster, compared)


def _compare(moment: Moment, roster: Roster) -> _Compared:
    emails = emails_known(moment, (one.email for one in roster.people if one.email))
    known = names(moment)
    new = [one for one in roster.people if one.email not in emails and (one.email or one.name not in known)]
    unconfirmed = {one.email: one for one in list_people(moment, state="unconfirmed")}
    expected = [(unconfirmed[one.email], one) for one in roster.people if one.email in unconfirmed]
    return _Compared(new, expected)


def _outcome(roster: Roster, compared: _Compared) -> Enrolment:
    added = len(compared.new) + len(compared.unconfirmed)
    return Enrolment(added, len(roster.people) - added, roster.repeated)


def described(who: str, name: str = "") -> NewPerson:
    """Return somebody new by an e-mail address or a name. Without a name, it is what is before the @.

    Raises `InvalidInput`.
    """
    email = clean_email(who) if "@" in who else None
    return NewPerson(clean_name(name or (who.partition("@")[0] if email else who)), email)


def known(moment: Moment, who: str) -> Person | None:
    """Return the person with this worker id, e-mail address or name; None for nobody.

    Raises `Refused` where several people have the name.
    """
    try:
        return find(moment, who)
    except InvalidInput:
        return None


def found_or_added(moment: Moment, who: str, name: str = "", *, new_id: str | None = None) -> Person:
    """Return the person with this worker id, e-mail address or name, added if need be, under an id of one's choice.

    Raises `InvalidInput` and `Refused`.
    """
    found = known(moment, who)
    if found is not None:
        return found
    return add_people(moment, [described(who, name)], ids=None if new_id is None else [new_id])[0]
