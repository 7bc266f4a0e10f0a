"""Our Architect: starts the router of a run, or finds the one that outlived the operator.

Mephisto's own routers send every packet twice (Node) or lose submissions (Flask), and authenticate nobody.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import httpx
from omegaconf import OmegaConf

from beat_the_ai.errors import BeatTheAIError
from beat_the_ai.listening import THIS_MACHINE
from beat_the_ai.mephisto.channel import RouterChannel
from beat_the_ai.mephisto.shim import Architect, ArchitectArgs, register_mephisto_abstraction
from beat_the_ai.process import parent_death
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.web.preloading import MANIFEST, code_of, preloading
from beat_the_ai.words import page_words
from beat_the_ai.words.served import FOLDER, PageWords, needed, spoken

ARCHITECT_TYPE = "beat_the_ai"
START_SECONDS = 60
STOP_SECONDS = 10
HEALTH_SECONDS = 5
DEATH_SECONDS = 1  # of a process that was killed a moment ago


class RouterError(BeatTheAIError):
    """The router cannot be started, or the one that is there belongs to another run."""

    code = "router"


@dataclass
class RouterArchitectArgs(ArchitectArgs):  # type: ignore[misc]
    """The address of the router and the files that it serves."""

    _architect_type: str = ARCHITECT_TYPE
    host: str = field(default="127.0.0.1", metadata={"help": "Address that the router binds"})
    port: int = field(default=0, metadata={"help": "Port of the router, 0 for a free one"})
    page_dir: str = field(default="", metadata={"help": "Folder with index.html and the page's bundle; empty for none"})
    absence_seconds: float = field(
        default=900, metadata={"help": "A page that is away for longer loses its HIT to another worker"}
    )
    frame_ancestors: str = field(
        default="'self'", metadata={"help": "Who may show the page in a frame: sources as in a Content-Security-Policy"}
    )
    hosts: str = field(default="", metadata={"help": "Names that the router answers to, besides its own address"})
    proxies: str = field(
        default=" ".join(THIS_MACHINE), metadata={"help": "Addresses of proxies, which are believed who asks"}
    )
    registrations_per_minute: int = field(
        default=60, metadata={"help": "Pages that an address which is no proxy may open; 0 for any number"}
    )
    connections_per_address: int = field(
        default=256, metadata={"help": "Connections that anybody else may hold; 0 for any number"}
    )


@register_mephisto_abstraction()
class RouterArchitect(Architect):  # type: ignore[misc]
    """One router process for a task run; its folder is `<run dir>/router`."""

    ArgsClass = RouterArchitectArgs
    ARCHITECT_TYPE = ARCHITECT_TYPE

    def __init__(self, db: Any, args: Any, shared_state: Any, task_run: Any, build_dir_root: str) -> None:
        self._args = OmegaConf.merge(OmegaConf.structured(RouterArchitectArgs), args.architect)
        self._task_run = task_run
        self._task_config = shared_state.task_config
        self._beside = getattr(shared_state, "beside", None)  # blueprints of others have none
        self._words = getattr(shared_state, "words", None) or [page_words(ENGLISH)]
        self._directory = Path(build_dir_root).parent / "router"
        self._process: subprocess.Popen[bytes] | None = None
        no_connection_kept = httpx.Limits(max_keepalive_connections=0)  # the router may be another one each time
        self._http = httpx.Client(trust_env=False, timeout=HEALTH_SECONDS, limits=no_connection_kept)

    def prepare(self) -> str:
        """Lay out what the router serves and, once per run, its credentials."""
        static, offered = self._directory / "static", self._words
        if self._args.page_dir:
            shutil.copytree(self._args.page_dir, static, dirs_exist_ok=True)
            if (static / MANIFEST).is_file():
                page = str(self._task_config.get("page"))
                self._put(static / "index.html", spoken(preloading(static, page), self._words))
                code = code_of(static, page)
                offered = [needed(words, code) for words in self._words]
        (static / FOLDER).mkdir(parents=True, exist_ok=True)
        for words in offered:
            self._put(static / FOLDER / f"{words.language}.json", PageWords.of(words).model_dump_json())
        provided = Path(self._task_run.get_provider().get_wrapper_js_path())
        self._put(static / "wrap_crowd_source.js", provided.read_text(encoding="utf-8"))
        if not (self._directory / "credentials.json").exists():
            self._write_credentials()
        if self._beside is not None:
            self._write_secret("beside", asdict(self._beside))
        credentials = self._read("credentials.json") or {}
        self._put(static / "task_config.json", json.dumps({**self._task_config, "run": credentials.get("run")}))
        return str(self._directory)

    def _put(self, path: Path, text: str) -> None:
        """With a packed copy for `BuiltPage`. A router that lived on may be serving the file that is there."""
        content = text.encode()
        for target, held in ((path, content), (path.with_name(f"{path.name}.gz"), gzip.compress(content, mtime=0))):
            draft = self._directory / f"{target.name}.draft"
            draft.write_bytes(held)
            draft.rename(target)

    def _write_credentials(self) -> None:
        credentials = {
            "run": secrets.token_hex(8),
            "operator_token": secrets.token_urlsafe(32),
            "agent_key": secrets.token_urlsafe(32),
        }
        self._write_secret("credentials", credentials)

    def _write_secret(self, name: str, content: Mapping[str, Any]) -> None:
        draft = self._directory / f"{name}.draft"  # never half a file, whenever this process dies
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as stream:
            json.dump(content, stream)
        draft.rename(self._directory / f"{name}.json")

    def deploy(self) -> str:
        """The router's URL: of the one that is still there, or of a new one (on the same port, if there was one)."""
        address = self._read("address.json")
        if address is not None and self._is_ours(address):
            return self._url("http")
        port = self._args.port if address is None else address["port"]
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):  # one that died is taken leave of
                self._process.wait(DEATH_SECONDS)
        self._process = process = self._start(port)
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and process.poll() is None:
            address = self._read("address.json")
            if address is not None and self._is_ours(address):
                self._end_what_does_not_serve()
                return self._url("http")
            time.sleep(0.05)
        process.kill()
        process.wait()
        reason = (self._directory / "router.log").read_text(encoding="utf-8").strip().splitlines()[-1:]
        raise RouterError(
            f"The router did not start on {self._args.host}:{port}: {' '.join(reason) or 'no answer'}. "
            "If the port is taken, stop what holds it; a run that has not begun may also choose another port, or 0."
        )

    def _end_what_does_not_serve(self) -> None:
        """An operator that was killed may have left a router behind that was just starting, or slow to answer.

        Whoever serves has written its address before it answered; the one that was read may be its predecessor's.
        """
        address = self._read("address.json")
        if self._process is not None and address is not None and self._process.pid != address["pid"]:
            self._process.kill()  # it waits for its turn
            self._process.wait()
            self._process = None

    def _start(self, port: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "beat_the_ai.mephisto.router", str(self._directory)]
        command += ["--host", str(self._args.host), "--port", str(port)]
        for name in ("absence_seconds", "connections_per_address", "registrations_per_minute"):
            command += [f"--{name.replace('_', '-')}", str(getattr(self._args, name))]
        for name in ("frame_ancestors", "hosts", "proxies"):
            command += [f"--{name.replace('_', '-')}", *str(getattr(self._args, name)).split()]
        with (self._directory / "router.log").open("ab") as log:
            return subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=parent_death.inherited(),
            )

    def _is_ours(self, address: dict[str, Any]) -> bool:
        """Return whether a router answers at that address and belongs to this run; none does after a restoration."""
        if "pid" not in address:
            return False
        credentials = self._read("credentials.json") or {}
        try:
            health = self._http.get(f"http://{_reachable(address)}/health").json()
        except (httpx.HTTPError, ValueError):
            return False
        return isinstance(health, dict) and health.get("run") == credentials.get("run")

    def _read(self, name: str) -> dict[str, Any] | None:
        try:
            content: dict[str, Any] = json.loads((self._directory / name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        return content

    def _url(self, scheme: str) -> str:
        address = self._read("address.json")
        assert address is not None, "the router was deployed"
        return f"{scheme}://{_reachable(address)}"

    def get_channels(
        self,
        on_channel_open: Callable[[str], None],
        on_catastrophic_disconnect: Callable[[str], None],
        on_message: Callable[[str, Any], None],
    ) -> list[RouterChannel]:
        credentials = self._read("credentials.json")
        assert credentials is not None, "the router was prepared"
        return [
            RouterChannel(
                f"router-{self._task_run.db_id}",
                on_channel_open,
                on_catastrophic_disconnect,
                on_message,
                url=self._url("ws") + "/",
                token=credentials["operator_token"],
            )
        ]

    def download_file(self, filename: str, save_dir: str) -> None:
        raise RouterError(f"{filename[:80]!r} cannot be fetched: this router takes no uploads.")

    def cleanup(self) -> None:
        """Nothing to remove: the router serves from its own folder, and the run needs its credentials to be resumed."""

    def shutdown(self) -> None:
        """Stop the router, whoever started it, and wait until its port is free again."""
        address = self._read("address.json")
        if address is not None and self._is_ours(address):
            with contextlib.suppress(ProcessLookupError):
                os.kill(address["pid"], signal.SIGTERM)
            deadline = time.monotonic() + STOP_SECONDS
            while time.monotonic() < deadline and self._is_ours(address):
                time.sleep(0.02)
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


def _reachable(address: dict[str, Any]) -> str:
    host = "127.0.0.1" if address["host"] == "0.0.0.0" else address["host"]  # noqa: S104  # compared, not bound
    return f"{host}:{address['port']}"
