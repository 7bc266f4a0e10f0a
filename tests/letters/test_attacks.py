"""Attacks on the workers' pages: other people's pages and HITs, hostile text, floods, replays, and what is over."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from beat_the_ai.letters import token_of, worker_of
from beat_the_ai.rules.ids import new_pseudonym
from beat_the_ai.store.letters import MOST_OPEN
from beat_the_ai.workforce import Reviewing, Workforce
from tests.letters.conftest import Browser, Campaign
from tests.review.builders import GOOD, HOSTILE, SCRIPT, SLOPPY


def test_nobody_opens_a_page_without_its_token(http: TestClient, campaign: Campaign) -> None:
    own, other = campaign.path(GOOD), campaign.path(SLOPPY)
    forged = own.partition(".")[0] + "." + other.partition(".")[2]
    wrong = ["/x", "/.", "/" + "A" * 5_000, f"{own}0", own[:-1], forged, "/%ff%fe.0", "/..%2f.0", "/QQ==.ü"]
    for path in wrong:
        for answered in (http.get(path), http.post(path, data={"key": "k", "kind": "message", "text": "hi"})):
            assert answered.status_code == 404, path
            assert "requester" in answered.text or "Not Found" in answered.text
    unknown = token_of(campaign.bound().record, "A0NOBODY")
    assert http.get(f"/{unknown}").status_code == 404
    assert campaign.store.letters.of_campaign("pilot") == []


@pytest.mark.parametrize("worker", [GOOD, HOSTILE, "ä 𝄞/?#", "x" * 255])
def test_a_token_names_one_worker_of_one_campaign(campaign: Campaign, worker: str) -> None:
    record = campaign.bound().record
    assert worker_of(record, token_of(record, worker)) == worker
    other = campaign.store.campaigns.get("pilot-screening")
    assert worker_of(other, token_of(record, worker)) is None


def test_nobody_appeals_about_another_workers_hit(http: TestClient, campaign: Campaign) -> None:
    assignment = campaign.reject(SLOPPY)
    event = Workforce(campaign.bound(), clock=campaign.clock).revoke(SLOPPY, "ann", "why")
    good = Browser(http, campaign, GOOD)
    for kind, subject in [
        ("rejection", assignment), ("standing", str(event.id)), ("rejection", ""), ("standing", "1 OR 1=1"),
        ("rejection", "x" * 10_000), ("other", assignment), ("", ""),
    ]:  # fmt: skip
        assert "no decision" in good.send("Mine!", kind, subject, status=400)
    accepted = Reviewing(campaign.bound(), campaign.clock).queue("ann", GOOD)[0].assignment.id
    Reviewing(campaign.bound(), campaign.clock).accept(accepted, "ann")
    assert "no decision" in good.send("Better than accepted!", "rejection", accepted, status=400)
    assert campaign.store.letters.of_campaign("pilot") == []


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 2_001, "\n" * 1_000 + "x\n" * 300, "a\u202eb", "a\x00b", SCRIPT])
def test_hostile_text_is_refused_and_nothing_is_kept(http: TestClient, campaign: Campaign, text: str) -> None:
    shown = Browser(http, campaign, GOOD).send(text, status=400)
    assert "<script>" not in shown
    assert "<img" not in shown
    assert campaign.letters(GOOD) == []


def test_a_megabyte_is_not_read(http: TestClient, campaign: Campaign) -> None:
    Browser(http, campaign, GOOD).send("x" * 1_000_000, status=413)
    many = http.post(campaign.path(GOOD), data={f"field{number}": "x" for number in range(1_000)})
    assert many.status_code == 413
    assert campaign.letters(GOOD) == []


def test_everything_that_is_shown_is_escaped(http: TestClient, campaign: Campaign) -> None:
    campaign.reject(HOSTILE, reason="1 < 2 \"'")
    page = http.get(campaign.path(HOSTILE))
    assert "1 &lt; 2 &#34;&#39;" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"
    Browser(http, campaign, HOSTILE).send("1 < 2 & \"3\" '4' {{ 7 * 7 }}")
    assert "1 &lt; 2 &amp; &#34;3&#34; &#39;4&#39; {{ 7 * 7 }}" in http.get(campaign.path(HOSTILE)).text


@pytest.mark.parametrize("key", ["", "x" * 65, "ü", "a\nb"])
def test_a_key_is_bounded(http: TestClient, campaign: Campaign, key: str) -> None:
    Browser(http, campaign, GOOD).send("Hello", key=key, status=400)
    assert campaign.letters(GOOD) == []


def test_replays_and_floods(http: TestClient, campaign: Campaign) -> None:
    good, sloppy = Browser(http, campaign, GOOD), Browser(http, campaign, SLOPPY)
    for _ in range(3):
        good.send("Hello", key="same")
    sloppy.send("Hello from me", key="same")
    assert [one.text for one in campaign.letters(GOOD)] == ["Hello"]
    assert [one.text for one in campaign.letters(SLOPPY)] == ["Hello from me"]
    for number in range(1, MOST_OPEN):
        good.send("Hello", key=f"k{number}")
    assert "wait for an answer" in good.send("Hello", key="more", status=409)
    assert 'role="status"' in good.send("Hello", key="same")
    assert len(campaign.letters(GOOD)) == MOST_OPEN


def test_a_page_is_not_asked_for_without_end(
    http: TestClient, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("beat_the_ai.letters.app.BURST", 3)
    good = [http.get(campaign.path(GOOD)).status_code for _ in range(8)]
    assert good[:3] == [200] * 3
    assert 429 in good
    Browser(http, campaign, SLOPPY).look()


def test_an_erased_workers_page_is_gone(http: TestClient, campaign: Campaign) -> None:
    good = Browser(http, campaign, GOOD)
    good.send("Hello")
    campaign.store.erasure.erase(GOOD, new_pseudonym(), campaign.clock.at)
    good.look(404)
    good.send("Me again", key="k2", status=404)
    assert campaign.store.letters.of_campaign("pilot") == []
