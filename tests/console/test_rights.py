"""The right that each route of console and review needs, tried with every role."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount
from starlette.testclient import TestClient

from beat_the_ai.console import Site, by_key, changes
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.errors import StoreError
from beat_the_ai.review import new_account
from beat_the_ai.review.visits import FILE, JSON, GuardedRoute, problem
from beat_the_ai.rules.roles import Right, Role
from beat_the_ai.store import Store
from tests.console.conftest import Visitor, watched_at
from tests.console.test_feed import everything, vote
from tests.review.builders import GOOD, HOSTILE, PASSWORD, SLOPPY
from tests.review.conftest import Clock, Reviewer

PATIENCE_SECONDS = 20
WITH_FILE = ("/api/acts/previews", "/api/acts/deeds-with-file", "/api/starts/contexts")
PLACES = ("", "/review/pilot", "/review/pilot-2")
FOR_EVERYBODY = {  # signing in and out, and a list of what one may see
    *(("GET", f"{place}/api/session") for place in PLACES),
    *(("POST", f"{place}/api/{act}") for place in PLACES for act in ("session", "sign-out")),
    ("GET", "/api/lines"),
}


@pytest.fixture
def app(site: Site, store: Store) -> Starlette:
    for role in Role:
        new_account(store, role.value, PASSWORD, role=role)
    return site.app()


def apis(routes: list[BaseRoute], at: str = "") -> Iterator[tuple[str, BaseRoute]]:
    """Yield the routes of all APIs in a tree of applications, each with its path."""
    for route in routes:
        if isinstance(route, Mount):
            yield from apis(list(route.routes), at + route.path)
        elif "/api" in at:
            yield at + getattr(route, "path", ""), route


def guarded(app: Starlette) -> dict[tuple[str, str], Right | None]:
    """Return the right for each method and path. Fails for a route that does not say who is let in."""
    rights: dict[tuple[str, str], Right | None] = {}
    for path, route in apis(list(app.routes)):
        assert isinstance(route, GuardedRoute), path
        for method in (route.methods or set()) - {"HEAD"}:
            rights[method, path] = route.right
    return rights


def test_every_route_says_who_is_let_in(app: Starlette) -> None:
    rights = guarded(app)
    assert {at for at, right in rights.items() if right is None} == FOR_EVERYBODY
    assert len(rights) > len(FOR_EVERYBODY) + 40
    assert not any(right is Right.WATCH for (method, _), right in rights.items() if method == "POST")


def ask(browser: Reviewer, method: str, path: str) -> int:
    """Return the status of an answer, with all that a page of this address would send."""
    if method == "POST":
        kind = FILE if path in WITH_FILE else JSON
        headers = {"X-Form-Token": browser.token, "Content-Type": kind}
        return browser.http.post(f"{path}?campaign=pilot", content=b"{}", headers=headers).status_code
    return browser.http.get(f"{path}?campaign=pilot&id={GOOD}").status_code


@pytest.mark.parametrize("role", Role)
def test_a_role_reaches_its_routes_alone(app: Starlette, visitor: Visitor, store: Store, role: Role) -> None:
    browser, stranger = visitor(role.value), visitor()
    for (method, path), right in guarded(app).items():
        if right is None or "pilot-2" in path:
            continue
        assert ask(stranger, method, path) == 401, path
        if not role.may(right):
            assert ask(browser, method, path) == 403, path
        elif not path.endswith("/changes"):  # which never ends
            assert ask(browser, method, path) not in (401, 403), path
    refused = [one.subject for one in store.audit.entries() if one.action == "not_allowed"]
    assert bool(refused) == (role in (Role.REVIEWER, Role.OBSERVER))


def test_an_observer_learns_of_nobody_by_name_and_of_nothing_to_settle(
    app: Starlette, visitor: Visitor, store: Store
) -> None:
    observer, lead = visitor("observer"), visitor("ann")
    [voted] = [one["attempt"] for one in everything(lead, outcome="beaten") if one["worker"] == HOSTILE]
    vote(store, voted, "A8", {"text": "Tam Orrin", "start": 1})
    figures = observer.get("/api/figures?campaign=pilot")
    assert figures["needs"] is None
    assert lead.get("/api/figures?campaign=pilot")["needs"] is not None
    [line] = observer.get("/api/lines")["lines"]
    assert (line["key"], line["figures"]["needs"]) == ("pilot", None)
    shown = observer.get("/api/feed?campaign=pilot")["verdicts"]
    names = {voted, *(one["attempt"] for one in shown)}
    tried = [observer.get(f"/api/attempt?campaign=pilot&id={name}") for name in names]
    [by] = [each["worker"] for one in tried for made in one["attempts"] for each in made["votes"]]
    others = [observer.get(f"/api/{name}?campaign=pilot") for name in ("people", "agreement", "balance")]
    assert shown
    assert {one["worker"] for one in lead.get("/api/feed?campaign=pilot")["verdicts"]} & {GOOD, SLOPPY, HOSTILE}
    people = (GOOD, SLOPPY, HOSTILE, "A8", "ann", "bob")
    assert not [name for name in people if f"'{name}'" in str([shown, tried, others])]
    assert by == pseudonym("A8", store.campaigns.get("pilot"))
    assert {(one["feedback"], one["verdicts"], tuple(one["history"])) for one in tried} == {(None, None, ())}


@pytest.mark.parametrize(
    "act",
    [
        lambda store, clock: store.accounts.set_role("observer", Role.REVIEWER),
        lambda store, clock: store.accounts.remove("observer", clock()),
        lambda store, clock: clock.advance(hours=13),
    ],
    ids=["role lowered", "removed", "session over"],
)
def test_an_open_stream_ends_when_its_listener_may_not_listen_any_more(
    app: Starlette,
    visitor: Visitor,
    store: Store,
    clock: Clock,
    act: Callable[[Store, Clock], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(changes, "CHECK_SECONDS", 0.1)
    cookies = "; ".join(f"{name}={value}" for name, value in visitor("observer").http.cookies.items())
    sent: list[Any] = []

    async def listen() -> None:
        opened = asyncio.Event()

        async def send(message: Any) -> None:
            sent.append(message)
            opened.set()

        async def receive() -> Any:
            await asyncio.sleep(0 if not opened.is_set() else 3600)
            return {"type": "http.request", "body": b"", "more_body": False}

        scope = {
            "type": "http", "method": "GET", "path": "/api/changes", "raw_path": b"/api/changes", "root_path": "",
            "query_string": b"campaign=pilot", "headers": [(b"host", b"testserver"), (b"cookie", cookies.encode())],
            "client": ("10.0.0.1", 5000), "server": ("testserver", 80), "scheme": "http", "http_version": "1.1",
        }  # fmt: skip
        served = asyncio.create_task(app(scope, receive, send))
        await asyncio.wait_for(opened.wait(), PATIENCE_SECONDS)
        await asyncio.sleep(0.3)
        assert not served.done()
        await asyncio.to_thread(act, store, clock)
        await asyncio.wait_for(served, PATIENCE_SECONDS)

    asyncio.run(listen())
    assert sent[0]["status"] == 200
    assert sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


def test_two_consoles_on_one_machine_know_their_own_sessions(
    visitor: Visitor, app: Starlette, site: Site, other: Store, clock: Clock, tmp_path: Path
) -> None:
    """A browser sends the cookies of one port to the other."""
    first = visitor("observer")
    with ThreadPoolExecutor(1) as executor:
        second = Site(by_key([watched_at(other, tmp_path / "other.db")]), site.pages, executor, clock)
        browser = Reviewer(TestClient(second.app(), client=("10.0.0.1", 5000)))
        browser.http.cookies.update(first.http.cookies)
        assert browser.get("/api/session") == {"reviewer": None}
        assert browser.sign_in("carl") == 200
        assert len(browser.http.cookies) == 2
        browser.post("/api/sign-out", {})
        second.close()
    assert first.get("/api/session")["reviewer"] == "observer"


def test_a_store_that_cannot_be_opened_is_no_fault_of_the_page() -> None:
    assert problem(StoreError("The store cannot be opened: database is locked")).status_code == 503
