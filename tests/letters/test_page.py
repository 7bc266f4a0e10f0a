"""A worker's page: results, reviewed HITs with their reasons, messages and appeals with deadlines."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from beat_the_ai import letters
from beat_the_ai.letters import build_app
from beat_the_ai.letters.saying import voices
from beat_the_ai.store.tables import assignments
from beat_the_ai.words.catalogue import page_words
from beat_the_ai.words.faults import faults
from beat_the_ai.words.languages import LETTERS
from beat_the_ai.workforce import Workforce
from tests.campaign.configured import config
from tests.letters.conftest import WHY, Browser, Campaign
from tests.review.builders import GOOD, HITS, NEWCOMER, SLOPPY


def test_results_so_far(http: TestClient, campaign: Campaign) -> None:
    page = Browser(http, campaign, GOOD).look()
    assert re.search(rf"Tasks that count</dt> <dd>{HITS}</dd>", page)
    assert f"{HITS} of {HITS} tries (100%)" in page  # what was taken back is no try
    assert "$12.34, of which $2.00 are paid" in page


def test_results_tell_nobody_of_wins_that_their_arm_does_not_show(http: TestClient, campaign: Campaign) -> None:
    settings = config()
    settings["round"]["arms"] = {"human": {"shows_model": False}, "model": {}}
    campaign.store.rounds.amend("pilot", 1, settings)
    browser = Browser(http, campaign, GOOD)
    hits = [one.id for one in campaign.store.assignments.confirmed("pilot", worker=GOOD)]

    def page_in_arm(arm: str, *, of: list[str]) -> str:
        with campaign.store.database.writing() as connection:
            connection.execute(sa.update(assignments).where(assignments.c.id.in_(of)).values(arm=arm))
        return browser.look()

    assert f"{HITS} of {HITS} tries (100%)" in page_in_arm("model", of=hits)
    assert "1 of 1 try (100%)" in page_in_arm("human", of=hits[1:])  # another round's, perhaps
    page = page_in_arm("human", of=hits)
    assert re.search(rf"Tasks that count</dt> <dd>{HITS}</dd>", page)
    assert "tries" not in page
    assert "Beat the AI" not in page


def test_a_message_is_kept_once_and_shown_with_its_deadline(http: TestClient, campaign: Campaign) -> None:
    browser = Browser(http, campaign, GOOD)
    for _ in range(2):
        shown = browser.send("When am I paid?\n\nThank you!")
        assert 'role="status"' in shown
        assert "answered until 2026-03-08 12:00 UTC" in shown
    [letter] = campaign.letters(GOOD)
    assert (letter.kind, letter.text, letter.at) == ("message", "When am I paid?\n\nThank you!", campaign.clock.at)
    assert Browser(http, campaign, SLOPPY).look().count("When am I paid?") == 0


def test_reasons_are_shown_only_where_the_campaign_shows_them(http: TestClient, campaign: Campaign) -> None:
    assignment = campaign.reject(SLOPPY)
    browser = Browser(http, campaign, SLOPPY)
    assert WHY in browser.look()
    assert "ann" not in re.sub(r"<[^>]*>", "", browser.look()).split()
    campaign.terms["shows_reasons"] = False
    assert WHY not in browser.look()
    assert "rejected" not in browser.look()
    assert "no decision" in browser.send("It is one.", "rejection", assignment, status=400)
    assert campaign.letters(SLOPPY) == []


def test_a_rejected_hit_is_appealed_once_until_its_deadline(http: TestClient, campaign: Campaign) -> None:
    assignment = campaign.reject(SLOPPY)
    browser = Browser(http, campaign, SLOPPY)
    assert "Appeal until 2026-03-31 12:00 UTC" in browser.look()
    assert {"rejection", "message"} == {form["kind"] for form in browser.fields()}
    campaign.clock.advance(days=30, seconds=1)
    assert "ended on 2026-03-31" in browser.send("It is one.", "rejection", assignment, status=409)
    campaign.clock.advance(days=-1)
    browser.send("It is one.", "rejection", assignment)
    assert "appealed this before" in browser.send("Again!", "rejection", assignment, key="k2", status=409)
    [appeal] = campaign.letters(SLOPPY)
    assert (appeal.kind, appeal.subject, appeal.text) == ("rejection", assignment, "It is one.")
    assert {form["kind"] for form in browser.fields()} == {"message"}


def test_a_refused_newcomer_appeals_without_seeing_a_reason(http: TestClient, campaign: Campaign) -> None:
    Workforce(campaign.bound(), clock=campaign.clock).revoke(NEWCOMER, "ann", WHY)
    browser = Browser(http, campaign, NEWCOMER)
    page = browser.look()
    assert "You were not let in" in page
    assert WHY not in page
    [subject] = [form["subject"] for form in browser.fields() if form["kind"] == "standing"]
    browser.send("Please look again.", "standing", subject)
    assert [one.kind for one in campaign.letters(NEWCOMER)] == ["standing"]
    campaign.terms["appeal_days"] = None
    assert "Appeal until" not in browser.look()


def test_what_was_refused_stays_in_its_field(http: TestClient, campaign: Campaign) -> None:
    shown = Browser(http, campaign, GOOD).send("Nice \u202e text & more", status=400)
    assert 'role="alert"' in shown
    assert "Nice \u202e text &amp; more</textarea>" in shown
    assert campaign.letters(GOOD) == []


@pytest.mark.parametrize("language", sorted(voices()))
def test_the_page_has_all_of_its_words_in_each_of_its_languages(language: str) -> None:
    assert faults([LETTERS], language) == []


def test_every_message_of_the_page_is_said_and_there() -> None:
    folder = Path(letters.__file__).parent
    code = "".join(path.read_text() for path in (*folder.glob("*.py"), *folder.glob("templates/*")))
    keys = {key for key in page_words("en", LETTERS).messages if key.startswith("letters")}
    named = set(re.findall(r"\"(letters(?:_refusals)?\.[\w.]*\w)\"", code))
    begun = ("letters.kind.", "letters.answer", "letters.upheld", "letters.not_upheld")
    assert named - keys == set()
    assert {key for key in keys - named if not key.startswith(begun)} == set()


def test_the_page_speaks_the_language_of_the_task_that_led_here(http: TestClient, campaign: Campaign) -> None:
    path = campaign.path(SLOPPY)
    for asked, header, heading in (
        ("?lang=de", "es", "Deine Ergebnisse und Nachrichten"),
        ("", "es", "Tus resultados y mensajes"),
        ("?lang=<b>", "fr", "Your results and messages"),
    ):
        page = http.get(path + asked, headers={"Accept-Language": header}).text
        assert f"<h1>{heading}</h1>" in page


def test_a_campaign_has_words_of_its_own_but_for_those_that_would_break_the_page(
    campaign: Campaign, tmp_path: Path
) -> None:
    for language, messages in {
        "de": {"title": "Deine Post", "so_far": "Bis jetzt {", "write": "<b>Schreib</b>"},
        "nl": {"title": "Je post"},
    }.items():
        (tmp_path / language).mkdir()
        (tmp_path / language / "letters.json").write_text(json.dumps(messages))
    with TestClient(build_app(campaign.bound().record, campaign.box, tmp_path)) as http:
        shown = {language: http.get(f"{campaign.path(GOOD)}?lang={language}").text for language in ("de", "nl", "en")}
    product = page_words("de", LETTERS).messages
    assert "<h1>Deine Post</h1>" in shown["de"]
    assert product["letters.so_far"] in shown["de"]
    assert product["letters.write"] in shown["de"]
    assert "Schreib</b>" not in shown["de"]
    assert 'lang="nl"' in shown["nl"]
    assert "<h1>Je post</h1>" in shown["nl"]
    assert "Tasks that count" in shown["nl"]  # what is not translated is English
    assert "Post" not in shown["en"]


def test_words_that_cannot_be_read_leave_the_products(campaign: Campaign, tmp_path: Path) -> None:
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "letters.json").write_text("{")
    with TestClient(build_app(campaign.bound().record, campaign.box, tmp_path)) as http:
        assert page_words("de", LETTERS).messages["letters.title"] in http.get(f"{campaign.path(GOOD)}?lang=de").text
