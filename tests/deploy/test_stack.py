"""The services of deploy/ behind the real Caddy: what a person does there, and what passes it."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from beat_the_ai.console.uploads import MOST_BYTES
from tests.browser import PATIENCE_MS, browser
from tests.cli.launching import needs_pages
from tests.deploy.stack import Stack, running
from tests.e2e.test_own_people import join, write
from tests.postgres import PostgresServer
from tests.webapp.tours import remember_tours

__all__ = ["browser"]

PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
ALL = ("address", "portal", "models", "operator", "console", "recruiter", "caddy")
PASSWORD = "correct horse battery"
pytestmark = [
    needs_pages,
    pytest.mark.skipif(shutil.which("caddy", path=PATH) is None, reason="Caddy is not installed: make test does it"),
]


@pytest.fixture
def stack(tmp_path: Path, postgres: PostgresServer) -> Iterator[Stack]:
    with postgres.database() as url, running(tmp_path, url, "/lab", ALL) as started:
        yield started


@contextmanager
def visitor(browser: Browser) -> Iterator[Page]:
    """A browser that takes the certificate of an authority that nobody knows; `Stack.client` checks it."""
    with browser.new_context(ignore_https_errors=True) as context:
        remember_tours(context)
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("response", lambda response: problems.append(response.url) if response.status == 404 else None)
        yield page
        assert problems == []


def invited(stack: Stack, name: str) -> str:
    return stack.run("portal", "beat-the-ai", "people", "invite", name).strip().rpartition(" ")[2]


@pytest.mark.timeout(600)
def test_people_and_requesters_work_behind_one_name(stack: Stack, browser: Browser) -> None:
    """Under a path, over TLS: the portal, a HIT over its WebSocket, and the console, which hears of it."""
    stack.run(
        "console",
        "beat-the-ai",
        "review",
        "reviewer",
        "add",
        "out/campaign",
        "ann",
        "--role",
        "requester",
        answer=PASSWORD,
    )
    link = invited(stack, "Ada Byron")
    assert link.startswith(f"{stack.address}/worker/join/")
    with visitor(browser) as ada, visitor(browser) as ann:
        ann.goto(f"{stack.address}/review")
        ann.get_by_label("Name").fill("ann")
        ann.get_by_label("Password").fill(PASSWORD)
        with ann.expect_response(lambda response: "/api/changes" in response.url) as listening:
            ann.keyboard.press("Enter")
            ann.get_by_role("link", name="Verdicts", exact=True).click()
        assert listening.value.headers["content-type"].startswith("text/event-stream")
        stack.restart("console")  # meanwhile Caddy answers for it
        join(ada, link)
        write(ada, "Which word of this text has the most letters?")
        expect(ann.locator("ol.feed > li")).to_have_count(1, timeout=PATIENCE_MS)  # nobody reloads the page
        stack.restart("operator")
        ann.get_by_role("link", name="Review", exact=True).click()
        expect(ann.get_by_role("heading", name="Review reading-comprehension")).to_be_visible(timeout=PATIENCE_MS)
        paths = {cookie["name"]: cookie["path"] for page in (ada, ann) for cookie in page.context.cookies()}
    assert set(paths.values()) == {"/lab", "/lab/console"}
    check_paths(stack)


def check_paths(stack: Stack) -> None:
    """Nothing but what is meant for people passes."""
    with stack.client() as client:
        for path, status in {"worker": 303, "recruiter/": 200, "work/health": 200, "": 302, "api": 404}.items():
            assert client.get(f"{stack.address}/{path}").status_code == status, path
        assert client.post(f"{stack.address}/", content=b"{}").status_code == 302
        outside = client.get(stack.address.removesuffix("/lab") + "/worker")
        assert outside.status_code == 404
        assert "max-age" in outside.headers["strict-transport-security"]


def test_without_a_path_the_name_is_the_suites(tmp_path: Path) -> None:
    with running(tmp_path, "", "", ["address", "portal", "caddy"]) as stack, stack.client() as client:
        for path in ("/", "/worker"):
            page = client.get(f"{stack.address}{path}", follow_redirects=True)
            assert page.url.path == "/worker/sign-in"
            assert 'action="/worker/sign-in"' in page.text
        client.post(f"{stack.address}/worker/sign-in", data={"name": "nobody"})
        assert {(cookie.path, cookie.secure) for cookie in client.cookies.jar} == {("/", True)}
        assert client.get(f"{stack.address}/console").headers["location"] == "/console/"
        assert client.get(f"{stack.address}/console/").status_code == 502  # nobody serves it


class Echo(BaseHTTPRequestHandler):
    """A server that answers with what has reached it: a cookie, and how many bytes."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        answer = json.dumps([self.headers["Cookie"], len(body)]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None: ...


@pytest.mark.parametrize(
    ("path", "port", "cookie", "most_mb"),
    [("work", "3000", None, 4), ("event", "8900", None, 4), ("console", "8600", "a=b", 40)],
)
def test_each_server_gets_the_cookies_and_bodies_that_it_may(
    path: str, port: str, cookie: str | None, most_mb: int, tmp_path: Path
) -> None:
    """Workers' pages have no cookies, and only the console takes files: 32 MiB of contexts at most."""
    assert MOST_BYTES < 40_000_000
    with running(tmp_path, "", "", ["caddy"]) as stack, stack.client() as client:
        server = ThreadingHTTPServer(("127.0.0.1", stack.port(port)), Echo)
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        try:
            url, size = f"{stack.address}/{path}/anything", most_mb * 1_000_000
            assert client.post(url, content=b"x" * size, headers={"Cookie": "a=b"}).json() == [cookie, size]
            assert client.post(url, content=b"x" * (size + 1)).status_code == 413
        finally:
            server.shutdown()
            serving.join()
            server.server_close()
