"""The processes of a rehearsal: a marketplace and an operator, which can be killed and started again."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.partition import WHOLE, Partition
from beat_the_ai.marketplace import commands
from beat_the_ai.process.child import Child
from beat_the_ai.rules.amounts import dollars
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.locate import private_folder

if TYPE_CHECKING:
    from typing_extensions import Self

REQUESTER = "rehearsal"
LOG_FILE = "processes.log"


class ServerProcess(Child):
    """A server of a rehearsal; at the same address each time that it is started, with the same failures on purpose."""

    def __init__(self, name: str, log: Path) -> None:
        super().__init__(name, log)
        self._port = 0
        self._rules: Mapping[str, Any] | None = None

    @property
    def address(self) -> str:
        return str(self.printed["address"])

    @property
    def control_token(self) -> str:
        return str(self.printed["control_token"])

    def __enter__(self) -> Self:
        self.start()
        return self

    def start(self) -> None:
        super().start()
        self._port = int(self.address.rpartition(":")[2])
        if self._rules is not None:
            self.switch_faults(self._rules)

    def switch_faults(self, rules: Mapping[str, Any]) -> None:
        """Failures on purpose, as `beat_the_ai.web.faults` describes them; a new start switches them again."""
        self._rules = rules
        self.control("POST", "faults", json=rules)

    def control(self, method: str, name: str, **content: Any) -> Any:
        """Ask the server for something that only a rehearsal's has."""
        headers = {"Authorization": f"Bearer {self.control_token}"}
        url = f"{self.address}/rehearsal/{name}"
        response = httpx.request(method, url, headers=headers, timeout=60, trust_env=False, **content)
        return response.raise_for_status().json()


class MarketplaceProcess(ServerProcess):
    """A marketplace with one requester, in a store of its own."""

    def __init__(self, store: Path, deposit_cents: int, *, fees: bool = True) -> None:
        """In a store that is there already, the requester gets another key and no more money."""
        super().__init__("marketplace", store.with_name(LOG_FILE))
        key = (
            commands.add_access_key(str(store), REQUESTER)
            if store.exists()
            else commands.add_requester(str(store), REQUESTER, dollars(deposit_cents))
        )
        self._store = str(store)
        self._fees = "--fees" if fees else "--no-fees"
        self.keys = {name: key[name] for name in ("aws_access_key_id", "aws_secret_access_key")}

    def command(self) -> list[str]:
        command = [sys.executable, "-m", "beat_the_ai.cli", "marketplace", "serve", "--rehearsal", self._fees]
        return [*command, "--store", self._store, "--port", str(self._port)]


class OperatorProcess(Child):
    """The operator of a campaign or of a share of it, with its router and its model server."""

    def __init__(
        self, settings: Settings, stage: Stage, pseudonym_key: str, keys: Mapping[str, str], share: Partition = WHOLE
    ) -> None:
        self._private = private_folder(settings.out)
        super().__init__("operator", self._private / LOG_FILE)
        self._keys = keys
        self._settings = self._private / f"{stage.value}.json"
        named = {"stage": stage.value, "share": str(share), "pseudonym_key": pseudonym_key}
        given = {**named, "settings": settings.model_dump(mode="json")}
        self._settings.write_text(json.dumps(given), encoding="utf-8")

    def __enter__(self) -> OperatorProcess:
        self.start()
        return self

    def command(self) -> list[str]:
        return [sys.executable, "-m", "beat_the_ai.rehearsal.operator", str(self._settings)]

    def environment(self) -> dict[str, str]:
        """The rehearsal's own keys, whatever keys this user has for real crowds."""
        mine = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        return {**mine, **{name.upper(): value for name, value in self._keys.items()}}

    def kill_router(self) -> None:
        for path in self._private.glob("mephisto/*/data/runs/*/*/router/address.json"):
            _kill(int(json.loads(path.read_text(encoding="utf-8"))["pid"]))

    def kill_model_server(self) -> None:
        """Nothing where the whole pool runs elsewhere."""
        if self.printed["model_server"] is not None:
            _kill(int(self.printed["model_server"]))


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def heavy_faults(seed: int, pages: str = "WorkerPortal") -> dict[str, Any]:
    """Throttled and failing requests and lost replies, for the requester and in the workers' pages."""
    of_pages: Sequence[str] = (pages,)
    return {
        "seed": seed,
        "rules": [
            {"kind": "throttle", "probability": 0.05},
            {"kind": "fault", "probability": 0.05},
            {"kind": "lose_reply", "probability": 0.05},
            {"kind": "throttle", "operations": of_pages, "probability": 0.02},
            {"kind": "fault", "operations": of_pages, "probability": 0.02},
            {"kind": "lose_reply", "operations": of_pages, "probability": 0.02},
        ],
    }
