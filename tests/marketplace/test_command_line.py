from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import cast

import httpx
import pytest
from botocore.exceptions import ClientError
from click.testing import CliRunner

from beat_the_ai.cli import main
from beat_the_ai.marketplace.requesters import AccessKey
from tests.marketplace.desk import rows
from tests.marketplace.rehearsal import Rehearsal


def run(*arguments: str) -> dict[str, object]:
    result = CliRunner().invoke(main, ["marketplace", *arguments])
    assert result.exit_code == 0, result.stderr
    printed: dict[str, object] = json.loads(result.stdout)
    return printed


def failure(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["marketplace", *arguments])
    return result.exit_code, result.stderr


def test_a_requester_gets_a_key_once_in_a_store_that_others_cannot_read(tmp_path: Path) -> None:
    store = str(tmp_path / "new" / "market.db")
    made = run("requester", "add", "lab", "--store", store, "--deposit", "12.5", "--json")
    assert re.fullmatch("BTAI[A-Z0-9]{16}", str(made["aws_access_key_id"]))
    assert len(str(made["aws_secret_access_key"])) == 40
    assert made["available"] == "12.50"
    assert Path(store).stat().st_mode & 0o777 == 0o600
    more = run("requester", "deposit", "lab", "7.50", "--store", store, "--json")
    assert more["available"] == "20.00"
    status, message = failure("requester", "add", "lab", "--store", store)
    assert status == 1
    assert "already" in message
    status, message = failure("requester", "deposit", "lap", "1", "--store", store)
    assert status == 2
    assert "Did you mean 'lab'?" in message
    assert failure("requester", "add", "other", "--store", store, "--deposit", "much")[0] == 2


def test_access_keys_are_rotated_without_a_moment_without_one(rehearsal: Rehearsal) -> None:
    store = ("--store", rehearsal.store.removeprefix("sqlite:///"), "--json")
    name = f"rotating {os.urandom(4).hex()}"
    first = run("requester", "add", name, *store)
    second = run("requester", "key", "add", name, *store)
    assert second["requester_id"] == first["requester_id"]
    assert second["aws_secret_access_key"] != first["aws_secret_access_key"]

    def balance(made: dict[str, object]) -> str:
        key = AccessKey(str(made["aws_access_key_id"]), str(made["aws_secret_access_key"]), "")
        return rehearsal.client(key).get_account_balance()["AvailableBalance"]

    assert balance(first) == balance(second) == "10000.00"
    ended = run("requester", "key", "revoke", name, str(first["aws_access_key_id"]), *store)
    assert ended["active_keys"] == 1
    with pytest.raises(ClientError, match="UnrecognizedClientException"):
        balance(first)
    assert balance(second) == "10000.00"
    listed = run("requester", "key", "list", name, *store)
    assert [(one["aws_access_key_id"], one["state"]) for one in cast("list[dict[str, str]]", listed)] == [
        (first["aws_access_key_id"], "revoked"),
        (second["aws_access_key_id"], "active"),
    ]
    shown = CliRunner().invoke(main, ["marketplace", "requester", "key", "list", name, *store[:2]])
    for secret in (first["aws_secret_access_key"], second["aws_secret_access_key"]):
        assert str(secret) not in shown.output + json.dumps(listed)
        with rehearsal.market() as market:
            kept = [row.secret for row in rows(market, "access_keys")]
        assert (secret in kept) == (secret == second["aws_secret_access_key"])

    assert failure("requester", "key", "revoke", name, str(first["aws_access_key_id"]), *store)[0] == 1
    status, message = failure("requester", "key", "revoke", name, "BTAINOTHERE", *store)
    assert status == 2
    assert str(second["aws_access_key_id"]) in message
    run("requester", "add", f"other {name}", *store)
    assert failure("requester", "key", "revoke", f"other {name}", str(second["aws_access_key_id"]), *store)[0] == 2


def test_a_worker_is_added_with_a_record(tmp_path: Path) -> None:
    store = str(tmp_path / "market.db")
    arguments = ("--locale", "US-CA", "--approved", "1500", "--approval-rate", "99", "--store", store, "--json")
    made = run("worker", "add", "AWORKER1", *arguments)
    assert (made["id"], made["subdivision"], made["prior_rate_percent"]) == ("AWORKER1", "CA", 99)
    assert re.fullmatch("([A-Z2-9]{4}-){4}[A-Z2-9]{4}", str(made["access_code"]))
    again = run("worker", "code", "AWORKER1", "--store", store, "--json")
    assert again["access_code"] != made["access_code"]
    assert failure("worker", "code", "ANOBODY", "--store", store)[0] == 1
    assert failure("worker", "add", "AWORKER1", *arguments)[0] == 1
    assert failure("worker", "add", "worker", *arguments)[0] == 2


def test_a_served_marketplace_has_no_control_api_and_ends_as_a_success(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "beat_the_ai.cli", "marketplace", "serve", "--store", str(tmp_path / "market.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = json.loads(process.stdout.readline())
        assert printed.keys() == {"address"}
        assert printed["address"].startswith("http://127.0.0.1:")
        assert httpx.post(f"{printed['address']}/rehearsal/clock", json={}).status_code == 404
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_a_port_that_is_taken_is_reported(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        status, message = failure("serve", "--store", str(tmp_path / "m.db"), "--port", port)
    assert status == 2
    assert "Port 0 takes a free one" in message
