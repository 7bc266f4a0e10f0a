"""The portal's languages: which one a browser gets, that none of it stays in English, and that it fits on a phone."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.testclient import TestClient

from beat_the_ai.marketplace import credentials, notifications
from beat_the_ai.marketplace.api.faults import market_faults
from beat_the_ai.marketplace.clock import FrozenClock
from beat_the_ai.marketplace.market import Market, open_market
from beat_the_ai.marketplace.people import invitations, person, sign_in_links, store
from beat_the_ai.marketplace.people.invitations import OpenTerms
from beat_the_ai.marketplace.people.person import NewPerson
from beat_the_ai.marketplace.portal.app import Portal
from beat_the_ai.marketplace.portal.languages import COOKIE, chosen_language
from beat_the_ai.marketplace.portal.visit import HERE
from beat_the_ai.marketplace.saying import WORDS, PortalVoice, voices
from beat_the_ai.messages import said
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.words.catalogue import page_words
from beat_the_ai.words.faults import faults
from beat_the_ai.words.languages import product_languages
from beat_the_ai.words.pseudo import PSEUDO, pseudo
from tests.browser import PATIENCE_MS, check_accessible, fits
from tests.e2e.conftest import screenshots
from tests.marketplace.conftest import NEW_YEAR
from tests.marketplace.desk import Desk, new_worker
from tests.thorough import names
from tests.webapp.test_words import english_left

LANGUAGES = ("en", "de", "es")
MADE_UP = {PSEUDO: PortalVoice(pseudo(page_words(ENGLISH, WORDS)))}
GIVEN = (
    "UTC",
    "US",
    "AWORKER",
    "Write questions that the AI gets wrong",
    "Write questions",
    "lab",
    "Reader",
    "Reads well",
)


def asking(header: str = "", kept: str = "") -> Request:
    headers = [(b"accept-language", header.encode()), (b"cookie", f"{COOKIE}={kept}".encode())]
    return Request({"type": "http", "headers": headers})


@pytest.mark.parametrize("language", sorted(voices()))
def test_the_portal_has_all_of_its_words_in_each_of_its_languages(language: str) -> None:
    assert faults([WORDS], language) == []


def test_the_portal_speaks_the_languages_of_the_product_and_never_of_hits() -> None:
    assert set(LANGUAGES) <= set(voices()) <= set(product_languages())
    for language in voices():
        messages = page_words(language, WORDS).messages
        assert [key for key, text in messages.items() if re.search(r"\bHITs?\b", text)] == []


def test_every_message_of_the_portal_is_said_somewhere_and_there() -> None:
    code = "".join(path.read_text() for path in HERE.parent.rglob("*.py"))
    code += "".join(path.read_text() for path in (HERE / "templates").iterdir())
    keys = {key for key in page_words(ENGLISH, WORDS).messages if key.startswith("portal")}
    named = set(re.findall(r"\"(portal(?:_\w+)?\.[\w.]+[\w])\"", code))
    begun = tuple(re.findall(r"\"(portal(?:_\w+)?\.[\w.]*)(?:\" ~|\{)", code))
    areas = ("portal.hint", "portal_refusals.question")  # whose keys are put together
    assert named - keys == set(areas)
    assert {key for key in keys - named if not key.startswith((*begun, *areas))} == set()


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,en;q=0.5", "de"),
        ("fr;q=0.9, es;q=0.4, de;q=0.5", "de"),
        ("es-419;q=1.0,en", "es"),
        ("DE", "de"),
        ("de;q=0, es", "es"),
        ("fr, *", "en"),
        ("de;q=high, es", "es"),
        ("x" * 600 + ",de", "en"),
        (",;q=,--,\x00", "en"),
    ],
)
def test_a_browser_gets_the_language_that_it_asks_for(header: str, language: str) -> None:
    assert chosen_language(asking(header), LANGUAGES, "en") == language


def test_a_choice_wins_over_the_browser_and_the_default_is_the_last() -> None:
    assert chosen_language(asking("de", kept="es"), LANGUAGES, "en") == "es"
    assert chosen_language(asking("de", kept="<script>"), LANGUAGES, "en") == "de"
    assert chosen_language(asking("fr"), LANGUAGES, "de") == "de"
    assert chosen_language(asking("fr"), LANGUAGES, "fr") == "en"


def test_amounts_and_times_are_written_as_the_language_has_them() -> None:
    english, german, spanish = (voices()[language] for language in LANGUAGES)
    assert [english.amount(123450, unit) for unit in ("USD", "CHF", "points")] == [
        "$1,234.50",
        "CHF 1,234.50",
        "1,234.5 points",
    ]
    assert [german.amount(123450, unit).replace("\xa0", " ") for unit in ("USD", "CHF", "points")] == [
        "1.234,50 $",
        "1.234,50 CHF",
        "1.234,5 Punkte",
    ]
    assert voices()["ar"].amount(123450, "USD").endswith("US$\u200e")  # else its dollar is shown on the other side
    assert spanish.amount(-250, "EUR").replace("\xa0", " ") == "-2,50 €"
    assert [one.duration(7_500) for one in (english, german, spanish, voices()["ar"])] == [
        "2 hours 5 minutes",
        "2 Stunden 5 Minuten",
        "2 horas y 5 minutos",
        "ساعتان و5 دقائق",
    ]
    assert [one.duration(7_200) for one in (english, spanish)] == ["2 hours", "2 horas"]
    assert german.told(said("refusals.text.empty", of="name")) == "Der Name ist leer. Bitte schreib etwas hinein."


@pytest.fixture
def visitor(market: Market) -> Iterator[Any]:
    with TestClient(Starlette(routes=Portal(market, market_faults()).routes())) as http:
        yield http


def choose(visitor: Any, page: str, language: str, target: str) -> Any:
    token = re.search('name="form_token" value="([0-9a-f]+)"', page)
    assert token is not None
    return visitor.post("/worker/language", data={"form_token": token[1], "language": language, "next": target})


def test_a_worker_chooses_a_language_and_comes_back_to_the_page(visitor: Any) -> None:
    page = visitor.get("/worker/sign-in?next=/worker/earnings").text
    assert '<html lang="en" dir="ltr">' in page
    chosen = choose(visitor, page, "de", "/worker/sign-in?next=/worker/earnings")
    assert chosen.url.path == "/worker/sign-in"
    assert '<html lang="de" dir="ltr">' in chosen.text
    assert 'value="/worker/earnings"' in chosen.text
    assert "Anmelden" in visitor.get("/worker/sign-in", headers={"Accept-Language": "es"}).text


@pytest.mark.parametrize("target", ["https://elsewhere.example", "//elsewhere.example", "/worker/../x", "/mturk"])
def test_a_choice_leads_nowhere_but_to_the_portal(visitor: Any, target: str) -> None:
    chosen = choose(visitor, visitor.get("/worker/sign-in").text, "de", target)
    assert (chosen.url.netloc, chosen.url.path) == (b"testserver", "/worker/sign-in")


def test_a_language_that_is_not_offered_is_refused(visitor: Any) -> None:
    page = visitor.get("/worker/sign-in").text
    refused = choose(visitor, page, "<b>", "/worker/sign-in")
    assert refused.status_code == 400
    assert "&lt;b&gt;" in refused.text
    assert visitor.post("/worker/language", data={"language": "de"}).status_code == 403


def test_the_store_has_the_language_of_whoever_asks_for_none(market: Market, visitor: Any) -> None:
    with market.writing() as moment:
        store.keep_language(moment, "es")
    assert '<html lang="es"' in visitor.get("/worker/sign-in", headers={"Accept-Language": "fr"}).text


def test_what_a_message_says_is_escaped_and_only_its_elements_are_not(market: Market) -> None:
    hostile = page_words(ENGLISH, WORDS)
    messages = {**hostile.messages, "portal.sign_in": "<script>x</script>", "portal.link.as": "<i>{name}</i>"}
    voice = PortalVoice(hostile.model_copy(update={"messages": messages}))
    with market.writing() as moment:
        [someone] = person.add_people(moment, [NewPerson("Ann & Bo", "ann@example.org")], "active")
        link = f"/worker/link/{sign_in_links.new_link(moment, someone)}"
    routes = Portal(market, market_faults(), spoken={ENGLISH: voice}).routes()
    with TestClient(Starlette(routes=routes)) as http:
        page = http.get(link).text
    assert "<script>x" not in page
    assert "&lt;script&gt;x&lt;/script&gt;" in page
    assert "&lt;i&gt;<strong>Ann &amp; Bo</strong>&lt;/i&gt;" in page


@contextmanager
def serving(market: Market, spoken: Mapping[str, PortalVoice]) -> Iterator[str]:
    """Serve the portal of a market in a thread; yield its address."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    app = Starlette(routes=Portal(market, market_faults(), spoken=spoken).routes())
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


ASKED = (
    "<Question><QuestionIdentifier>q</QuestionIdentifier><IsRequired>true</IsRequired><QuestionContent><Text>lab</Text>"
    "</QuestionContent><AnswerSpecification><FreeTextAnswer><Constraints><IsNumeric minValue='1' maxValue='9'/>"
    "<Length minLength='1' maxLength='9'/></Constraints></FreeTextAnswer></AnswerSpecification></Question>"
)
QUESTIONS = (
    "<QuestionForm xmlns='http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2017-11-06/QuestionForm.xsd'>"
    f"{ASKED}</QuestionForm>"
)


@dataclass
class Worker:
    """Somebody in a browser who looks at each page before going on."""

    page: Page
    address: str
    code: str
    look: Any

    def go(self, path: str) -> None:
        self.page.goto(self.address + path)
        self.look(path)

    def press(self, selector: str) -> None:
        with self.page.expect_navigation():
            self.page.locator(selector).first.click()
        self.look(selector)


def walk(worker: Worker, desk: Desk, market: Market) -> None:
    """See every page of the portal that there is."""
    page, address = worker.page, worker.address
    about = {"Description": "Reads well", "QualificationTypeStatus": "Active"}
    reads = desk.ask("CreateQualificationType", Name="Reader", **about)
    tested = {"Test": QUESTIONS, "TestDurationInSeconds": 600, "Name": "Reader lab"}
    desk.ask("CreateQualificationType", **tested, **about)
    needed = {"QualificationTypeId": reads["QualificationType"]["QualificationTypeId"], "Comparator": "Exists"}
    system = {"QualificationTypeId": "00000000000000000040", "Comparator": "LessThan", "IntegerValues": [100]}
    desk.new_hit(Question=QUESTIONS, QualificationRequirements=[needed, system])
    for reward in ("1.00", "3.00"):
        desk.new_hit(Question=QUESTIONS, Reward=reward)
    with market.writing() as moment:
        join = invitations.invite_openly(moment, OpenTerms(places=9))
        [known] = person.add_people(moment, [NewPerson("lab", "lab@example.org")], "active")
        link = sign_in_links.new_link(moment, known)
        notifications.send(moment, desk.requester_id, "AWORKER", "lab", "lab")
    for path in ("/worker/sign-in", f"/worker/join/{join}", f"/worker/link/{link}", "/worker/join/unknown"):
        worker.go(path)
    page.goto(f"{address}/worker/sign-in")
    page.locator("#worker").fill("AWORKER")
    page.locator("#code").fill("WRONG")
    worker.press("form.fields button")
    page.locator("#worker").fill("AWORKER")
    page.locator("#code").fill(worker.code)
    worker.press("form.fields button")
    for path in ("hits", "hits?q=none", "work", "qualifications", "earnings", "messages", "account"):
        worker.go(f"/worker/{path}")
    worker.go("/worker/account/welcome")
    worker.go("/worker/assignments/3NONE")
    worker.go("/worker/hits")
    worker.press("article .actions a.button")
    page.goto(f"{address}/worker/hits")
    worker.press("article form button")
    page.locator(".give-back summary").click()
    worker.look("give back")
    worker.press("main form.fields button")
    page.locator("textarea, input[type=text]").first.fill("12")
    worker.press("main form.fields button")
    page.locator("textarea, input[type=text]").first.fill("7")
    worker.press("main form.fields button")
    worker.go("/worker/earnings")
    worker.go("/worker/qualifications")
    worker.press("article form button >> nth=-1")
    worker.go("/worker/hits")
    worker.press("article form button")
    worker.go("/worker/work")
    page.locator(".give-back summary").click()
    page.locator(".give-back button").click()
    page.wait_for_url("**/worker/hits")
    worker.go("/worker/account/withdraw")
    page.locator("form.fields button").last.evaluate("one => one.form.noValidate = true")
    worker.press("form.fields button")
    worker.press("button.primary")
    worker.go("/worker/account")


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Market]:
    opened = open_market(f"sqlite:///{tmp_path}/market.db", FrozenClock(NEW_YEAR))
    yield opened
    opened.close()


def worker_in(browser: Browser, market: Market, address: str, look: Any) -> Worker:
    with market.writing() as moment:
        code = credentials.issue(moment, "AWORKER")
    page = browser.new_page(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE_MS)
    return Worker(page, address, code, lambda name: look(page, name))


def test_no_page_of_the_portal_is_left_in_english(browser: Browser, sqlite: Market) -> None:
    new_worker(sqlite)

    def look(page: Page, name: str) -> None:
        assert english_left(page, *GIVEN) == [], name
        assert page.locator("html").get_attribute("lang") == PSEUDO

    with serving(sqlite, MADE_UP) as address:
        worker = worker_in(browser, sqlite, address, look)
        walk(worker, Desk.opened(sqlite), sqlite)
        worker.page.close()


@pytest.mark.parametrize("language", names(["ar", "de", "es"], ["ar", "de"]))
def test_every_page_fits_on_a_phone_in_each_language(browser: Browser, sqlite: Market, language: str) -> None:
    new_worker(sqlite)
    seen: list[str] = []

    def look(page: Page, name: str) -> None:
        seen.append(name)
        assert fits(page), name
        check_accessible(page, f"{name} {language}")
        if (folder := screenshots()) is not None:
            page.screenshot(path=folder / f"portal-{language}-{len(seen):02}.png", full_page=True)

    with serving(sqlite, {language: voices()[language]}) as address:
        worker = worker_in(browser, sqlite, address, look)
        walk(worker, Desk.opened(sqlite), sqlite)
        expect(worker.page.locator("html")).to_have_attribute("lang", language)
        worker.page.close()
    assert len(seen) > 25
