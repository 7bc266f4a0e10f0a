"""People, their invitations and their links to sign in, on both databases."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace import credentials
from beat_the_ai.marketplace.clock import FrozenClock
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people import invitations, mail, passwords, person, sign_in_links
from beat_the_ai.marketplace.people.invitations import OpenTerms
from beat_the_ai.marketplace.people.person import NewPerson, Person
from beat_the_ai.marketplace.portal.sessions import is_valid, new_session
from beat_the_ai.marketplace.tables import metadata
from tests.marketplace.desk import check_ledger

PASSWORD = "correct horse battery"


def add(market: Market, *described: NewPerson) -> list[Person]:
    with market.writing() as moment:
        return person.add_people(moment, described)


def join(
    market: Market, token: str, name: str = "", email: str = "", password: str = "", *, confirms: bool = True
) -> Person:
    with market.writing() as moment:
        return invitations.join(moment, token, name, email, password, confirms=confirms)


def confirmed(market: Market, one: Person) -> Person:
    """Open the link that was sent to an address."""
    with market.writing() as moment:
        return sign_in_links.use(moment, str(sign_in_links.new_link(moment, one)))


def active(market: Market, name: str, email: str) -> Person:
    """Somebody who has joined and confirmed an address."""
    with market.writing() as moment:
        token = invitations.invite_openly(moment, OpenTerms(1))
    one = confirmed(market, join(market, token, name, email))
    with market.writing() as moment:
        passwords.choose(moment, one, PASSWORD)
    return one


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


def test_a_worker_id_and_an_address_are_found_before_a_name(market: Market) -> None:
    """Older stores, or other doors, may have let such a name in."""
    ada, eve = add(market, NewPerson("Ada", "ada@x.org"), NewPerson("Eve"))
    with market.writing() as moment:
        for name in (ada.worker_id, "ada@x.org"):
            people = metadata.tables["people"]
            moment.connection.execute(sa.update(people).filter_by(worker_id=eve.worker_id).values(name=name))
            assert person.find(moment, name) == ada


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
    joined = join(market, token, "Eve", "eve@x.org", PASSWORD)
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
        join(market, taken_back, "Eve")
    clock.advance(timedelta(days=1))
    with pytest.raises(Refused, match="expired"):
        join(market, token)
    assert now(market, "Ada").state == "invited"
    with market.reading() as moment:
        kept = moment.connection.execute(sa.select(metadata.tables["invitations"].c.digest)).scalars().all()
    assert not {token, taken_back} & set(kept)


def test_an_open_link_has_places_and_checks_what_is_written(market: Market) -> None:
    with market.writing() as moment:
        token = invitations.invite_openly(moment, OpenTerms(2, group="course"))
    ada = join(market, token, " Ada  Byron ", password=PASSWORD)
    assert (ada.name, ada.email, ada.state, ada.groups) == ("Ada Byron", None, "active", ("course",))
    for name, email, password, said in (
        ("", "b@x.org", "", "name is empty"),
        ("=A1", "", "", "formula"),
        ("eve@x.org", "", "", "looks like an e-mail address"),
        ("B", "b@x", "", "no e-mail address"),
        ("B", "a..b@x.org", "", "no e-mail address"),
        ("B", "a.@x.org", "", "no e-mail address"),
        ("B", "", "short", "12 to 200"),
        ("Long enough name", "", "long ENOUGH name", "password is the name"),
    ):
        with pytest.raises(InvalidInput, match=said):
            join(market, token, name, email, password)
    join(market, token, "Bo", password=PASSWORD)
    with pytest.raises(Refused, match="All places"):
        join(market, token, "Cy", password=PASSWORD)
    with market.reading() as moment:
        assert [one.name for one in person.list_people(moment)] == ["Ada Byron", "Bo"]


def test_an_address_counts_once_it_is_confirmed_and_until_then_nobody_has_a_password_for_it(market: Market) -> None:
    """A stranger writes Ada's address and a password first; Ada confirms it, and the password opens nothing."""
    with market.writing() as moment:
        token = invitations.invite_openly(moment, OpenTerms(5))
    stranger = join(market, token, "Somebody", "Ada@x.org", "password of the stranger")
    assert (stranger.state, stranger.email) == ("unconfirmed", "ada@x.org")
    with pytest.raises(Refused, match="Open the link in the e-mail"):
        sign_in_links.check_may_enter(stranger)
    assert join(market, token, "Ada herself", "ada@X.org").worker_id == stranger.worker_id
    ada = confirmed(market, stranger)
    assert ada.state == "active"
    with market.reading() as moment:
        assert not passwords.has_password(moment, ada.worker_id)
        assert invitations.open_links(moment)[0].joined == 1
    assert join(market, token, "Eve", "ada@x.org", "password of the stranger") == ada
    with market.reading() as moment:
        assert not passwords.is_password(moment, ada, "password of the stranger")
    assert join(market, token, "Without", "ada@x.org", PASSWORD, confirms=False).email is None


def test_who_is_expected_is_not_kept_out_by_whoever_wrote_their_address(market: Market) -> None:
    with market.writing() as moment:
        token = invitations.invite_openly(moment, OpenTerms(5))
    squatted = join(market, token, "Squatter", "bo@x.org")
    with market.writing() as moment:
        person.expect(moment, squatted, NewPerson("Bo Li", "bo@x.org", ("class",)))
    bo = now(market, "bo@x.org")
    assert (bo.name, bo.state, bo.groups) == ("Bo Li", "invited", ("class",))
    with market.writing() as moment:
        mine = invitations.invite(moment, bo)
    assert join(market, token, "Whoever", "bo@x.org") == bo  # gets a link there, and stays as the list says
    assert join(market, mine, password=PASSWORD).state == "active"


def test_an_address_of_a_domain_is_asked_for(market: Market) -> None:
    with pytest.raises(InvalidInput, match="Name a server"), market.writing() as moment:
        invitations.invite_openly(moment, OpenTerms(5, domain="uni.edu"))
    with market.writing() as moment:
        mail.keep_server(moment, mail.check_server("smtp://127.0.0.1", "lab@example.org"))
        token = invitations.invite_openly(moment, OpenTerms(5, domain="Uni.edu"))
    for foreign in ("ada@x.org", "ada@uni.edu.x.org", "ada@notuni.edu", ""):
        with pytest.raises(InvalidInput, match=r"uni\.edu|no e-mail address"):
            join(market, token, "Ada", foreign)
    with pytest.raises(InvalidInput, match=r"uni\.edu"):
        join(market, token, "Ada", "ada@uni.edu", confirms=False)
    assert confirmed(market, join(market, token, "Ada", "ada@uni.edu")).state == "active"
    with pytest.raises(InvalidInput, match="Ask for that or approve"), market.writing() as moment:
        invitations.invite_openly(moment, OpenTerms(5, domain="uni.edu", needs_approval=True))
    for places in (0, 10_001):
        with pytest.raises(InvalidInput, match="1 to 10,000"), market.writing() as moment:
            invitations.invite_openly(moment, OpenTerms(places))


def test_whoever_waits_for_approval_waits_after_confirming_and_after_a_suspension(market: Market) -> None:
    with market.writing() as moment:
        token = invitations.invite_openly(moment, OpenTerms(5, needs_approval=True))
    ada, bo = join(market, token, "Ada", "ada@x.org"), join(market, token, "Bo", password=PASSWORD)
    assert (ada.state, bo.state) == ("unconfirmed", "waiting")
    for _ in range(2):  # suspended twice: the state of before is that of before the first time
        with market.writing() as moment:
            for one in (now(market, "Ada"), now(market, "Bo")):
                person.set_state(moment, one, "suspended")
    with market.writing() as moment:
        assert [person.restore(moment, now(market, name)).state for name in ("Ada", "Bo")] == ["unconfirmed", "waiting"]
    assert confirmed(market, now(market, "Ada")).state == "waiting"
    with pytest.raises(Refused, match="let you in first"):
        sign_in_links.check_may_enter(now(market, "Ada"))


def test_a_link_to_sign_in_works_once_for_half_an_hour_and_few_work_at_once(market: Market, clock: FrozenClock) -> None:
    ada = active(market, "Ada", "ada@x.org")
    with market.writing() as moment:
        assert sign_in_links.asked_for(moment, " ADA@x.org") == now(market, "Ada")
        for nobody in ("eve@x.org", "", "ada", "ada\0@x.org"):
            assert sign_in_links.asked_for(moment, nobody) is None
        links = [sign_in_links.new_link(moment, ada) for _ in range(6)]
        assert links[5] is None
        first, second = str(links[0]), str(links[1])
        assert sign_in_links.use(moment, first) == now(market, "Ada")
    with pytest.raises(Refused, match="expired or was used"), market.writing() as moment:
        sign_in_links.use(moment, first)
    clock.advance(timedelta(minutes=30))
    with pytest.raises(Refused, match="expired or was used"), market.writing() as moment:
        sign_in_links.use(moment, second)
    with market.writing() as moment:
        assert sign_in_links.new_link(moment, ada) is not None


@pytest.mark.parametrize("state", ["suspended", "removed"])
def test_who_may_not_work_is_signed_out_and_no_link_lets_them_in(market: Market, state: person.State) -> None:
    [invited] = add(market, NewPerson("Bo", "bo@x.org", ("lab",)))
    ada = active(market, "Ada", "ada@x.org")
    with market.writing() as moment:
        link, invitation = sign_in_links.new_link(moment, ada), invitations.invite(moment, invited)
        before = credentials.find(moment, ada.worker_id)
        assert before is not None
        session = new_session(moment.now, ada.worker_id, before.epoch)
        assert is_valid(moment, session)
        for one in (ada, invited):
            person.set_state(moment, one, state)
        assert not is_valid(moment, session)
        after = credentials.find(moment, ada.worker_id)
        assert after is not None
        assert not is_valid(moment, new_session(moment.now, ada.worker_id, after.epoch))
        assert sign_in_links.asked_for(moment, "ada@x.org") is None
        with pytest.raises(Refused, match="not invited"):
            invitations.invite(moment, invited)  # as it was read a moment ago
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


def clock_of(moment: Moment) -> datetime:
    return moment.now


def test_ten_thousand_people_are_added_in_one_transaction(market: Market) -> None:
    added = add(market, *(NewPerson(f"P {number}", f"p{number}@x.org", ("all",)) for number in range(10_000)))
    assert len({one.worker_id for one in added}) == 10_000
    with market.reading() as moment:
        assert len(person.list_people(moment, "all")) == 10_000
        assert person.emails_known(moment, ["p1@x.org", "p9999@x.org", "q@x.org"]) == {"p1@x.org", "p9999@x.org"}
