"""Every server of the suite while somebody holds more half-open connections than it may have files."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from beat_the_ai.review import new_account
from beat_the_ai.store import open_store
from tests.listening.attack import HALF_A_BODY, HALF_A_REQUEST, SILENT_SOCKET, Attacked, half_open
from tests.mephisto.wire import wait_until
from tests.review.builders import PASSWORD, fill

HERE = Path(__file__).parent
FILES = 160
ATTACKERS = 300
LONGEST_WAIT_SECONDS = 10.0
LOG_BYTES = 64 * 1024


def marketplace(folder: Path) -> Sequence[str]:
    return ["-m", "beat_the_ai.cli", "marketplace", "serve", "--store", str(folder / "market.db")]


def model_server(_folder: Path) -> Sequence[str]:
    return ["-m", "beat_the_ai.adversary.server", "--member", "bidaf=onnx:bidaf-small"]


def review_page(folder: Path) -> Sequence[str]:
    store = open_store(str(folder / "campaign.db"))
    fill(store)
    new_account(store, "ann", PASSWORD)
    store.close()
    page = folder / "page"
    page.mkdir()
    for name in ("index.html", "bundle.js", "style.css", "icon.svg"):
        (page / name).write_text("0")
    code = (
        "import sys; from pathlib import Path; from beat_the_ai.cli import main, review; "
        f"review.PAGE = Path({str(page)!r}); main(['review', {str(folder)!r}])"
    )
    return ["-c", code]


def router(folder: Path) -> Sequence[str]:
    (folder / "static").mkdir()
    (folder / "static" / "index.html").write_text("<title>page</title>")
    credentials = {"run": "run-1", "operator_token": "operator-token", "agent_key": "agent-key"}
    (folder / "credentials.json").write_text(json.dumps(credentials))
    return [str(HERE / "serve_router.py"), str(folder)]


PATHS = {marketplace: "/worker/sign-in", model_server: "/health", review_page: "/", router: "/index.html"}


ATTACKS = [
    *(pytest.param(server_of, HALF_A_REQUEST, id=f"{server_of.__name__}-heads") for server_of in PATHS),
    pytest.param(marketplace, HALF_A_BODY, id="marketplace-bodies"),
    pytest.param(router, SILENT_SOCKET, id="router-sockets"),
]


@pytest.mark.parametrize(("server_of", "said"), ATTACKS)
def test_honest_people_are_served_while_half_open_connections_are_held(
    server_of: Callable[[Path], Sequence[str]], said: bytes, tmp_path: Path
) -> None:
    with Attacked.started(server_of(tmp_path), tmp_path / "log", FILES) as server:
        assert server.get(PATHS[server_of]).is_success
        with half_open(server, ATTACKERS, said):
            for _ in range(10):
                began = time.monotonic()
                assert server.get(PATHS[server_of]).is_success
                assert time.monotonic() - began < LONGEST_WAIT_SECONDS
                time.sleep(0.1)
        assert server.log.stat().st_size < LOG_BYTES, server.log.read_text()[:2000]


def test_a_server_without_a_file_left_says_so_in_few_words(tmp_path: Path) -> None:
    """Others in the process hold so many that accept() itself fails."""
    serve = str(HERE / "serve.py")
    code = (
        "import os, resource, runpy, sys; _, hard = resource.getrlimit(resource.RLIMIT_NOFILE); "
        "resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard)); "
        f"held = [os.open('/dev/null', os.O_RDONLY) for _ in range({FILES - 70})]; "
        f"sys.argv = [{serve!r}, '{{}}']; runpy.run_path({serve!r}, run_name='__main__')"
    )
    with Attacked.started(["-c", code], tmp_path / "log", FILES) as server:
        with half_open(server, ATTACKERS):
            wait_until(lambda: "Too many open files" in server.log.read_text(), "it says so")
            time.sleep(2)
        assert server.log.stat().st_size < LOG_BYTES
        assert server.get("/echo").is_success
