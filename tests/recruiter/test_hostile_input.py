"""Requests that nobody should send: each is refused, none breaks the server."""

from __future__ import annotations

import json
from typing import Any

import pytest

from beat_the_ai.recruiter.api.app import MAX_BODY_BYTES
from beat_the_ai.recruiter.api.operations import OPERATIONS
from tests.recruiter.running import STUDY, Researcher

WITH_A_BODY = [one for one in OPERATIONS if one.method in ("POST", "PATCH")]
IDS = ["x", "%00", "5f0000000000000000000000", "' OR 1=1 --", "\N{SNOWMAN}", "a" * 500]


def headers(researcher: Researcher) -> dict[str, str]:
    return {"Authorization": f"Token {researcher.token}"}


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.name)
def test_an_id_that_is_nothings_is_not_there(researcher: Researcher, operation: Any) -> None:
    for identifier in IDS if "{" in operation.path else []:
        path = operation.path.replace("{id}", identifier)
        for name in ("workspace_id", "project_id", "subscription_id"):
            path = path.replace("{" + name + "}", identifier)
        answer = researcher.http.request(operation.method, path, json={}, headers=headers(researcher))
        assert answer.status_code in (404, 400), (path, answer.text)
        assert set(answer.json()["error"]) >= {"status", "error_code", "title", "detail"}


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.name)
def test_nobody_gets_in_without_the_token(researcher: Researcher, operation: Any) -> None:
    if operation.name == "get-study-jwks":
        return
    tokens: list[Any] = ["", "Token", f"Bearer {researcher.token}", f"Token {researcher.token}x", "Token é".encode()]
    for sent in tokens:
        answer = researcher.http.request(operation.method, operation.path, headers={"Authorization": sent})
        assert answer.status_code == 401
        assert answer.json()["error"]["status"] == 401
        if researcher.contract is not None:
            researcher.contract.check_response(operation.method, operation.path, 401, answer.json())


@pytest.mark.parametrize(
    "operation", [one for one in OPERATIONS if one.method in ("POST", "PATCH")], ids=lambda one: one.name
)
def test_a_body_that_is_no_object_is_refused(researcher: Researcher, operation: Any) -> None:
    for body in (b"[]", b"{", b"nul", b"\xff", b'{"reward": NaN}', b"[" * 100_000, b'"text"', b"7"):
        answer = researcher.http.request(operation.method, operation.path, content=body, headers=headers(researcher))
        assert answer.status_code == 400


def test_a_body_that_is_too_long_is_refused(researcher: Researcher) -> None:
    body = b'{"name": "' + b"x" * MAX_BODY_BYTES + b'"}'
    answer = researcher.http.post("/api/v1/studies/", content=body, headers=headers(researcher))
    assert answer.status_code == 413
    answer = researcher.http.post("/sign-in", data={"participant_id": "x" * 4 * MAX_BODY_BYTES})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "value", [None, True, -1, 10**400, 1e308, [], {}, "", "x" * 30_000, "\ud800", "\0", [None], [[]], {"a": {}}]
)
def test_any_value_of_any_field_is_taken_or_refused(researcher: Researcher, value: Any) -> None:
    researcher.contract = None
    for field in (*STUDY, "filters", "submissions_config", "project", "metadata", "study_labels"):
        answer = researcher.http.post(
            "/api/v1/studies/", content=_json({**STUDY, field: value}), headers=headers(researcher)
        )
        assert answer.status_code in (201, 400), (field, answer.text)
        if answer.status_code == 201:
            researcher.study(answer.json()["id"])


def test_a_path_that_is_not_the_documents_is_not_there(researcher: Researcher) -> None:
    for method, path in (("GET", "/api/v1/filters/"), ("PUT", "/api/v1/studies/"), ("GET", "/api/v1/studies")):
        answer = researcher.http.request(method, path, headers=headers(researcher), follow_redirects=False)
        assert answer.status_code == 404
        assert answer.json()["error"]["title"] == "Not found"


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()
