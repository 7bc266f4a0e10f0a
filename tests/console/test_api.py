"""The console's API answers as its document says, to a lead and to an observer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate
from starlette.testclient import TestClient

from beat_the_ai.console import Site, by_key
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import Store
from scripts.write_reference import FOLDER
from tests.console.conftest import Visitor, watched_at
from tests.review.builders import PASSWORD

DOCUMENT: dict[str, Any] = json.loads((FOLDER / "console-api.json").read_text(encoding="utf-8"))
TOKEN = "a-token-that-nobody-guesses"
ASKED = {"campaign": "pilot", "page": "1", "sort": "-wins", "outcome": "beaten"}


def faults(path: str, status: int, answer: object) -> list[str]:
    """Return what the document does not have of an answer."""
    response = DOCUMENT["paths"][path]["get"]["responses"][str(status)]
    schema = {**response["content"]["application/json"]["schema"], "components": DOCUMENT["components"]}
    return [error.message for error in OAS31Validator(schema).iter_errors(answer)]


def test_the_document_is_one() -> None:
    validate(DOCUMENT)


@pytest.mark.parametrize("role", [Role.LEAD, Role.OBSERVER])
def test_answers_are_as_the_document_says(visitor: Visitor, store: Store, role: Role) -> None:
    new_account(store, "reader", PASSWORD, role=role)
    reader = visitor("reader")
    [shown, *_] = reader.get("/api/feed?campaign=pilot")["verdicts"]
    for path, described in DOCUMENT["paths"].items():
        if path == "/changes":  # which never ends
            continue
        names = [each["name"] for each in described["get"]["parameters"]]
        asked = {name: value for name, value in {**ASKED, "id": shown["attempt"]}.items() if name in names}
        told = reader.http.get(f"/api{path}", params=asked)
        assert (told.status_code, faults(path, 200, told.json())) == (200, []), path
        assert faults(path, 200, {**told.json(), "secret": 1}), path


@pytest.fixture
def script(site: Site, store: Store) -> Iterator[TestClient]:
    """A console that was started with the token."""
    with ThreadPoolExecutor(1) as executor:
        console = Site(by_key([watched_at(store, Path())]), site.pages, executor, token=TOKEN)
        with TestClient(console.app()) as http:
            yield http
        console.close()


def test_a_script_reads_as_an_observer_does_and_changes_nothing(script: TestClient, visitor: Visitor) -> None:
    mine = {"Authorization": f"Bearer {TOKEN}"}
    told = script.get("/api/session", headers=mine).json()
    assert {each["role"] for each in told["campaigns"]} == {"observer"}
    shown = script.get("/api/feed", params={"campaign": "pilot"}, headers=mine).json()
    assert {each["worker"][:2] for each in shown["verdicts"]} == {"w-"}
    assert faults("/feed", 200, shown) == []
    for path in ("/api/sign-out", "/review/pilot/api/judgements"):
        assert script.post(path, json={}, headers=mine).status_code in (401, 403)
    assert script.get("/review/pilot/api/workers", headers=mine).status_code == 401
    for wrong in ({}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {TOKEN}x"}, {"Authorization": TOKEN}):
        assert script.get("/api/figures", params={"campaign": "pilot"}, headers=wrong).status_code == 401
    without = visitor().http.get("/api/figures", params={"campaign": "pilot"}, headers=mine)
    assert without.status_code == 401  # this console was started without a token


@pytest.mark.parametrize(
    ("name", "path", "asked", "status"),
    [
        ("", "/figures", {"campaign": "pilot"}, 401),
        ("cal", "/figures", {"campaign": "pilot"}, 403),
        ("ann", "/figures", {"campaign": "no-such"}, 404),
        ("ann", "/people", {"campaign": "pilot", "sort": "password"}, 400),
    ],
)
def test_failures_are_as_the_document_says(
    visitor: Visitor, store: Store, name: str, path: str, asked: dict[str, str], status: int
) -> None:
    new_account(store, "cal", PASSWORD)
    told = visitor(name).http.get(f"/api{path}", params=asked)
    assert (told.status_code, faults(path, status, told.json())) == (status, [])
