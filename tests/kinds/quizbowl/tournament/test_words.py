"""The words of an event's pages: in each language, in a task folder's, and none in their code."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, BrowserContext, Page, expect

from beat_the_ai.cli import main
from beat_the_ai.errors import Refused
from beat_the_ai.kinds.quizbowl.tournament.app import REFUSALS
from beat_the_ai.kinds.quizbowl.tournament.events import Begun, Buzzed, Read
from beat_the_ai.kinds.quizbowl.tournament.log import MatchLog
from beat_the_ai.kinds.quizbowl.tournament.room import Room
from beat_the_ai.kinds.quizbowl.tournament.saying import WORDS, event_words
from beat_the_ai.kinds.quizbowl.tournament.server import PAGE
from beat_the_ai.messages import message_of, sent
from beat_the_ai.rules.languages import direction
from beat_the_ai.words import product_languages
from beat_the_ai.words.faults import faults
from beat_the_ai.words.languages import PRODUCT
from beat_the_ai.words.pseudo import PSEUDO, pseudo
from beat_the_ai.words.served import needed
from tests.browser import PATIENCE_MS, check_accessible, fits
from tests.kinds.quizbowl.tournament.matches import event, match
from tests.kinds.quizbowl.tournament.serving import ServedEvent, serving
from tests.thorough import names
from tests.webapp.test_right_to_left import VIEWS, cut
from tests.webapp.test_words import english_left

TASK = Path(__file__).parents[4] / "tasks" / "quizbowl"
MAX_GZIP_KB = 95  # the page with its words, in any language
NAMES = ("Owls", "Jays", "Ada", "Bea", "Early Bot", "Late Bot", "Quizbowl", "Crafts", "Thing", "Gadget", "accept")
NewPage = Callable[[str], Page]


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    if not (PAGE / "bundle.js").is_file():
        pytest.fail("the events' pages are not built: run `make webapp`")


def write(task: Path, language: str, area: str, **messages: str) -> None:
    folder = task / "words" / language
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{area}.json").write_text(json.dumps({key.replace("__", "."): text for key, text in messages.items()}))


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of words in the made-up language, as a task folder may have one."""
    folder = tmp_path_factory.mktemp("words")
    (folder / PSEUDO).mkdir()
    areas: dict[str, dict[str, str]] = {}
    for key, text in pseudo(event_words(["en"])[0]).messages.items():
        area, _, name = key.partition(".")
        areas.setdefault(area, {})[name] = text
    for area, messages in areas.items():
        (folder / PSEUDO / f"{area}.json").write_text(json.dumps(messages))
    return folder


@pytest.mark.parametrize("language", product_languages())
def test_all_words_of_events_are_there_in_each_language(language: str) -> None:
    assert faults([PRODUCT / "page", WORDS], language) == []


def test_a_page_gets_all_that_it_and_its_server_say_and_nothing_else() -> None:
    code = (PAGE / "bundle.js").read_text(encoding="utf-8")
    [english] = event_words(["en"])
    served = needed(english, code, REFUSALS).messages
    assert {key for key in english.messages if key.startswith("event")} <= served.keys()
    assert "writing.submit" not in served
    assert [key for key in served if key.startswith("refusals.") and not key.startswith("refusals.text.")] == []


def test_a_page_is_small_enough_for_a_phone(tmp_path: Path) -> None:
    files = [path.with_name(f"{path.name}.gz") for path in (PAGE / "bundle.js", PAGE / "style.css")]
    with serving(event(tmp_path / "e", match("A"))) as server:
        words = {tag: httpx.get(f"{server.address}/words/{tag}.json").content for tag in product_languages()}
    largest = max(len(gzip.compress(content)) for content in words.values())
    assert (sum(path.stat().st_size for path in files) + largest) / 1000 <= MAX_GZIP_KB


def test_a_refusal_that_is_told_again_after_a_restart_still_knows_its_message(tmp_path: Path) -> None:
    path = tmp_path / "A.jsonl"
    MatchLog.create(path, match("A")).close()
    for is_again in (False, True):
        log = MatchLog(path)
        room = Room(log)
        if not is_again:
            room.take_chair("page")
            room.moderate("page", "1", Begun(tossup=1))
            room.moderate("page", "2", Read(tossup=1, words=1))
            room.play("Owls", "first", Buzzed(tossup=1, team="Owls", player="Ada"))
        with pytest.raises(Refused) as refusal:
            room.play("Jays", "late", Buzzed(tossup=1, team="Jays", player="Bea"))
        arguments = {"player": "Ada", "team": "Owls"}
        assert sent(message_of(refusal.value)) == [{"key": "event_refusals.buzz.faster", "arguments": arguments}]
        log.close()


def test_a_log_without_messages_of_refusals_is_read(tmp_path: Path) -> None:
    path = tmp_path / "A.jsonl"
    MatchLog.create(path, match("A")).close()
    buzz = {"event": "buzzed", "tossup": 1, "team": "Jays", "player": "Bea"}
    entry = {"number": 1, "at": "2026-01-01T00:00:00Z", "key": "k", "by": "Jays", "event": buzz, "refusal": "Too late."}
    path.write_bytes(path.read_bytes() + json.dumps(entry).encode() + b"\n")
    log = MatchLog(path)
    with pytest.raises(Refused, match="Too late") as refusal:
        Room(log).play("Jays", "k", Buzzed(tossup=1, team="Jays", player="Bea"))
    log.close()
    assert sent(message_of(refusal.value)) == [{"text": "Too late."}]


def test_words_of_a_task_folder_are_checked_with_those_of_the_pages(tmp_path: Path) -> None:
    task = tmp_path / "task"
    (task / "conf").mkdir(parents=True)
    for path in TASK.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            copy = task / path.relative_to(TASK)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    write(task, "de", "event", buzz="Drücken", nothing="Nichts", buzz__first="{secret} war schneller")
    found = CliRunner().invoke(main, ["words", "check", str(task), "language.choices=[de]"]).output
    assert "event.nothing: No page shows a message of this key." in found
    assert "event.buzz.first: It has the arguments secret (text); the page gives player (text)." in found
    assert "event.buzz: " not in found


@pytest.mark.parametrize(
    ("language", "message"), [("de", "<script>alert(1)</script>"), ("en", "javascript:alert(1)"), ("de", "{secret}")]
)
def test_an_event_is_not_served_with_words_that_break_its_pages(tmp_path: Path, language: str, message: str) -> None:
    folder = event(tmp_path / "e", match("A"))
    write(tmp_path, language, "event", buzz=message)
    arguments = ["event", "--task", "quizbowl", "serve", str(folder.path), "--words", str(tmp_path / "words")]
    result = CliRunner().invoke(main, [*arguments, "--language", "de"])
    assert (result.exit_code, "event.buzz: It has" in result.output) == (2, True)


def test_a_language_without_words_is_refused(tmp_path: Path) -> None:
    folder = event(tmp_path / "e", match("A"))
    arguments = ["event", "--task", "quizbowl", "serve", str(folder.path), "--language", "fr"]
    result = CliRunner().invoke(main, arguments)
    assert "Unknown language 'fr'" in result.output


@pytest.fixture
def new_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[NewPage]:
    """Opens pages in the view that the test is for; a page's error fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []
    view = VIEWS[request.node.callspec.params["view"]] if hasattr(request.node, "callspec") else {}

    def opened(address: str) -> Page:
        context = browser.new_context(reduced_motion="reduce", **view)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def playing(new_page: NewPage, server: ServedEvent) -> Iterator[tuple[Page, str]]:
    """Play a match without reading a word of its pages; yield each page in each of its states."""
    keys = server.keys["A"]
    lobby = new_page(server.address)
    expect(lobby.locator(".rooms a")).to_have_count(1)
    yield lobby, "the lobby"
    lobby.locator("#code").fill("BBBB BBBB")
    lobby.locator("form button").click()
    lobby.locator("#player").fill("Ada")
    yield lobby, "a player's name"
    lobby.locator("form button").click()
    expect(lobby.get_by_role("alert")).to_be_visible()
    yield lobby, "a wrong code"
    teams = {}
    for team, player in (("Owls", "Ada"), ("Jays", "Bea")):
        teams[team] = new_page(f"{server.address}/#/join/{keys.teams[team]}")
        teams[team].get_by_role("textbox").fill(player)
        teams[team].locator("form button").click()
        expect(teams[team].locator(".buzz")).to_be_visible()
    owls, jays = teams["Owls"], teams["Jays"]
    moderator = new_page(f"{server.address}/#/rooms/A/moderate/{keys.moderator}")
    spectator = new_page(f"{server.address}/#/rooms/A")
    expect(spectator.locator(".scoreboard")).to_be_visible()
    yield spectator, "nothing has begun"
    yield moderator, "nothing has begun"
    moderator.locator(".desk button.primary").click()
    moderator.locator(".read").press("Enter")
    expect(owls.locator(".buzz")).to_have_attribute("data-open", "true")
    yield owls, "a tossup is read"
    yield moderator, "a tossup is read"
    owls.locator(".buzz").click()
    owls.get_by_role("textbox").fill("Gadget 1")
    expect(jays.locator(".buzz")).to_have_attribute("data-open", "false")
    yield jays, "another team was first"
    yield moderator, "nothing is typed yet"
    owls.get_by_role("textbox").fill("<b>Gadget</b>")
    owls.locator(".answer button").click()
    expect(owls.get_by_role("alert")).to_be_visible()
    yield owls, "an answer is refused"
    owls.get_by_role("textbox").fill("Gadget 1")
    owls.locator(".answer button").click()
    expect(owls.locator(".answer").get_by_role("status")).to_be_visible()
    yield owls, "an answer is sent"
    expect(moderator.locator(".ruling q")).to_be_visible()
    yield moderator, "a ruling is due"
    moderator.locator(".verdicts .wrong").click()
    expect(moderator.locator(".rulings")).to_be_visible()
    yield moderator, "a ruling can be taken back"
    yield owls, "the team has answered"
    moderator.locator(".read").focus()
    moderator.keyboard.down(" ")
    expect(moderator.locator(".played")).to_be_visible()
    moderator.keyboard.up(" ")
    expect(owls.locator(".played")).to_be_visible()
    yield spectator, "a tossup is over"
    yield moderator, "a tossup is over"
    owls.locator("summary").click()
    yield owls, "a protest"
    owls.locator(".protest").get_by_role("textbox").fill("Gadget 1")
    owls.locator(".protest button").click()
    expect(owls.locator(".protest").get_by_role("status")).to_be_visible()
    yield owls, "a protest is sent"
    expect(moderator.locator(".protests")).to_be_visible()
    moderator.locator("summary").click()
    yield moderator, "a protest waits"
    second = new_page(f"{server.address}/#/rooms/A/moderate/{keys.moderator}")
    expect(second.locator(".chair")).to_be_visible()
    yield second, "another page has the chair"
    moderator.locator("button.danger").click()
    expect(jays.locator(".buzz")).to_have_attribute("data-open", "false")
    yield jays, "the match is over"


@pytest.mark.parametrize("view", names(VIEWS, ["phone dark"]))
@pytest.mark.parametrize("language", names([PSEUDO, *product_languages()], [PSEUDO, "ar"]))
def test_each_page_speaks_its_readers_language_and_none_of_it_is_cut(
    tmp_path: Path, new_page: NewPage, made_up: Path, language: str, view: str
) -> None:
    folder = event(tmp_path / "e", match("A"))
    with serving(folder, "--language", language, "--words", str(made_up)) as server:
        codes = [f"{code[:4]} {code[4:]}" for code in server.keys["A"].teams.values()]
        for page, state in playing(new_page, server):
            expect(page.locator("html")).to_have_attribute("dir", direction(language))
            check_accessible(page, state)
            assert fits(page), state
            assert [element for element in cut(page) if 'class="scroll"' not in element] == [], state
            if language == PSEUDO:
                assert english_left(page, *NAMES, *codes) == [], state


def test_readers_choose_their_language_and_read_the_words_of_a_task_folder(tmp_path: Path, new_page: NewPage) -> None:
    write(tmp_path, "de", "event", lobby__play="Los geht’s")
    write(tmp_path, "de", "event_refusals", code="Diesen Code kennen wir nicht.")
    with serving(event(tmp_path / "e", match("A")), "--words", str(tmp_path / "words")) as server:
        page = new_page(server.address)
        expect(page.get_by_role("heading", name="Play")).to_be_visible()
        page.get_by_role("combobox").select_option("de")
        expect(page.get_by_role("heading", name="Los geht’s")).to_be_visible()
        page.get_by_role("textbox").fill("BBBB BBBB")
        page.get_by_role("button", name="Weiter").click()
        page.get_by_role("textbox", name="Dein Name").fill("Ada")
        page.get_by_role("button", name="Mitspielen").click()
        expect(page.get_by_role("alert")).to_have_text("Diesen Code kennen wir nicht.")
