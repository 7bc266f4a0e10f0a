"""A match in browsers: a moderator, two teams and a spectator, who reload, and a server that is killed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from beat_the_ai.kinds.quizbowl.tournament.folder import EventFolder
from beat_the_ai.kinds.quizbowl.tournament.log import Match, Tossup
from beat_the_ai.kinds.quizbowl.tournament.results import read_result
from tests.browser import PATIENCE_MS, check_accessible, fits
from tests.e2e.conftest import ROOT, screenshots
from tests.kinds.quizbowl.questions import ANSWERS, KILN, LOOM
from tests.kinds.quizbowl.tournament.matches import event, match, model
from tests.kinds.quizbowl.tournament.serving import ServedEvent, serving

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True, "color_scheme": "dark",
}  # fmt: skip
TOSSUPS = 20
HOSTILE = "<img src=x onerror=\"document.title='owned'\">"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServedEvent]:
    if not (ROOT / "webapp" / "event" / "dist" / "bundle.js").is_file():
        pytest.skip("the events' pages are not built: make webapp")
    tossups = [
        Tossup(id="loom", text=LOOM, answer=ANSWERS[0], adversarial=True),
        Tossup(id="kiln", text=KILN, answer=ANSWERS[1], adversarial=False),
    ]
    late = model("bot", loom=(len(LOOM.split()), "Loom"), kiln=(4, "Kiln"))
    match = Match(room="A", teams=["owls", "jays"], models=[late], tossups=tossups)
    with serving(EventFolder.create(tmp_path / "event", [match])) as running:
        yield running


def opened(browser: Browser, address: str, view: dict[str, Any]) -> Page:
    page = browser.new_context(reduced_motion="reduce", **view).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(address)
    return page


def check(page: Page, state: str) -> None:
    assert fits(page), f"{state}: the page scrolls sideways"
    if (folder := screenshots()) is not None:
        width = page.viewport_size["width"] if page.viewport_size else 0
        page.screenshot(path=folder / f"event-{state}-{width}.png", full_page=True)
    check_accessible(page, state)


def joined(browser: Browser, server: ServedEvent, team: str, player: str) -> Page:
    page = opened(browser, server.address, PHONE)
    page.get_by_label("Your team’s code").fill(server.keys["A"].teams[team].lower())
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Your name").fill(player)
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Wait")).to_be_visible()
    return page


def read(moderator: Page, words: int, since: int = 0) -> None:
    for number in range(since + 1, words + 1):
        moderator.get_by_role("button", name="Next word").press("Enter")
        expect(moderator.get_by_text(re.compile(rf" {number} of \d+ read"))).to_be_visible()


def answer(player: Page, moderator: Page, tossup: int, text: str, ruling: str) -> None:
    """As soon as the player's page is there, which may have lost its connection before."""
    expect(player.get_by_role("status").filter(has_text=f"Tossup {tossup} of")).to_be_visible()
    player.get_by_role("button", name="Buzz").click()
    player.get_by_label("Your answer").fill(text)
    player.get_by_role("button", name="Answer", exact=True).click()
    moderator.get_by_role("button", name=ruling, exact=True).click()
    expect(moderator.get_by_role("button", name=ruling, exact=True)).to_be_hidden()


def test_a_match_in_browsers_survives_reloads_and_a_kill(server: ServedEvent, browser: Browser) -> None:
    token = server.keys["A"].moderator
    moderator = opened(browser, f"{server.address}/#/rooms/A/moderate/{token}", DESKTOP)
    spectator = opened(browser, f"{server.address}/#/rooms/A", DESKTOP)
    owls, jays = joined(browser, server, "owls", "Ada"), joined(browser, server, "jays", HOSTILE)
    check(moderator, "begin")

    moderator.get_by_role("button", name="Begin with tossup 1").click()
    read(moderator, 3)
    expect(spectator.get_by_text("A lever of", exact=False)).to_be_visible()
    assert "machine" not in owls.content(), "a word that has not been read"
    check(owls, "open")
    owls.reload()
    owls.get_by_role("button", name="Buzz").click()
    owls.get_by_label("Your answer").fill("a spindle")
    owls.get_by_role("button", name="Answer", exact=True).click()
    expect(jays.get_by_role("button", name="Ada was first")).to_be_visible()
    check(owls, "answering")
    expect(moderator.get_by_text("a spindle")).to_be_visible()
    check(moderator, "ruling")

    server.kill()
    expect(moderator.get_by_text("connecting …")).to_be_visible()
    server.start()
    expect(moderator.get_by_text("connected", exact=True)).to_be_visible()
    moderator.get_by_role("button", name="Wrong", exact=True).click()
    moderator.reload()
    jays.get_by_role("button", name="Buzz").click()
    jays.get_by_label("Your answer").fill("loom")
    jays.get_by_role("button", name="Answer", exact=True).click()
    expect(moderator.get_by_text("which is one of its names", exact=False)).to_be_visible()
    moderator.get_by_role("button", name="Right", exact=True).click()
    expect(spectator.get_by_role("status").filter(has_text="is right: Loom")).to_be_visible()
    check(spectator, "over")

    moderator.get_by_role("button", name="Next: tossup 2").click()
    read(moderator, 4)
    moderator.get_by_role("button", name="Next word").press("Enter")  # people may buzz first; now the model does
    expect(owls.get_by_role("status").filter(has_text="bot is right: Kiln")).to_be_visible()
    first = owls.get_by_role("listitem").filter(has_text="1. Loom")
    expect(first).to_contain_text("bot would have said Loom at word")
    first.locator("summary").click()
    first.get_by_label("Ada of owls").check()
    first.get_by_label("Why").fill("A spindle is part of it.")
    first.get_by_role("button", name="Protest").click()
    expect(first.get_by_text("The moderator has been told.")).to_be_visible()
    check(owls, "played")

    second = opened(browser, f"{server.address}/#/rooms/A/moderate/{token}", PHONE)
    second.get_by_role("button", name="Take the chair").click()
    expect(moderator.get_by_text("Another page moderates this match.", exact=False)).to_be_visible()
    check(moderator, "without-chair")
    expect(second.get_by_text("A spindle is part of it.")).to_be_visible()
    second.get_by_text("End the match", exact=True).click()
    check(second, "protest")
    second.get_by_role("button", name="owls was wrong").click()
    expect(second.get_by_role("heading", name="Protests")).to_be_hidden()
    second.get_by_role("button", name="End it").click()
    expect(jays.get_by_text("The match is over.")).to_be_visible()
    check(second, "ended")
    assert all(page.title() != "owned" for page in (moderator, second, spectator, owls, jays))

    [(_, path)] = server.folder.matches()
    result = read_result(path)
    assert result.agrees
    assert result.recount == {"owls": -5, "jays": 15, "bot": 15}
    expect(spectator.get_by_role("row", name="owls")).to_have_text("owls−5001")


def test_twenty_tossups_between_two_teams_and_two_models_are_counted_alike(tmp_path: Path, browser: Browser) -> None:
    """A team reloads, so does the moderator, and the server is killed. What each side gets is counted here, too."""
    expected = dict.fromkeys(("Owls", "Jays", "Early Bot", "Late Bot"), 0)
    with serving(event(tmp_path / "e", match("A", tossups=TOSSUPS))) as server:
        moderator = opened(browser, f"{server.address}/#/rooms/A/moderate/{server.keys['A'].moderator}", DESKTOP)
        owls, jays = joined(browser, server, "Owls", "Ada"), joined(browser, server, "Jays", "Bo")
        next_word = moderator.get_by_role("button", name="Next word")
        for number in range(1, TOSSUPS + 1):
            moderator.get_by_role("button", name=re.compile(rf"tossup {number}$")).click()
            read(moderator, 2)
            if number == 6:
                owls.reload()
            if number == 9:
                server.kill()
                server.start()
                expect(moderator.get_by_text("connected", exact=True)).to_be_visible()
            if number % 4 == 1:  # Owls are early and right
                answer(owls, moderator, number, f"gadget {number}!", "Right")
                expected["Owls"] += 15
                continue
            if number % 4 == 2:  # Jays interrupt and are wrong
                answer(jays, moderator, number, "a guess", "Wrong")
                expected["Jays"] -= 5
            read(moderator, 4, since=2)
            next_word.press("Enter")  # Early Bot
            is_right = number % 3 == 0
            verdict = f"Early Bot {'is right' if is_right else 'was wrong'}"
            for page in (owls, moderator):  # whose next word is not read before
                expect(page.get_by_role("status").filter(has_text=verdict)).to_be_visible()
            if is_right:
                expected["Early Bot"] += 15
                continue
            expected["Early Bot"] -= 5 if number % 4 != 2 else 0
            if number == 12:
                moderator.reload()
            read(moderator, 6, since=4)
            if number % 4 == 3:  # Owls once more, late and right
                answer(owls, moderator, number, f"thing {number}", "Right")
                expected["Owls"] += 10
                continue
            read(moderator, 7, since=6)
            next_word.press("Enter")  # Late Bot
            expect(owls.get_by_role("status").filter(has_text="Late Bot is right")).to_be_visible()
            expected["Late Bot"] += 10
        moderator.get_by_text("End the match", exact=True).click()
        moderator.get_by_role("button", name="End it").click()
        expect(jays.get_by_text("The match is over.")).to_be_visible()
        [(_, path)] = server.folder.matches()
    result = read_result(path)
    assert result.agrees
    assert result.recount == expected
