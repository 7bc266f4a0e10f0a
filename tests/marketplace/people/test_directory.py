"""The directory of people, enrolment and changes of states, on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.marketplace.clock import FrozenClock
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people import changes, directory, enrolment, person
from beat_the_ai.marketplace.people.person import NewPerson
from beat_the_ai.marketplace.people.roster import look_through, read_roster


def read_all(market: Market, most: int, **which: str) -> list[str]:
    """Return everybody's name or worker id, read page by page."""
    names, after, left = list[str](), None, 1
    while left:
        with market.reading() as moment:
            found = directory.page(moment, most, after=after, **which)
        names += [one.shown_name for one in found.people]
        left = found.left
        after = found.people[-1].worker_id if found.people else None
        assert len(found.people) <= most
    return names


def test_pages_have_everybody_once_in_the_order_of_adding(market: Market, clock: FrozenClock) -> None:
    with market.writing() as moment:
        person.add_people(moment, [NewPerson(name, groups=("first",)) for name in ("bo", "Ada", "Éva", "ada", "Ada")])
    clock.advance(timedelta(days=1))
    with market.writing() as moment:
        person.add_people(moment, [NewPerson("Aa", "a@x.org"), NewPerson("B%")])
        person.set_state(moment, person.find(moment, "bo"), "removed")
    with market.reading() as moment:
        people = person.list_people(moment)
    expected = [one.shown_name for one in people]
    for most in (1, 2, 3, 100):
        assert read_all(market, most) == expected
    in_group = [one for one in people if "first" in one.groups]
    found = [one.shown_name for one in in_group if "ad" in f"{one.name} {one.worker_id}".lower()]  # ids are random
    assert read_all(market, 2, group="first", words="ad") == found
    assert read_all(market, 2, state="invited", words="%") == ["B%"]
    with market.reading() as moment:
        assert directory.states(moment) == {"invited": 6, "removed": 1}
        for wrong in ({"group": "second"}, {"after": "ANOBODY"}):
            with pytest.raises(UnknownName):
                directory.page(moment, 2, **wrong)


def test_somebody_who_is_removed_between_two_pages_hides_nobody(market: Market) -> None:
    with market.writing() as moment:
        person.add_people(moment, [NewPerson(f"P{number}") for number in range(6)])
        first = directory.page(moment, 2)
        person.set_state(moment, first.people[-1], "removed")
        rest = directory.page(moment, 10, after=first.people[-1].worker_id)
    assert {one.name for one in rest.people} >= {f"P{number}" for number in range(2, 6)}


def test_a_preview_says_what_an_import_will_do(market: Market) -> None:
    roster = read_roster(b"name,email,group\nAda,ada@x.org,a\nBo,,\nCy,cy@x.org,\nAda,ada@x.org,\n", "list")
    with market.writing() as moment:
        person.add_people(moment, [NewPerson("Bo")])
        person.add_people(moment, [NewPerson("Whoever", "cy@x.org")], "unconfirmed")
        foreseen = enrolment.preview(moment, roster)
        assert enrolment.enrol(moment, roster, ["all"]) == foreseen == enrolment.Enrolment(2, 1, 1)
        assert person.find(moment, "ada@x.org").groups == ("a", "all")
        assert (person.find(moment, "cy@x.org").name, person.find(moment, "cy@x.org").state) == ("Cy", "invited")
        assert enrolment.preview(moment, roster) == enrolment.Enrolment(0, 3, 1)


def test_a_list_with_faults_has_its_good_lines_beside_them() -> None:
    roster = look_through(b"name,email\nAda,ada@x.org\nBo,bo@\n,\nCy,\n7,\n", "list")
    assert [one.name for one in roster.people] == ["Ada", "Cy"]
    assert [fault.line for fault in roster.faults] == [3, 6]
    assert "'bo@' is no e-mail address" in roster.faults[0].reason


def test_states_change_for_all_who_are_named_or_for_nobody(market: Market) -> None:
    with market.writing() as moment:
        [ada] = person.add_people(moment, [NewPerson("Ada")], "waiting")
        [bo] = person.add_people(moment, [NewPerson("Bo")])
    assert changes.possible(ada) == ("approve", "suspend", "remove")
    assert changes.possible(bo) == ("suspend", "remove")
    with market.writing() as moment, pytest.raises(InvalidInput, match="Bo is invited; `approve` is for whoever"):
        changes.change_states(moment, [ada, bo], "approve")
    with market.writing() as moment:
        assert person.find(moment, "Ada").state == "waiting"
        changes.change_states(moment, [ada, bo], "remove")
        gone = person.people_with(moment, [ada.worker_id])
        assert changes.possible(gone[0]) == ()
        with pytest.raises(InvalidInput, match="is removed, and in no group"):
            changes.change_groups(moment, gone, "add", "lab")
