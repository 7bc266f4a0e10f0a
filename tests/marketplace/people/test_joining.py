"""Joining and signing in over the real portal: by plain requests, and in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from beat_the_ai.marketplace.people import invitations, mail, person, sign_in_links, store
from beat_the_ai.marketplace.people.invitations import OpenTerms
from beat_the_ai.marketplace.people.person import NewPerson, Person
from tests.browser import check_accessible, fits
from tests.e2e.conftest import screenshots
from tests.marketplace.people.post_office import PostOffice
from tests.marketplace.rehearsal import Rehearsal, store_in

PASSWORD = "correct horse battery"
SIZES = {"desktop": (1280, 800, "light"), "phone": (360, 740, "light"), "dark": (360, 740, "dark")}


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    """A portal of its own: others of this run have no mail server."""
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("people"))) as running:
        yield running


@pytest.fixture
def office(portal: Rehearsal) -> Iterator[PostOffice]:
    with PostOffice().open() as opened:
        with portal.market() as market, market.writing() as moment:
            mail.keep_server(moment, mail.check_server(opened.url, "The lab <lab@example.org>"))
            store.keep_address(moment, portal.address)
        yield opened
    with portal.market() as market, market.writing() as moment:
        mail.keep_server(moment, None)


def invited(portal: Rehearsal, name: str, email: str | None = None) -> str:
    with portal.market() as market, market.writing() as moment:
        [someone] = person.add_people(moment, [NewPerson(name, email)])
        return f"/worker/join/{invitations.invite(moment, someone)}"


def open_link(portal: Rehearsal, terms: OpenTerms) -> str:
    with portal.market() as market, market.writing() as moment:
        return f"/worker/join/{invitations.invite_openly(moment, terms)}"


def set_state(portal: Rehearsal, who: str, state: person.State) -> None:
    with portal.market() as market, market.writing() as moment:
        person.set_state(moment, person.find(moment, who), state)


def found(portal: Rehearsal, who: str) -> Person:
    with portal.market() as market, market.reading() as moment:
        return person.find(moment, who)


class Visitor:
    """Somebody with a browser that knows no JavaScript."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http
        self.page = ""
        self.path = ""

    def see(self, path: str, status: int = 200) -> str:
        return self._seen(self.http.get(path), status)

    def send(self, path: str, status: int = 200, **fields: str) -> str:
        token = re.search('name="form_token" value="([0-9a-f]+)"', self.page)
        assert token is not None, self.page
        return self._seen(self.http.post(path, data={"form_token": token[1], **fields}), status)

    def _seen(self, response: httpx.Response, status: int) -> str:
        assert response.status_code == status, response.text
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert response.headers["cache-control"] == "no-store"
        self.page, self.path = response.text, response.url.path
        return self.page

    def sign_in(self, worker: str, code: str, status: int = 200) -> str:
        self.see("/worker/sign-in")
        return self.send("/worker/sign-in", status, worker=worker, code=code)


@contextmanager
def someone(portal: Rehearsal) -> Iterator[Visitor]:
    with httpx.Client(base_url=portal.address, follow_redirects=True, timeout=30) as http:
        yield Visitor(http)


def test_an_invited_person_joins_with_a_password_and_comes_back_with_it(portal: Rehearsal) -> None:
    link = invited(portal, "Ada Byron", "ada.b@example.org")
    with someone(portal) as ada:
        assert "Welcome, Ada Byron" in ada.see(link)
        assert "ada.b@example.org" in ada.page
        assert "Choose a password: you sign in with it" in ada.send(link, 400)
        assert "12 to 200" in ada.send(link, 400, password="short")
        ada.send(link, password=PASSWORD)
        assert ada.path == "/worker/hits"
        assert "Ada Byron" in ada.see("/worker/account")
        ada.send("/worker/sign-out")
        assert "Nobody is known here" in ada.sign_in("ada.b@example.org", "wrong horse battery", 403)
        ada.sign_in(" ADA.B@example.org", PASSWORD)
        assert ada.path == "/worker/hits"
        ada.send("/worker/sign-out")
        ada.sign_in(found(portal, "ada.b@example.org").worker_id.lower(), PASSWORD)
        assert ada.path == "/worker/hits"
    with someone(portal) as eve:
        assert "was used" in eve.see(link, 409)


def test_a_new_password_ends_the_sessions_of_others(portal: Rehearsal) -> None:
    link = invited(portal, "Bo Li", "bo@example.org")
    with someone(portal) as bo, someone(portal) as thief:
        bo.see(link)
        bo.send(link, password=PASSWORD)
        thief.http.cookies.update(bo.http.cookies)
        assert thief.see("/worker/account") == bo.see("/worker/account")
        assert "12 to 200" in bo.send("/worker/account/password", 400, password="")
        assert "password is changed" in bo.send("/worker/account/password", password=PASSWORD * 2)
        assert "Sign in" in thief.see("/worker/account")
        assert thief.path == "/worker/sign-in"
        assert bo.see("/worker/account").count("Bo Li")


def test_forms_of_other_sites_and_forged_tokens_change_nothing(portal: Rehearsal) -> None:
    link = invited(portal, "Cy Young")
    with someone(portal) as eve:
        eve.see(link)
        for given in ({}, {"form_token": "0" * 64}):
            eve._seen(eve.http.post(link, data={**given, "password": PASSWORD}), 403)
        for forged in ("/worker/join/" + "0" * 40, "/worker/link/" + "0" * 40):
            assert "not known" in eve.see(forged, 409) or "expired or was used" in eve.page
        for hostile in ("/worker/join/%3Cscript%3E", "/worker/link/a b"):
            assert "<script>" not in eve.see(hostile, 404).partition("</head>")[2]
    assert found(portal, "Cy Young").state == "invited"


def test_whoever_joins_openly_waits_for_approval_where_that_is_asked(portal: Rehearsal) -> None:
    link = open_link(portal, OpenTerms(5, needs_approval=True, group="course"))
    with someone(portal) as dee:
        assert "e-mail address" not in dee.see(link).replace("E-mail address or worker ID", "")
        assert "12 to 200" in dee.send(link, 400, name="Dee", password="short")
        assert 'value="Dee"' in dee.page
        assert "short" not in dee.page
        page = dee.send(link, name="Dee", email="dee@example.org", password=PASSWORD)
        assert "The requester will look" in page
        worker_id = found(portal, "Dee").worker_id
        assert worker_id in page  # they need it to sign in
        assert found(portal, "Dee").email is None  # nobody could confirm it
        dee.see("/worker/hits")
        assert dee.path == "/worker/sign-in"
        assert "The requester has to let you in first" in dee.sign_in(worker_id, PASSWORD, 403)
        set_state(portal, "Dee", "active")
        dee.sign_in(worker_id, PASSWORD)
        assert dee.path == "/worker/hits"
        set_state(portal, "Dee", "suspended")
        dee.see("/worker/hits")
        assert dee.path == "/worker/sign-in"
        assert "This account is closed" in dee.sign_in(worker_id, PASSWORD, 403)


def test_people_without_an_address_are_told_their_worker_id(portal: Rehearsal) -> None:
    link = invited(portal, "Eli")
    with someone(portal) as eli:
        eli.see(link)
        page = eli.send(link, password=PASSWORD)
        assert eli.path == "/worker/account/welcome"
        assert f"<strong>{found(portal, 'Eli').worker_id}</strong>: you sign in with it" in page


def test_a_link_by_e_mail_signs_in_whoever_is_known_and_nobody_learns_who_that_is(
    portal: Rehearsal, office: PostOffice
) -> None:
    link = invited(portal, "Fay Ray", "fay@example.org")
    with someone(portal) as fay:
        fay.see(link)
        fay.send(link)  # with a mail server nobody needs a password
        assert fay.path == "/worker/hits"
    answers = []
    with someone(portal) as visitor:
        for email in ("fay@example.org", "nobody@example.org", "not an address", "<script>@example.org"):
            visitor.see("/worker/sign-in")
            answers.append(visitor.send("/worker/sign-in/link", email=email).replace(email, "X"))
        assert answers[0] == answers[1]
        assert "<script>@" not in visitor.page
        in_letter = urlsplit(office.link_for("fay@example.org"))
        assert f"{in_letter.scheme}://{in_letter.netloc}" == portal.address
        for _ in range(2):  # a mail scanner looks first
            assert "Fay Ray" in visitor.see(in_letter.path)
        visitor.send(in_letter.path)
        assert visitor.path == "/worker/hits"
        assert "expired or was used" in visitor.see(in_letter.path, 409)
    assert [address for address, _ in office.taken] == ["fay@example.org"]


def test_few_letters_are_written_however_often_somebody_asks(portal: Rehearsal, office: PostOffice) -> None:
    link = invited(portal, "Gus", "gus@example.org")
    with someone(portal) as gus:
        gus.see(link)
        gus.send(link)
    with someone(portal) as eve:
        eve.see("/worker/sign-in")
        page = eve.page
        for _ in range(5):
            eve.page = page
            eve.send("/worker/sign-in/link", email="gus@example.org")
        eve.page = page
        assert "quarter of an hour" in eve.send("/worker/sign-in/link", 429, email="Gus@example.org")
        eve.see(join_link := open_link(portal, OpenTerms(5)))
        assert "quarter of an hour" in eve.send(join_link, 429, name="Eve", email="gus@example.org")
    office.link_for("gus@example.org", 5)
    assert len(office.taken) == sign_in_links.MOST


def test_a_class_behind_one_address_gets_its_links(portal: Rehearsal, office: PostOffice) -> None:
    with someone(portal) as student:
        student.see("/worker/sign-in")
        page = student.page
        for number in range(60):
            student.page = page
            student.send("/worker/sign-in/link", email=f"student{number}@example.org")


def test_an_address_is_confirmed_and_whoever_wrote_it_gets_nothing_by_that(
    portal: Rehearsal, office: PostOffice
) -> None:
    link = open_link(portal, OpenTerms(5, domain="uni.edu"))
    with someone(portal) as eve:
        assert "ends in @uni.edu" in eve.see(link)
        assert "addresses that end in @uni.edu" in eve.send(link, 400, name="Hal", email="hal@example.org")
        sent = eve.send(link, name="Buy pills", email="hal@uni.edu", password="password of eve, who waits")
        assert "We have sent a link to <strong>hal@uni.edu" in sent
        eve.see("/worker/hits")
        assert eve.path == "/worker/sign-in"
    first = office.link_for("hal@uni.edu")
    assert "Buy pills" not in str(office.taken[0][1])
    with someone(portal) as hal:
        letter = urlsplit(first).path
        hal.see(letter)
        hal.send(letter)
        assert hal.path == "/worker/hits"
    with someone(portal) as eve:
        assert "Nobody is known here" in eve.sign_in("hal@uni.edu", "password of eve, who waits", 403)
        eve.see(link)
        again = eve.send(link, name="Somebody", email="hal@uni.edu")
        assert again == sent.replace(*tokens(sent, again))
    office.link_for("hal@uni.edu", 2)
    assert [address for address, _ in office.taken] == ["hal@uni.edu"] * 2


def tokens(one: str, other: str) -> tuple[str, str]:
    """Return the form tokens of two pages, which differ in nothing else."""
    pattern = re.compile('name="form_token" value="([0-9a-f]+)"')
    return tuple("".join(pattern.findall(page)[:1]) for page in (one, other))  # type: ignore[return-value]


def test_links_in_letters_name_the_requesters_address_whatever_host_is_asked(
    portal: Rehearsal, office: PostOffice
) -> None:
    link = invited(portal, "Ivy", "ivy@example.org")
    with someone(portal) as ivy:
        ivy.see(link)
        ivy.send(link)
        ivy.see("/worker/sign-in")
        token = re.search('name="form_token" value="([0-9a-f]+)"', ivy.page)
        assert token is not None
        data = {"form_token": token[1], "email": "ivy@example.org"}
        for host in ("evil.example", f"localhost:{urlsplit(portal.address).port}"):
            ivy.http.post("/worker/sign-in/link", data=data, headers={"Host": host})
    assert office.link_for("ivy@example.org").startswith(portal.address)


def test_tries_are_counted_by_person_however_the_address_is_written(portal: Rehearsal) -> None:
    link = invited(portal, "Kim", "kim@example.org")
    with someone(portal) as kim:
        kim.see(link)
        kim.send(link, password=PASSWORD)
        kim.send("/worker/sign-out")
    worker_id = found(portal, "Kim").worker_id
    with someone(portal) as eve:
        spelled = ["kim@example.org", "KIM@example.org", worker_id, worker_id.lower(), " Kim@Example.Org"]
        for number in range(10):
            eve.sign_in(spelled[number % len(spelled)], f"guess number {number}", 403)
        for again in (*spelled, "\u212aim@example.org"):  # the sign of the unit kelvin, in small a k
            assert "Too many wrong tries" in eve.sign_in(again, PASSWORD, 429)


@pytest.fixture
def browser_page(browser: Browser, portal: Rehearsal) -> Iterator[Page]:
    tab = browser.new_page(base_url=portal.address)
    problems: list[str] = []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    yield tab
    tab.context.close()
    assert problems == []


def look(page: Page, name: str) -> None:
    for size, (width, height, scheme) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        check_accessible(page, f"{name} {size}")
        assert fits(page), f"{name} {size}"
        if (folder := screenshots()) is not None:
            page.screenshot(path=folder / f"people-{name}-{size}.png", full_page=True)


def test_a_person_joins_in_a_browser_by_keyboard(portal: Rehearsal, office: PostOffice, browser_page: Page) -> None:
    page = browser_page
    page.goto(open_link(portal, OpenTerms(5)))
    look(page, "join")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.get_by_label("Your name").focus()
    page.keyboard.type("Ida Wells")
    page.keyboard.press("Tab")
    page.keyboard.type("ida@example.org")
    page.keyboard.press("Enter")
    expect(page.get_by_text("We have sent a link to")).to_be_visible()
    look(page, "link-sent")
    page.goto(office.link_for("ida@example.org"))
    look(page, "link")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("navigation")).to_be_visible()
    page.get_by_role("link", name="Account").click()
    expect(page.get_by_text("ida@example.org", exact=True)).to_be_visible()
    look(page, "account")
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("password is changed")
    page.get_by_role("button", name="Sign out").click()
    look(page, "sign-in")
    page.get_by_label("E-mail address or worker ID").fill("ida@example.org")
    page.get_by_label("Password or access code").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("navigation")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    page.goto(open_link(portal, OpenTerms(5, needs_approval=True)))
    page.get_by_label("Your name").fill("Jo")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Almost done")).to_be_visible()
    look(page, "waiting")
