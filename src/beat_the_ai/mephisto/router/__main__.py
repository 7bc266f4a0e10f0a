"""The router as a process of its own: `python -m beat_the_ai.mephisto.router DIRECTORY --host H --port P`.

DIRECTORY holds `credentials.json` and perhaps `beside.json` (written by the architect, readable by its owner alone),
`static/` and `spool/`. Once
the socket is bound, `address.json` tells where. One router serves a directory; a second waits a while for its end.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import logging
import os
import socket
import sys
import time
from pathlib import Path
from typing import IO

from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.files.permissions import OWNER_ONLY
from beat_the_ai.listening import THIS_MACHINE, ConnectionLimits, Server, listen
from beat_the_ai.mephisto.router.app import create_app
from beat_the_ai.mephisto.router.beside import Beside
from beat_the_ai.mephisto.router.pace import Pace
from beat_the_ai.mephisto.router.spool import Spool
from beat_the_ai.mephisto.router.switchboard import Switchboard
from beat_the_ai.process.parent_death import end_with_the_starter

MAX_FRAME_BYTES = 4 * 1024 * 1024
TURN_SECONDS = 30


def main() -> None:
    parser = argparse.ArgumentParser(description="The router between pages and operator.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--absence-seconds", type=float, required=True)
    parser.add_argument("--frame-ancestors", nargs="*", default=["'self'"])
    parser.add_argument("--hosts", nargs="*", default=[])
    parser.add_argument("--proxies", nargs="*", default=THIS_MACHINE)
    parser.add_argument("--connections-per-address", type=int, default=ConnectionLimits.connections_per_address)
    parser.add_argument("--registrations-per-minute", type=int, default=60)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s router %(levelname)s %(message)s")

    end_with_the_starter()
    os.umask(OWNER_ONLY)
    _turn = _wait_for_turn(arguments.directory)  # kept open: it ends with this process
    listener = listen(arguments.host, arguments.port)
    _write_address(arguments.directory, listener)

    credentials = json.loads((arguments.directory / "credentials.json").read_text(encoding="utf-8"))
    board = Switchboard(credentials["agent_key"], Spool(arguments.directory / "spool"), arguments.absence_seconds)
    app = create_app(
        board,
        run_id=credentials["run"],
        operator_token=credentials["operator_token"],
        static=arguments.directory / "static",
        frame_ancestors=arguments.frame_ancestors,
        pace=Pace(arguments.registrations_per_minute, arguments.proxies),
        beside=Beside.of(arguments.directory / "beside.json"),
    )
    Server(
        app,
        listener,
        ConnectionLimits(arguments.connections_per_address, tuple(arguments.proxies), tuple(arguments.hosts)),
        closing_seconds=2,
        websockets=True,
        ws_max_size=MAX_FRAME_BYTES,
        ws_per_message_deflate=False,  # its windows would be most of the router's memory
    ).run()


def _wait_for_turn(directory: Path) -> IO[str]:
    """A lock on the directory. An operator that was killed may have left a router behind that was just starting."""
    lock = (directory / "router.lock").open("w")
    deadline = time.monotonic() + TURN_SECONDS
    while time.monotonic() < deadline:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except BlockingIOError:
            time.sleep(0.1)
    sys.exit("Another router serves this run and does not end.")


def _write_address(directory: Path, listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    with replacing(directory / "address.json") as file:
        file.write(json.dumps({"host": host, "port": port, "pid": os.getpid()}).encode())


if __name__ == "__main__":
    main()
