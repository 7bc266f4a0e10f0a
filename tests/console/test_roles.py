"""One sign-in for all campaigns of a console; what leads see, and what others do."""

from __future__ import annotations

import pytest

from beat_the_ai.review.accounts import LASTS
from beat_the_ai.store import Store
from tests.console.conftest import ELSEWHERE, Visitor
from tests.review.builders import PASSWORD, SCRIPT
from tests.review.conftest import Clock, Reviewer

SHOWN = (
    "/api/figures?campaign={}",
    "/api/people?campaign={}",
    "/api/agreement?campaign={}",
    "/api/balance?campaign={}",
    "/api/feed?campaign={}",
    "/api/attempt?campaign={}&id=x",
    "/api/changes?campaign={}",
)


def campaigns(browser: Reviewer) -> dict[str, str]:
    """Return `{key: the visitor's role in it}`."""
    return {each["key"]: each["role"] for each in browser.get("/api/session")["campaigns"]}


def test_whoever_signs_in_sees_the_campaigns_that_know_the_name_and_the_password(visitor: Visitor) -> None:
    assert campaigns(visitor("ann")) == {"pilot": "lead", "pilot-2": "reviewer"}
    assert campaigns(visitor("bob")) == {"pilot": "lead"}
    assert campaigns(visitor("bob", ELSEWHERE)) == {"pilot-2": "lead"}
    assert campaigns(visitor("carl")) == {"pilot-2": "lead"}


@pytest.mark.parametrize("path", SHOWN)
def test_only_a_lead_of_a_campaign_sees_its_console(visitor: Visitor, path: str) -> None:
    ann, bob, stranger = visitor("ann"), visitor("bob"), visitor()
    if "changes" not in path:  # which never ends
        ann.http.get(path.format("pilot"))
        assert ann.http.get(path.format("pilot")).status_code == (404 if "attempt" in path else 200)
    assert ann.get(path.format("pilot-2"), 403)["error"]["code"] == "not_allowed"
    for key in ("pilot-2", "no-such", "", SCRIPT):
        bob.get(path.format(key), 404)
    stranger.get(path.format("pilot"), 401)


def test_the_lines_are_those_of_ones_own_campaigns(visitor: Visitor) -> None:
    ann, carl = visitor("ann"), visitor("carl")
    [line] = ann.get("/api/lines")["lines"]
    assert (line["key"], line["figures"]) == ("pilot", None)  # nobody has made any yet
    figures = ann.get("/api/figures?campaign=pilot")
    [line] = ann.get("/api/lines")["lines"]
    assert (line["figures"]["attempts"], line["figures"]["needs"]) == (figures["progress"]["attempts"], 1)
    assert line["figures"]["used_cents"] == figures["money"]["owed_cents"] + figures["money"]["reserved_cents"]
    assert [one["key"] for one in carl.get("/api/lines")["lines"]] == ["pilot-2"]
    visitor().get("/api/lines", 401)


def test_a_session_is_good_for_the_review_pages_too(visitor: Visitor) -> None:
    ann, bob = visitor("ann"), visitor("bob")
    assert ann.get("/review/pilot/api/session")["role"] == "lead"
    assert ann.get("/review/pilot-2/api/session")["role"] == "reviewer"
    ann.get("/review/pilot/api/overview")
    assert bob.get("/review/pilot-2/api/session")["reviewer"] is None
    bob.get("/review/pilot-2/api/overview", 401)


def test_whoever_signs_in_or_out_at_a_review_page_does_so_everywhere(visitor: Visitor, other: Store) -> None:
    browser = visitor()
    given = {"name": "bob", "password": PASSWORD}
    assert browser.http.post("/review/pilot-2/api/session", json=given).status_code == 401
    assert browser.get("/api/session") == {"reviewer": None}
    assert browser.http.post("/review/pilot/api/session", json={**given, "name": "ann"}).status_code == 200
    assert campaigns(browser) == {"pilot": "lead", "pilot-2": "reviewer"}
    browser.token = browser.get("/api/session")["form_token"]
    browser.post("/review/pilot/api/sign-out", {})
    assert browser.get("/api/session") == {"reviewer": None}
    assert [entry.action for entry in other.audit.entries() if entry.who == "ann"][:2] == ["sign_out", "sign_in"]


def test_a_session_ends_by_time_sign_out_and_removal(visitor: Visitor, store: Store, clock: Clock) -> None:
    ann, late = visitor("ann"), visitor("ann")
    ann.post("/api/sign-out", {})
    assert ann.get("/api/session") == {"reviewer": None}
    store.accounts.remove("ann", clock())
    assert campaigns(late) == {"pilot-2": "reviewer"}
    clock.advance(seconds=LASTS.total_seconds())
    assert late.get("/api/session") == {"reviewer": None}


def test_wrong_passwords_are_counted(visitor: Visitor) -> None:
    thief = visitor()
    assert [thief.sign_in("ann", f"guess number {n}") for n in range(11)] == [401] * 10 + [429]


@pytest.mark.parametrize(
    "headers",
    [{}, {"X-Form-Token": "0" * 64}, {"X-Form-Token": "MINE", "Origin": "http://evil.example"}],
    ids=str,
)
def test_a_change_that_another_site_could_ask_for_is_refused(visitor: Visitor, headers: dict[str, str]) -> None:
    ann = visitor("ann")
    sent = {name: ann.token if value == "MINE" else value for name, value in headers.items()}
    assert ann.http.post("/api/sign-out", json={}, headers=sent).status_code == 403
    assert ann.get("/api/session")["reviewer"] == "ann"


@pytest.mark.parametrize("path", ["/", "/bundle.js", "/api/session", "/review/pilot/", "/review/pilot/api/session"])
def test_every_answer_tells_the_browser_to_trust_nothing_else(visitor: Visitor, path: str) -> None:
    told = visitor("ann").http.get(path)
    assert told.status_code == 200
    policy = told.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert told.headers["x-content-type-options"] == "nosniff"


def test_the_cookie_is_kept_from_scripts_and_other_sites(visitor: Visitor) -> None:
    given = {"name": "ann", "password": PASSWORD}
    cookie = visitor().http.post("/api/session", json=given).headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
