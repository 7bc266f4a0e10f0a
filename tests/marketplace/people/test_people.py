"""People, their invitations and their links to sign in, on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace import credentials
from beat_the_ai.marketplace.clock import FrozenClock
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people import invitations, passwords, person, sign_in_links
from beat_the_ai.marketplace.people.invitations import OpenTerms
from beat_the_ai.marketplace.people.person import NewPerson, Person
from beat_the_ai.marketplace.tables import metadata
from tests.marketplace.desk import check_ledger

PASSWORD = "correct horse battery"


def add(market: Market, *described: NewPerson) -> list[Person]:
    with market.writing() as moment:
        return person.add_people(moment, described)


def join(market: Market, token: str, **given: str) -> Person:
    with market.writing() as moment:
        return invitations.join(moment, token, **given)


def now(market: Market, who: str) -> Person:
    with market.reading() as moment:
        return person.find(moment, who)


def test_people_are_found_by_name_address_and_worker_id(market: Market) -> None:
    ada, bo, _ = add(market, NewPerson("Ada", "ada@x.org", ("a", "b")), NewPerson("Bo"), NewPerson("Cy", None, ("b",)))
    for who in ("Ada", "ADA@x.org ", ada.worker_id.lower()):
        assert now(market, who) == ada
    with market.writing() as moment:
        person.leave_groups(moment, ada.worker_id, ["a"])
        person.join_groups(moment, bo.worker_id, ["b", "c"])
        person.join_groups(moment, bo.worker_id, ["b"])
        by_group = {group: [one.name for one in person.list_people(moment, group)] for group in ("a", "b", "c")}
        assert by_group == {"a": [], "b": ["Ada", "Bo", "Cy"], "c": ["Bo"]}
        assert [one.name for one in person.list_people(moment, words="x.org ad")] == ["Ada"]
        assert [one.name for one in person.list_people(moment, words="%")] == []
        assert len(person.list_people(moment, state="invited")) == 3
    check_ledger(market)


def test_two_people_of_one_name_are_told_apart_by_what_is_theirs_alone(market: Market) -> None:
    first, second = add(market, NewPerson("Ada", "ada@x.org"), NewPerson("Ada", "a.b@x.org"))
    with pytest.raises(Refused, match=f"2 people.*{first.worker_id}|{second.worker_id}"):
        now(market, "Ada")
    with pytest.raises(Refused, match=r"ada@x\.org already"):
        add(market, NewPerson("Somebody else", "ada@x.org"))
    with pytest.raises(InvalidInput, match="Nobody here is called 'Eve'"):
        now(market, "Eve")


def test_an_invitation_lets_one_person_in_once(market: Market) -> None:
    [ada] = add(market, NewPerson("Ada", "ada@x.org"))
    with market.writing() as moment:
        token, other = invitations.invite(moment, ada), invitations.invite(moment, ada)
    with market.reading() as moment:
        assert invitations.read(moment, token)[1] == ada  # looking at it uses nothing up
    joined = join(market, token, name="Eve", email="eve@x.org", password=PASSWORD)
    assert (joined.worker_id, joined.name, joined.email, joined.state) == (ada.worker_id, "Ada", "ada@x.org", "active")
    for used in (token, other):
        with pytest.raises(Refused, match="was used"):
            join(market, used)
    with pytest.raises(Refused, match="not invited"), market.writing() as moment:
        invitations.invite(moment, joined)
    with market.reading() as moment:
        assert passwords.is_password(moment, joined, PASSWORD)
        assert not passwords.is_password(moment, joined, PASSWORD + "!")
        assert not passwords.is_password(moment, None, PASSWORD)


def test_a_link_that_is_forged_expired_or_taken_back_lets_nobody_in(market: Market, clock: FrozenClock) -> None:
    [ada] = add(market, NewPerson("Ada"))
    with market.writing() as moment:
        token = invitations.invite(moment, ada, timedelta(days=1))
        taken_back = invitations.invite_openly(moment, OpenTerms(5))
        invitations.revoke(moment, taken_back)
    for forged in ("0" * 40, token[:-1], token.upper()):
        with pytest.raises(Refused, match="not known"):
            join(market, forged)
    with pytest.raises(Refused, match="taken back"):
        join(market, taken_back, name="Eve")
    clock.advance(timedelta(days=1))
    with pytest.raises(Refused, match="expired"):
        join(market, token)
    assert now(market, "Ada").state == "invited"
    with market.reading() as moment:
        kept = moment.connection.execute(sa.select(metadata.tables["invitations"].c.digest)).scalars().all()
    assert not {token, taken_back} & set(kept)


def test_an_open_link_has_places_and_takes_an_address_once(market: Market) -> None:
    with market.writing() as moment:
        token = invitations.invite_openly(moment, OpenTerms(2, group="course"))
    ada = join(market, token, name=" Ada  Byron ", email="Ada@x.org")
    assert (ada.name, ada.email, ada.state, ada.groups) == ("Ada Byron", "ada@x.org", "active", ("course",))
    for given, said in (
        ({"name": "Ada", "email": "ada@X.org"}, "has joined"),
        ({"name": "", "email": "b@x.org"}, "name is empty"),
        ({"name": "=A1"}, "formula"),
        ({"name": "B", "email": "b@x"}, "no e-mail address"),
        ({"name": "B", "password": "short"}, "12 to 200"),
        ({"name": "Long enough name", "password": "long ENOUGH name"}, "password is the name"),
    ):
        with pytest.raises((InvalidInput, Refused), match=said):
            join(market, token, **given)
    join(market, token, name="Bo")
    with pytest.raises(Refused, match="All places"):
        join(market, token, name="Cy")
    with market.reading() as moment:
        assert [one.name for one in person.list_people(moment)] == ["Ada Byron", "Bo"]


def test_an_address_of_a_domain_is_confirmed_by_a_link_that_is_sent_there(market: Market) -> None:
    with market.writing() as moment:
        token = invitations.invite_openly(moment, OpenTerms(5, domain="Uni.edu"))
    for foreign in ("ada@x.org", "ada@uni.edu.x.org", "ada@notuni.edu", ""):
        with pytest.raises(InvalidInput, match=r"uni\.edu|no e-mail address"):
            join(market, token, name="Ada", email=foreign)
    ada = join(market, token, name="Ada", email="ada@uni.edu", password=PASSWORD)
    assert ada.state == "unconfirmed"
    with pytest.raises(Refused, match="Open the link in the e-mail"):
        sign_in_links.check_may_enter(ada)
    with market.writing() as moment:
        link = sign_in_links.new_link(moment, ada)
        assert link is not None
        assert sign_in_links.use(moment, link).state == "active"
    with pytest.raises(InvalidInput, match="Ask for that or approve"), market.writing() as moment:
        invitations.invite_openly(moment, OpenTerms(5, domain="uni.edu", needs_approval=True))
    for places in (0, 10_001):
        with pytest.raises(InvalidInput, match="1 to 10,000"), market.writing() as moment:
            invitations.invite_openly(moment, OpenTerms(places))


def test_a_link_to_sign_in_works_once_for_half_an_hour_and_few_are_made(market: Market, clock: FrozenClock) -> None:
    with market.writing() as moment:
        ada = invitations.join(moment, invitations.invite_openly(moment, OpenTerms(1)), "Ada", "ada@x.org")
        assert sign_in_links.asked_for(moment, " ADA@x.org") == ada
        assert sign_in_links.asked_for(moment, "eve@x.org") is None
        links = [sign_in_links.new_link(moment, ada) for _ in range(6)]
        assert links[5] is None
        first, second = str(links[0]), str(links[1])
        assert sign_in_links.use(moment, first) == ada
    with pytest.raises(Refused, match="expired or was used"), market.writing() as moment:
        sign_in_links.use(moment, first)
    clock.advance(timedelta(minutes=30))
    with pytest.raises(Refused, match="expired or was used"), market.writing() as moment:
        sign_in_links.use(moment, second)
    clock.advance(timedelta(hours=1))
    with market.writing() as moment:
        assert sign_in_links.new_link(moment, ada) is not None


@pytest.mark.parametrize("state", ["suspended", "removed"])
def test_who_may_not_work_is_signed_out_and_no_link_lets_them_in(market: Market, state: person.State) -> None:
    [invited] = add(market, NewPerson("Bo", "bo@x.org", ("lab",)))
    with market.writing() as moment:
        ada = invitations.join(moment, invitations.invite_openly(moment, OpenTerms(1)), "Ada", "ada@x.org", PASSWORD)
        link, invitation = sign_in_links.new_link(moment, ada), invitations.invite(moment, invited)
        before = credentials.find(moment, ada.worker_id)
        for one in (ada, invited):
            person.set_state(moment, one, state)
        after = credentials.find(moment, ada.worker_id)
        assert before is not None
        assert after is not None
        assert after.epoch > before.epoch  # sessions of an earlier epoch are over
        assert sign_in_links.asked_for(moment, "ada@x.org") is None
    with pytest.raises(Refused, match=r"expired or was used"), market.writing() as moment:
        sign_in_links.use(moment, str(link))
    with pytest.raises(Refused, match=r"not known"), market.writing() as moment:
        invitations.join(moment, invitation)
    gone = now(market, ada.worker_id)
    with pytest.raises(Refused, match="closed"):
        sign_in_links.check_may_enter(gone)
    kept = (gone.name, gone.email, gone.groups)
    assert kept == ((None, None, ()) if state == "removed" else ("Ada", "ada@x.org", ()))
    with market.reading() as moment:
        assert passwords.is_password(moment, gone, PASSWORD) is (state == "suspended")


def test_ten_thousand_people_are_added_in_one_transaction(market: Market) -> None:
    added = add(market, *(NewPerson(f"P {number}", f"p{number}@x.org", ("all",)) for number in range(10_000)))
    assert len({one.worker_id for one in added}) == 10_000
    with market.reading() as moment:
        assert len(person.list_people(moment, "all")) == 10_000
        assert person.emails_known(moment, ["p1@x.org", "p9999@x.org", "q@x.org"]) == {"p1@x.org", "p9999@x.org"}
