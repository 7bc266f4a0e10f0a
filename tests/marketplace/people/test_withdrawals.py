"""People who withdraw: no door is open to them any more, what they did stays, and they may ask for it to be erased."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser, expect

from beat_the_ai.errors import Refused
from beat_the_ai.forms import Form
from beat_the_ai.forms.page import page_forms
from beat_the_ai.marketplace import credentials, withdrawals
from beat_the_ai.marketplace.assignments import get_assignment
from beat_the_ai.marketplace.clock import FrozenClock
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.notifications import send
from beat_the_ai.marketplace.people import campaigns, erasure, invitations, passwords, payouts, person, sign_in_links
from beat_the_ai.marketplace.people.person import NewPerson, Person
from beat_the_ai.marketplace.tables import assignments, metadata
from beat_the_ai.marketplace.workplace import Workplace
from tests.browser import check_accessible, fits
from tests.e2e.conftest import screenshots
from tests.marketplace.desk import Desk, check_ledger
from tests.marketplace.people.test_joining import PASSWORD, invited, someone
from tests.marketplace.people.test_studies import TERMS, Study, new_study, submit, unique, way_back
from tests.marketplace.rehearsal import HIT, NUMBERS, Rehearsal

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient

SEVERAL = TERMS.model_copy(update={"hits_each": 3})
NAME, EMAIL = "Zebra Byron", "zebra@example.org"


@pytest.fixture
def study(rehearsal: Rehearsal, client: MTurkClient) -> Study:
    return new_study(rehearsal, client, SEVERAL)


def worker_with_traces(market: Market) -> tuple[Person, Desk]:
    """Somebody of whom every table has something, and somebody else who has done the same."""
    desk, workplace = Desk.opened(market), Workplace(market)
    with market.writing() as moment:
        people = person.add_people(moment, [NewPerson(NAME, EMAIL, ("course",)), NewPerson("Bo", "bo@x.org")])
        for one in people:
            invitations.invite(moment, one)
            person.set_state(moment, one, "active")
    for one in people:
        for _ in range(2):
            made = workplace.accept(one.worker_id, desk.new_hit(RequesterAnnotation=f"pilot:{next(NUMBERS)}"))
        workplace.submit(one.worker_id, made.id, [("answer", f"by {one.name}")])
        desk.ask("ApproveAssignment", AssignmentId=made.id, RequesterFeedback=f"Thanks, {one.name}")
        bonus = {"WorkerId": one.worker_id, "AssignmentId": made.id, "BonusAmount": "1.00", "Reason": f"{one.name}"}
        desk.ask("SendBonus", **bonus)
        desk.ask("CreateWorkerBlock", WorkerId=one.worker_id, Reason=f"{one.name}")
        with market.writing() as moment:
            send(moment, "lab", one.worker_id, "Hello", f"Dear {one.name}")
            credentials.issue(moment, one.worker_id)
            passwords.choose(moment, one, PASSWORD)
            sign_in_links.new_link(moment, one)
            payouts.note(moment, "November", {one.worker_id: 300})
    return people[0], desk


def dump(market: Market) -> dict[str, list[tuple[Any, ...]]]:
    with market.reading() as moment:
        return {
            table.name: sorted((tuple(row) for row in moment.connection.execute(sa.select(table))), key=repr)
            for table in metadata.sorted_tables
        }


def test_a_withdrawal_returns_what_is_in_progress_and_keeps_its_times(market: Market, clock: FrozenClock) -> None:
    desk, workplace = Desk.opened(market), Workplace(market)
    with market.writing() as moment:
        [ada] = person.add_people(moment, [NewPerson(NAME)], "active")
    done, open_one = (workplace.accept(ada.worker_id, desk.new_hit()) for _ in range(2))
    workplace.submit(ada.worker_id, done.id, [])
    first = clock.now()
    with market.writing() as moment:
        withdrawals.withdraw(moment, ada.worker_id)
    clock.advance(timedelta(hours=1))
    for _ in range(2):
        with market.writing() as moment:
            made = withdrawals.withdraw(moment, ada.worker_id, erase=True)
        clock.advance(timedelta(hours=1))
    assert (made.at, made.erase_at) == (first, first + timedelta(hours=1))
    with market.reading() as moment:
        assert get_assignment(moment, done.id).status == "Submitted"
        assert get_assignment(moment, open_one.id).status == "Returned"
    desk.ask("ApproveAssignment", AssignmentId=done.id)
    assert workplace.earnings(ada.worker_id).cents == 200
    with pytest.raises(Refused, match="You have withdrawn"):
        workplace.accept(ada.worker_id, desk.new_hit())
    with pytest.raises(Refused, match="You have withdrawn"):
        workplace.accept_chosen(ada.worker_id, lambda _moment: open_one.hit_id)
    check_ledger(market)


def test_an_erased_person_leaves_amounts_under_a_pseudonym_and_nobody_else_changes(market: Market) -> None:
    one, _ = worker_with_traces(market)
    with market.writing() as moment:
        pseudonym = erasure.begin(moment, one.worker_id)
        assert erasure.begin(moment, one.worker_id) == pseudonym
    before = dump(market)
    with market.writing() as moment:
        erasure.erase(moment, one.worker_id, pseudonym)
    after = dump(market)
    for told in (one.worker_id, NAME, EMAIL):
        assert told not in repr(after), told
    theirs = {name: [row for row in rows if one.worker_id in repr(row)] for name, rows in before.items()}
    for name, rows in after.items():
        kept = [row for row in before[name] if row not in theirs[name]]
        assert [row for row in rows if pseudonym not in repr(row)] == kept, name
    with market.reading() as moment:
        books = {each.person.worker_id: each for each in payouts.owed(moment)}
    assert (books[pseudonym].earned_cents, books[pseudonym].paid_cents) == (300, 300)
    assert (books[pseudonym].person.name, books[pseudonym].person.state) == (None, "removed")
    check_ledger(market)
    assert erasure.scrub(market)
    assert not erasure.scrub(market)


@pytest.mark.parametrize("change", ["cents = 1", "target = 'fees'", "source = 'worker:ANOBODY'"])
def test_the_ledger_of_an_erased_person_is_not_changed_otherwise(market: Market, change: str) -> None:
    one, _ = worker_with_traces(market)
    with market.writing() as moment:
        erasure.begin(moment, one.worker_id)
    before = dump(market)["transfers"]
    with pytest.raises(sa.exc.DatabaseError, match="transfers are never changed"), market.writing() as moment:
        moment.connection.execute(sa.text(f"UPDATE transfers SET {change}"))
    assert dump(market)["transfers"] == before


def test_campaigns_are_known_by_the_hits_that_a_person_took(market: Market) -> None:
    one, _ = worker_with_traces(market)
    with market.writing() as moment:
        for place in ("/old", "/new", "/new"):
            campaigns.keep(moment, "pilot:", place)
        assert campaigns.places(moment) == {"pilot:": ["/new", "/old"]}
        assert len(campaigns.annotations_of(moment, one.worker_id)) == 2
        assert erasure.workers_of_only(moment, {"pilot:"}) == sorted(
            each.worker_id for each in person.list_people(moment)
        )
        assert erasure.workers_of_only(moment, {"another:"}) == []
        erasure.forget_names(moment, one.worker_id)
        assert one.worker_id not in erasure.workers_of_only(moment, {"pilot:"})
        assert person.people_with(moment, [one.worker_id])[0].name is None


NOTICES = page_forms(
    [],
    [
        Form(
            name="end",
            kind="notice",
            title="What it was <i>about</i>",
            text="We **hid** it. <script>x</script>\n\n- [ask](https://lab.example)\n- [no](javascript:alert(1))",
        )
    ],
)["debriefing"]


def test_whoever_withdraws_reads_the_debriefing_of_the_campaigns_in_which_they_submitted(
    rehearsal: Rehearsal, client: MTurkClient
) -> None:
    hit = client.create_hit(**HIT, RequesterAnnotation="debriefed:1")["HIT"]["HITId"]
    with someone(rehearsal) as ada, rehearsal.market() as market:
        with market.writing() as moment:
            campaigns.keep_debriefing(moment, "debriefed:", [])
            campaigns.keep_debriefing(moment, "debriefed:", NOTICES)
            campaigns.keep_debriefing(moment, "another:", [{"title": "Of another study", "text": []}])
        ada.see(invited(rehearsal, unique("Ada ")))
        ada.send(ada.path, password=PASSWORD)
        ada.see(f"/worker/hits/{hit}")
        ada.send(f"/worker/hits/{hit}/accept")
        with market.reading() as moment:
            made = moment.connection.execute(sa.select(assignments).filter_by(hit_id=hit)).one()
            assert campaigns.debriefing_of(moment, made.worker_id) == []  # nothing was submitted yet
        Workplace(market).submit(made.worker_id, made.id, [])
        assert "What it was" not in ada.see("/worker/account/withdraw")
        told = ada.send("/worker/account/withdraw", choice="stop")
    assert "<h2>What it was &lt;i&gt;about&lt;/i&gt;</h2>" in told
    assert "<p>We <strong>hid</strong> it. &lt;script&gt;x&lt;/script&gt;</p>" in told
    assert '<a href="https://lab.example" rel="noreferrer">ask</a>' in told
    assert 'href="javascript:' not in told
    assert "Of another study" not in told


def test_somebody_stops_on_the_account_page_and_asks_for_erasure_later(
    rehearsal: Rehearsal, client: MTurkClient
) -> None:
    hits = [client.create_hit(**HIT)["HIT"]["HITId"] for _ in range(2)]
    name = unique("Ada ")
    with someone(rehearsal) as ada:
        ada.see(invited(rehearsal, name))
        ada.send(ada.path, password=PASSWORD)
        ada.see(f"/worker/hits/{hits[0]}")
        ada.send(f"/worker/hits/{hits[0]}/accept")
        at_work = ada.path
        assert 'href="/worker/account/withdraw"' in ada.see("/worker/account")
        assert "The task that you have open is returned" in ada.see("/worker/account/withdraw")
        assert "is no choice" in ada.send("/worker/account/withdraw", 400, choice="both")
        ada.see("/worker/account/withdraw")
        assert "Please tick the box first" in ada.send("/worker/account/withdraw", 400, choice="erase")
        assert "You have withdrawn" in ada.send("/worker/account/withdraw", choice="stop")
        assert "Work that you submitted stays" in ada.page
        assert "You have returned this task" in ada.see(at_work)
        ada.see(f"/worker/hits/{hits[1]}")
        assert "You have withdrawn" in ada.send(f"/worker/hits/{hits[1]}/accept", 409)
        ada.see("/worker/hits")
        assert ada.path == "/worker/account/withdraw"
        assert "you asked for your data to be erased" in ada.send(ada.path, choice="erase", sure="yes")
        assert "Erase my data" not in ada.page
        assert "See what happens to your data" in ada.see("/worker/account")
        ada.see("/worker/earnings")
    with rehearsal.market() as market, market.reading() as moment:
        withdrawal = withdrawals.find(moment, person.find(moment, name).worker_id)
    assert withdrawal is not None
    assert withdrawal.asks_for_erasure


def test_a_person_is_erased_while_the_portal_serves_others(rehearsal: Rehearsal) -> None:
    leaving, staying = unique("Leaving "), unique("Staying ")
    with someone(rehearsal) as ada, someone(rehearsal) as bo:
        for visitor, name in ((ada, leaving), (bo, staying)):
            visitor.see(invited(rehearsal, name))
            visitor.send(visitor.path, password=PASSWORD)
        with rehearsal.market() as market:
            with market.writing() as moment:
                worker_id = person.find(moment, leaving).worker_id
                pseudonym = erasure.begin(moment, worker_id)
                erasure.erase(moment, worker_id, pseudonym)
            assert erasure.scrub(market)
        assert staying in bo.see("/worker/account")
        ada.see("/worker/account")
        assert ada.path == "/worker/sign-in"
    folder = Path(rehearsal.store.removeprefix("sqlite:///")).parent
    assert leaving.encode() not in b"".join(path.read_bytes() for path in folder.glob("*.db*"))


def test_nobody_withdraws_for_somebody_else(rehearsal: Rehearsal) -> None:
    with someone(rehearsal) as stranger:
        stranger.see("/worker/account/withdraw")
        assert stranger.path == "/worker/sign-in"
        stranger.send("/worker/account/withdraw", choice="stop")
        assert stranger.path == "/worker/sign-in"
    name = unique("Bo ")
    with someone(rehearsal) as bo:
        bo.see(invited(rehearsal, name))
        bo.send(bo.path, password=PASSWORD)
        response = bo.http.post("/worker/account/withdraw", data={"choice": "stop"})
        assert response.status_code == 403
    with rehearsal.market() as market, market.reading() as moment:
        assert withdrawals.find(moment, person.find(moment, name).worker_id) is None


@pytest.mark.parametrize(("submitted", "code"), [(0, "R1"), (1, "P1")])
def test_a_recruited_person_withdraws_and_goes_back_with_a_code(study: Study, submitted: int, code: str) -> None:
    study.offer(4)
    name = unique("p")
    with study.visitor() as ada:
        study.start(ada, name, unique("s"))
        for _ in range(submitted):
            submit(ada)
            ada.send("/worker/study/go-on")
        assert 'href="/worker/study/withdraw"' in ada.page
        ada.see("/worker/study/withdraw")
        assert "You have withdrawn" in ada.send("/worker/study/withdraw", choice="erase", sure="yes")
        assert way_back(ada).endswith(f"cc={code}")
        ada.see("/worker/study/now")
        assert way_back(ada).endswith(f"cc={code}")
    with study.visitor() as again:
        study.start(again, name, unique("s"))
        assert way_back(again).endswith("cc=no_work")
    with study.portal.workplace() as workplace, pytest.raises(Refused, match="You have withdrawn"):
        workplace.accept(study.worker_id(name), study.offer()[0])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_withdrawing_on_a_phone_by_keyboard(
    rehearsal: Rehearsal, client: MTurkClient, browser: Browser, scheme: Literal["light", "dark"]
) -> None:
    study = new_study(rehearsal, client, SEVERAL)
    study.offer(2)
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    page = context.new_page()

    def look(name: str) -> None:
        check_accessible(page, name)
        assert fits(page), name
        if (folder := screenshots()) is not None:
            page.screenshot(path=folder / f"withdraw-{name}-{scheme}.png", full_page=True)

    page.goto(rehearsal.address + invited(rehearsal, unique("Ada ")))
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Join").press("Enter")
    page.goto(f"{rehearsal.address}/worker/account")
    look("account")
    page.get_by_role("link", name="Withdraw").press("Enter")
    page.get_by_role("button", name="Stop taking part").press("Enter")
    expect(page.get_by_role("heading", name="You have withdrawn")).to_be_visible()
    look("stopped")
    context.clear_cookies()
    page.goto(rehearsal.address + study.link(unique("p"), unique("s")))
    page.get_by_role("button", name="Start").press("Enter")
    page.get_by_role("link", name="Withdraw from the study").press("Enter")
    expect(page.get_by_role("heading", name="Stop, and erase my data")).to_be_visible()
    look("choices")
    page.get_by_label("I am sure. This cannot be undone.").press("Space")
    page.get_by_role("button", name="Stop, and erase my data").press("Enter")
    expect(page.get_by_role("heading", name="You have withdrawn")).to_be_visible()
    look("done")
    expect(page.get_by_role("link", name="Back to your recruiter")).to_have_attribute(
        "href", "https://recruiter.example/done?cc=R1"
    )
    context.close()
