"""What pages report of their errors ends in a log, in one line each, and cannot be more than that."""

from __future__ import annotations

import json

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from beat_the_ai.web.page_faults import MAX_BYTES, page_faults

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def http() -> TestClient:
    return TestClient(Starlette(routes=[page_faults()]))


def test_a_fault_is_logged_in_one_line(http: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    assert http.post("/faults", json={"text": "it broke\nforged: line \x1b[31m" + "x" * 5000}).status_code == 204
    [record] = caplog.records
    assert record.getMessage().startswith("a page failed: 'it broke\\nforged: line \\x1b[31mxxx")
    assert len(record.getMessage()) < 2100


def test_a_report_is_cut_as_the_log_shows_it(http: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    body = json.dumps({"text": "\U000e0001" * 1000}, ensure_ascii=False).encode()
    assert http.post("/faults", content=body, headers=JSON).status_code == 204
    assert len(caplog.records[0].getMessage()) < 2100


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b'{"text": "of a form"}', {"Content-Type": "text/plain"}, 415),
        (b"{", JSON, 400),
        (b"[" * 8000, JSON, 400),
        (b'"' + b"x" * MAX_BYTES + b'"', JSON, 413),
        (b"[]", JSON, 204),
        (b'{"text": "\\ud800"}', JSON, 204),
    ],
)
def test_nothing_that_is_sent_breaks_it(http: TestClient, body: bytes, headers: dict[str, str], status: int) -> None:
    assert http.post("/faults", content=body, headers=headers).status_code == status
