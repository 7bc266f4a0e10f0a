from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from omegaconf import OmegaConf

from beat_the_ai.mephisto.architect import RouterArchitect, RouterError
from tests.mephisto.wire import wait_until
from tests.ports import free_port

TASK_CONFIG = {"task_title": "T"}


@pytest.fixture
def wrapper(tmp_path: Path) -> Path:
    path = tmp_path / "wrapper.js"
    path.write_text("// of the provider")
    return path


@pytest.fixture
def architects(tmp_path: Path, wrapper: Path) -> Iterator[Any]:
    """Makes architects: one for each operator's life of a run. Their routers are stopped at the end."""
    made: list[RouterArchitect] = []

    def make(run: str = "1", task_config: dict[str, Any] = TASK_CONFIG, **given: Any) -> RouterArchitect:
        settings = {"host": "127.0.0.1", "port": 0, "page_dir": "", "absence_seconds": 900, **given}
        provider = SimpleNamespace(get_wrapper_js_path=lambda: str(wrapper))
        task_run = SimpleNamespace(db_id=run, get_provider=lambda: provider)
        state = SimpleNamespace(task_config=task_config)
        build = str(tmp_path / run / "build")
        architect = RouterArchitect(None, OmegaConf.create({"architect": settings}), state, task_run, build)
        made.append(architect)
        architect.prepare()
        return architect

    yield make
    for architect in made:
        architect.shutdown()


def pid_of(tmp_path: Path, run: str = "1") -> int:
    pid: int = json.loads((tmp_path / run / "router" / "address.json").read_text())["pid"]
    return pid


def test_a_router_serves_page_configuration_and_the_providers_wrapper(architects: Any, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "index.html").write_text("page")
    url = architects(page_dir=str(pages)).deploy()
    assert httpx.get(f"{url}/", trust_env=False).text == "page"
    run = httpx.get(f"{url}/health", trust_env=False).json()["run"]
    assert httpx.get(f"{url}/task_config.json", trust_env=False).json() == {**TASK_CONFIG, "run": run}
    assert httpx.get(f"{url}/wrap_crowd_source.js", trust_env=False).text == "// of the provider"


def test_a_built_page_has_the_browser_fetch_what_this_run_shows(architects: Any, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    for folder in (".vite", "assets"):
        (pages / folder).mkdir(parents=True)
    (pages / "index.html").write_text('<head><script src="./bundle.js"></script></head>')
    (pages / "bundle.js").write_text('say("session.reload")')
    (pages / "assets" / "page.js").write_text("say(`work.time.${key}`)")
    main = {"file": "bundle.js", "isEntry": True}
    chunk = {"file": "assets/page.js", "imports": ["src/main.tsx"]}
    (pages / ".vite" / "manifest.json").write_text(json.dumps({"src/main.tsx": main, "src/pages/nli/page.tsx": chunk}))
    architect = architects(page_dir=str(pages), task_config={"page": "nli"})
    url = architect.deploy()
    links = re.findall(r'href="\./([^"]+)"', httpx.get(f"{url}/", trust_env=False).text)
    assert links == ["task_config.json", "assets/page.js", "words/en.json"]
    words = httpx.get(f"{url}/words/en.json", trust_env=False).json()
    said_by_servers = ("refusals.", "bonuses.", "nli_refusals.")
    named = [key for key in words["messages"] if not key.startswith(said_by_servers)]
    assert [key for key in named if not key.startswith("work.time.")] == ["session.reload"]
    assert "work.time.left" in words["messages"]


def test_what_a_run_lays_out_is_sent_packed_as_it_is_now(architects: Any, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    (pages / ".vite").mkdir(parents=True)
    (pages / "index.html").write_text("<head></head>")
    (pages / "index.html.br").write_bytes(b"of the build")
    (pages / ".vite" / "manifest.json").write_text("{}")
    url = architects(page_dir=str(pages), task_config={"page": "nli"}).deploy()
    architects(page_dir=str(pages), task_config={"page": "quizbowl"})  # the run goes on, its router lives
    for path, text in (("", "preload"), ("task_config.json", "quizbowl"), ("wrap_crowd_source.js", "provider")):
        answer = httpx.get(f"{url}/{path}", headers={"Accept-Encoding": "br, gzip"}, trust_env=False)
        assert answer.headers["content-encoding"] == "gzip"
        assert text in answer.text


def test_the_router_is_told_who_may_frame_and_reach_it(architects: Any) -> None:
    site = "https://market.example.org"
    url = architects(frame_ancestors=f"{site} http://localhost:8700", hosts="tasks.example.org").deploy()
    for host, status in (("tasks.example.org", 200), ("localhost", 200), ("evil.example", 421)):
        answer = httpx.get(f"{url}/task_config.json", headers={"Host": host}, trust_env=False)
        assert answer.status_code == status
        if status == 200:
            policy = answer.headers["content-security-policy"]
            assert policy.endswith(f"frame-ancestors {site} http://localhost:8700")


def test_credentials_are_the_owners_alone_and_stay_the_same(architects: Any, tmp_path: Path) -> None:
    architects()
    path = tmp_path / "1" / "router" / "credentials.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    first = path.read_text()
    architects()
    assert path.read_text() == first
    architects("2")
    assert not set(json.loads(first).values()) & set(
        json.loads((tmp_path / "2" / "router" / "credentials.json").read_text()).values()
    )


def test_half_written_credentials_of_a_process_that_died_are_replaced(architects: Any, tmp_path: Path) -> None:
    folder = tmp_path / "1" / "router"
    folder.mkdir(parents=True)
    (folder / "credentials.draft").write_text('{"run": ')
    assert architects().deploy()


def test_the_next_operator_finds_the_router_that_lived_on(architects: Any, tmp_path: Path) -> None:
    url, pid = architects().deploy(), pid_of(tmp_path)
    assert architects().deploy() == url
    assert pid_of(tmp_path) == pid


def test_a_router_that_died_is_replaced_on_its_port(architects: Any, tmp_path: Path) -> None:
    architect = architects()
    url, pid = architect.deploy(), pid_of(tmp_path)
    os.kill(pid, signal.SIGKILL)
    assert architects().deploy() == url
    assert pid_of(tmp_path) != pid


def test_shutdown_waits_until_the_port_is_free(architects: Any) -> None:
    port = free_port()
    for _ in range(2):
        architect = architects(port=port)
        assert architect.deploy() == f"http://127.0.0.1:{port}"
        architect.shutdown()
        with socket.socket() as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", port))


def test_shutdown_ends_a_router_that_an_earlier_operator_started(architects: Any, tmp_path: Path) -> None:
    first = architects()
    url = first.deploy()
    architects().shutdown()
    wait_until(lambda: first._process.poll() is not None, "the router ends")
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, trust_env=False)


def test_a_taken_port_is_named(architects: Any) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        with pytest.raises(RouterError, match=rf"{port}.*(in use|no answer).*stop what holds it"):
            architects(port=port).deploy()


def test_the_router_of_another_run_is_not_taken_for_ours(architects: Any, tmp_path: Path) -> None:
    port = free_port()
    architects("1", port=port).deploy()
    with pytest.raises(RouterError, match=f"{port}"):
        architects("2", port=port).deploy()
    assert pid_of(tmp_path, "1")


def test_a_stale_address_that_another_run_took_over_is_detected(architects: Any, tmp_path: Path) -> None:
    first = architects("1")
    url = first.deploy()
    first.shutdown()
    architects("2", port=httpx.URL(url).port).deploy()
    with pytest.raises(RouterError):
        architects("1").deploy()
    architects("1").shutdown()  # must not stop what is not its own
    assert httpx.get(f"{url}/health", trust_env=False).is_success


@pytest.mark.parametrize("answer", [b"[]", b"nonsense", b'{"run": null}', b'{"run": "another"}'])
def test_something_else_at_the_old_address_is_not_ours(architects: Any, tmp_path: Path, answer: bytes) -> None:
    class Impostor(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    with HTTPServer(("127.0.0.1", 0), Impostor) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            architect = architects()
            address = {"host": "127.0.0.1", "port": server.server_port, "pid": os.getpid()}
            (tmp_path / "1" / "router" / "address.json").write_text(json.dumps(address))
            with pytest.raises(RouterError):
                architect.deploy()
            architect.shutdown()  # would have ended this very process
        finally:
            server.shutdown()
            thread.join()


def test_nothing_can_be_fetched_from_the_router(architects: Any) -> None:
    with pytest.raises(RouterError, match="no uploads"):
        architects().download_file("../../etc/passwd", "/tmp")


def test_a_router_that_a_killed_operator_was_just_starting_is_taken_up(architects: Any, tmp_path: Path) -> None:
    """Or it is overtaken: of the second one nothing is left that does not serve."""
    port = free_port()
    killed, second = architects(port=port)._start(port), architects(port=port)
    try:
        assert second.deploy() == f"http://127.0.0.1:{port}"
        assert pid_of(tmp_path) == (second._process or killed).pid
    finally:
        killed.kill()
        killed.wait()
