"""What keeps others out: sessions, form tokens, throttling, and answers that say what a browser may do with them."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.review import accounts, new_password
from beat_the_ai.review.accounts import LASTS
from beat_the_ai.store import Account, Store, now
from tests.review.builders import HOSTILE, PASSWORD, SCRIPT, SLOPPY
from tests.review.conftest import Clock, NewReviewer, Reviewer

SHOWN = (
    "/api/overview",
    "/api/workers",
    "/api/worker?id=A2SLOPPY",
    "/api/candidates",
    "/api/requests",
    "/api/doubtful",
    "/api/edits?assignment=x",
    "/api/log",
)
CHANGES: dict[str, dict[str, Any]] = {
    "/api/judgements": {"assignment": "0" * 16, "verdict": "accept"},
    "/api/standings": {"worker": SLOPPY, "change": "revoke", "reason": "x", "confirmation": SLOPPY},
    "/api/admissions": {"attempt": "0" * 16, "admitted": True, "reason": "x"},
    "/api/results": {"all": True},
    "/api/sign-out": {},
}


def changes(store: Store) -> list[object]:
    return [*store.reviews.of_campaign("pilot"), *store.standings.history("pilot", SLOPPY)]


@pytest.mark.parametrize("path", SHOWN)
def test_nothing_is_shown_to_whoever_has_not_signed_in(new_reviewer: NewReviewer, path: str) -> None:
    told = new_reviewer().get(path, 401)
    assert told == {"error": {"code": "not_signed_in", "field": None, "message": "Please sign in."}}


@pytest.mark.parametrize("path", CHANGES)
def test_nothing_is_changed_by_whoever_has_not_signed_in(new_reviewer: NewReviewer, store: Store, path: str) -> None:
    new_reviewer().post(path, CHANGES[path], 401)
    assert changes(store) == []


@pytest.mark.parametrize("path", CHANGES)
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Form-Token": "0" * 64},
        {"X-Form-Token": "é"},
        {"X-Form-Token": "MINE", "Origin": "http://evil.example"},
        {"X-Form-Token": "MINE", "Origin": "http://testserver:8080"},
        {"X-Form-Token": "MINE", "Origin": "null"},
        {"X-Form-Token": "MINE", "Origin": "http://["},
        {"X-Form-Token": "MINE", "Sec-Fetch-Site": "same-site"},
        {"X-Form-Token": "MINE", "Content-Type": "text/plain"},
        {"X-Form-Token": "MINE", "Content-Type": "application/x-www-form-urlencoded"},
    ],
    ids=str,
)
def test_a_change_that_another_site_could_ask_for_is_refused(
    ann: Reviewer, store: Store, path: str, headers: dict[str, str]
) -> None:
    sent = {name: ann.token if value == "MINE" else value for name, value in headers.items()}
    told = ann.http.post(
        path, json=CHANGES[path], headers={name.encode(): value.encode() for name, value in sent.items()}
    )
    assert (told.status_code, told.json()["error"]["code"]) == (403, "elsewhere")
    assert changes(store) == []
    assert ann.get("/api/session")["reviewer"] == "ann"


def test_the_form_token_of_another_session_does_not_fit(ann: Reviewer, bob: Reviewer) -> None:
    bob.token = ann.token
    bob.post("/api/sign-out", {}, 403)


def test_signing_in_needs_json_too(new_reviewer: NewReviewer) -> None:
    """A form of another site could sign somebody in under a name that its owner knows."""
    http = new_reviewer().http
    given = {"name": "ann", "password": PASSWORD}
    assert http.post("/api/session", data=given).status_code == 403
    assert http.post("/api/session", json=given, headers={"Origin": "http://evil.example"}).status_code == 403


def test_the_cookie_is_kept_from_scripts_and_other_sites(new_reviewer: NewReviewer) -> None:
    http = new_reviewer().http
    given = {"name": "ann", "password": PASSWORD}
    cookie = http.post("/api/session", json=given).headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    over_tls = http.post("/api/session", json=given, headers={"Origin": "https://testserver", "X-Form-Token": "-"})
    assert over_tls.status_code == 403  # signed in already: then the token is needed
    http.cookies.clear()
    over_tls = http.post("/api/session", json=given, headers={"Origin": "https://testserver"})
    assert "Secure" in over_tls.headers["set-cookie"].split("; ")


def test_the_store_holds_nothing_that_signs_anybody_in(new_reviewer: NewReviewer, store: Store, tmp_path: Path) -> None:
    http = new_reviewer("ann").http
    [token] = http.cookies.values()
    store.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("campaign.db*"))
    assert PASSWORD.encode() not in kept
    assert token.encode() not in kept


@pytest.mark.parametrize("cookie", ["", "x", "0" * 64, "é", "'; DROP TABLE reviewers; --"])
def test_a_made_up_cookie_is_nobodys(ann: Reviewer, new_reviewer: NewReviewer, cookie: str) -> None:
    [name] = ann.http.cookies
    http = new_reviewer().http
    told = http.get("/api/session", headers={b"Cookie": f"{name}={cookie}".encode()})
    assert told.json() == {"campaign": None, "reviewer": None, "sees_all": False}


def test_wrong_passwords_are_counted_by_address_and_name(new_reviewer: NewReviewer, clock: Clock) -> None:
    thief = new_reviewer()
    assert [thief.sign_in("ann", f"guess number {n}") for n in range(11)] == [401] * 10 + [429]
    assert thief.sign_in("ann") == 429
    assert thief.sign_in("bob") == 200
    assert new_reviewer(address="10.0.0.2").sign_in("ann") == 200
    clock.advance(minutes=16)
    thief.http.cookies.clear()
    assert thief.sign_in("ann") == 200


def test_many_guesses_at_once_gain_nothing(new_reviewer: NewReviewer, store: Store) -> None:
    browsers = [new_reviewer() for _ in range(16)]
    with ThreadPoolExecutor(16) as threads:
        told = list(threads.map(lambda browser: browser.sign_in("ann", "wrong and wrong"), browsers))
    assert sorted(told) == [401] * 10 + [429] * 6
    assert sum(entry.action == "sign_in_failed" for entry in store.audit.entries()) == 10


def test_names_of_all_kinds_are_tried_fifty_times_from_one_address(new_reviewer: NewReviewer) -> None:
    thief = new_reviewer()
    told = [thief.sign_in(f"reviewer {n}", "") for n in range(51)]
    assert told == [401] * 50 + [429]


def test_whoever_is_removed_while_the_password_is_checked_is_not_let_in(
    store: Store, new_reviewer: NewReviewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = accounts.is_password

    def check_slowly(password: str, account: Account | None) -> bool:
        fits = check(password, account)
        store.accounts.remove("ann", now())
        return fits

    monkeypatch.setattr(accounts, "is_password", check_slowly)
    assert new_reviewer().sign_in("ann") == 401
    assert [entry.action for entry in store.audit.entries()][:2] == ["sign_in_failed", "sign_in"]


@pytest.mark.parametrize("name", ["nobody", "", "\0", "ann\0", "a" * 5000, SCRIPT, "ANN"])
def test_an_unknown_name_is_told_as_a_wrong_password_is(new_reviewer: NewReviewer, store: Store, name: str) -> None:
    http = new_reviewer().http
    told = http.post("/api/session", json={"name": name, "password": PASSWORD})
    wrong = http.post("/api/session", json={"name": "ann", "password": "wrong and wrong"})
    assert told.status_code == wrong.status_code == 401
    assert told.json() == wrong.json()
    assert [entry.who for entry in store.audit.entries()] == ["ann", ""]  # it may be a password in the wrong field


def test_a_session_ends_by_time_and_by_signing_out(new_reviewer: NewReviewer, clock: Clock) -> None:
    ann, other = new_reviewer("ann"), new_reviewer("ann")
    [(name, token)] = ann.http.cookies.items()
    ann.post("/api/sign-out", {})
    ann.http.cookies.set(name, token)
    ann.get("/api/overview", 401)
    other.get("/api/overview")
    clock.advance(seconds=LASTS.total_seconds())
    other.get("/api/overview", 401)


def test_a_new_password_and_a_removal_end_sessions(ann: Reviewer, bob: Reviewer, store: Store, clock: Clock) -> None:
    new_password(store, "ann", "another fine password")
    ann.get("/api/overview", 401)
    assert ann.sign_in("ann") == 401
    assert ann.sign_in("ann", "another fine password") == 200
    store.accounts.remove("bob", clock())
    bob.get("/api/overview", 401)
    assert bob.sign_in("bob") == 401


@pytest.mark.parametrize("path", ["/", "/bundle.js", "/style.css", "/icon.svg", "/api/session", "/api/overview"])
def test_every_answer_tells_the_browser_to_trust_nothing_else(ann: Reviewer, path: str) -> None:
    told = ann.http.get(path)
    policy = dict(rule.split(" ", 1) for rule in told.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert told.headers["x-content-type-options"] == "nosniff"
    assert told.headers["cache-control"] == ("no-store" if path.startswith("/api") else "no-cache")


@pytest.mark.parametrize(
    "path",
    [
        "/../campaign.db", "/%2e%2e/campaign.db", "/..%2fcampaign.db", "/%2fetc/passwd", "/static/../../campaign.db",
        "/bundle.js/..%2f..%2fcampaign.db", "/campaign.db", "/index.html%00.js", "//etc/passwd", "/api/../campaign.db",
    ],
)  # fmt: skip
def test_no_path_leads_to_another_file(new_reviewer: NewReviewer, path: str) -> None:
    told = new_reviewer().http.get(path)
    assert told.status_code == 404
    assert b"SQLite" not in told.content


def test_hostile_texts_come_as_json_that_no_browser_shows_as_a_page(ann: Reviewer) -> None:
    told = ann.http.get("/api/worker", params={"id": HOSTILE})
    assert told.headers["content-type"] == "application/json"
    [hit] = told.json()["hits"]
    assert (hit["attempts"][1]["work"]["question"], hit["feedback"], hit["attempts"][1]["flag"]["note"]) == (
        SCRIPT,
    ) * 3


@pytest.mark.parametrize("path", ["/api/session", *SHOWN, f"/api/worker?id={HOSTILE}"])
def test_what_is_private_is_in_no_answer(ann: Reviewer, store: Store, path: str) -> None:
    """Not the reference questions, not the key of the pseudonyms, not hashes of passwords."""
    told = ann.http.get(path).text
    account = store.accounts.get("ann")
    assert account is not None
    for private in ("secret", store.campaigns.get("pilot").pseudonym_key, account.salt, account.digest):
        assert private not in told


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", "body"),
        (b"[]", "body"),
        (b"{", "body"),
        (b'{"assignment": 7, "verdict": "accept"}', "assignment"),
        (b'{"assignment": "x", "verdict": "burn"}', "verdict"),
        (b'{"assignment": "x", "verdict": "accept", "reviewer": "bob"}', "reviewer"),
        (b'{"assignment": "x", "verdict": "accept", "reason": "\\ud800"}', "body"),
        (b" " * 65_537, "body"),
    ],
)
def test_a_malformed_change_is_told_by_its_field(ann: Reviewer, body: bytes, told: str) -> None:
    headers = {"X-Form-Token": ann.token, "Content-Type": "application/json"}
    response = ann.http.post("/api/judgements", content=body, headers=headers)
    assert (response.status_code, response.json()["error"]["field"]) == (400, told)


@pytest.mark.parametrize("name", ["no-such", "", "\0", "'", SCRIPT, "../../x"])
def test_unknown_assignments_and_workers_are_told(ann: Reviewer, store: Store, name: str) -> None:
    ann.judge(name, "accept", status=404)
    told = ann.http.get("/api/worker", params={"id": name})
    assert told.status_code == 404
    ann.post("/api/standings", {"worker": name, "change": "revoke", "reason": "x", "confirmation": name}, 404)
    assert changes(store) == []


def test_methods_and_paths_that_do_not_exist_change_nothing(ann: Reviewer) -> None:
    assert ann.http.put("/api/judgements").status_code == 405
    assert ann.http.get("/api/judgements").status_code == 405
    assert ann.http.get("/api/nothing").status_code == 404


def test_the_built_page_holds_nothing_that_the_policy_would_have_to_allow() -> None:
    page = (Path(__file__).parents[2] / "webapp" / "review" / "dist" / "index.html").read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|https?:", page)


def test_a_page_tells_what_failed(new_reviewer: NewReviewer) -> None:
    told = new_reviewer().http.post("/faults", json={"text": "it broke"})
    assert told.status_code == 204
