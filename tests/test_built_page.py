"""A built page's files: packed where the browser can unpack them, and kept as long as they hold."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from beat_the_ai.web.built_page import AnswerHeaders, BuiltPage

SCRIPT = b"console.log('the bundle')"
HASHED = "assets/page-CeXyb7FM.css"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html>")
    (page / HASHED).write_text("p {}")
    (page / "bundle.js").write_bytes(SCRIPT)
    (page / "bundle.js.gz").write_bytes(gzip.compress(SCRIPT, mtime=0))
    (page / "bundle.js.br").write_bytes(b"as brotli has it")
    (tmp_path / "secret").write_text("nobody's business")
    return page


@pytest.fixture
def http(folder: Path) -> TestClient:
    async def own(_request: object) -> PlainTextResponse:
        return PlainTextResponse("", headers={"Cache-Control": "no-store"})

    headers = {"Cache-Control": "no-cache", "Referrer-Policy": "no-referrer"}
    routes = [Route("/own", own), Mount("/", BuiltPage(folder))]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(AnswerHeaders, headers=headers)]))


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("GZIP;q=0.5", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br; q=0.000, gzip; q=1", "gzip"),
        ("deflate", None),
        ("identity", None),
        ("", None),
    ],
)
def test_a_browser_gets_what_it_can_unpack(http: TestClient, accepted: str, coding: str | None) -> None:
    with http.stream("GET", "/bundle.js", headers={"Accept-Encoding": accepted}) as answer:
        content = b"".join(answer.iter_raw())
    assert answer.headers.get("content-encoding") == coding
    assert answer.headers["content-type"].split(";")[0] in ("text/javascript", "application/javascript")
    assert answer.headers["vary"] == "Accept-Encoding"
    assert content == {"br": b"as brotli has it", "gzip": gzip.compress(SCRIPT, mtime=0), None: SCRIPT}[coding]


def test_each_form_has_a_tag_by_which_it_is_not_sent_again(http: TestClient) -> None:
    tags = {}
    for coding in ("br", "gzip", "identity"):
        with http.stream("GET", "/bundle.js", headers={"Accept-Encoding": coding}) as answer:
            tags[coding] = answer.headers["etag"]
        again = http.get("/bundle.js", headers={"Accept-Encoding": coding, "If-None-Match": tags[coding]})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["vary"] == "Accept-Encoding"
    assert len(set(tags.values())) == 3


def test_what_is_packed_from_an_older_file_is_not_sent(http: TestClient, folder: Path) -> None:
    for name in ("bundle.js.br", "bundle.js.gz"):
        os.utime(folder / name, (0, 0))
    answer = http.get("/bundle.js", headers={"Accept-Encoding": "br, gzip"})
    assert "content-encoding" not in answer.headers
    assert answer.content == SCRIPT


def test_only_names_that_change_with_their_content_are_kept(http: TestClient) -> None:
    assert http.get(f"/{HASHED}").headers["cache-control"] == "public, max-age=31536000, immutable"
    for path in ("/", "/bundle.js"):
        assert http.get(path).headers.get_list("cache-control") == ["no-cache"]


def test_an_answer_keeps_its_own_headers(http: TestClient) -> None:
    assert http.get("/own").headers.get_list("cache-control") == ["no-store"]
    for path in ("/own", "/bundle.js", "/nowhere"):
        assert http.get(path).headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/../secret", "/%2e%2e/secret", "/assets/..%2f..%2fsecret", "/..%2fsecret%00.js"])
def test_nothing_outside_the_folder_can_be_had(http: TestClient, path: str) -> None:
    assert http.get(path).status_code == 404
