"""The router as a process of its own: `python -m beat_the_ai.mephisto.router DIRECTORY --host H --port P`.

DIRECTORY holds `credentials.json` (written by the architect, readable by its owner alone), `static/` and `spool/`. Once
the socket is bound, `address.json` tells where.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import socket
from pathlib import Path

from beat_the_ai.lifeline import end_with_the_starter
from beat_the_ai.listening import THIS_MACHINE, Doors, Server, listen
from beat_the_ai.mephisto.router.app import create_app
from beat_the_ai.mephisto.router.pace import Pace
from beat_the_ai.mephisto.router.spool import Spool
from beat_the_ai.mephisto.router.switchboard import Switchboard
from beat_the_ai.modes import OWNER_ONLY

MAX_FRAME_BYTES = 4 * 1024 * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description="The router between pages and operator.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--absence-seconds", type=float, required=True)
    parser.add_argument("--frame-ancestors", nargs="*", default=["'self'"])
    parser.add_argument("--hosts", nargs="*", default=[])
    parser.add_argument("--proxies", nargs="*", default=THIS_MACHINE)
    parser.add_argument("--connections-per-address", type=int, default=Doors.connections_per_address)
    parser.add_argument("--registrations-per-minute", type=int, default=60)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s router %(levelname)s %(message)s")

    end_with_the_starter()
    os.umask(OWNER_ONLY)
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
    )
    Server(
        app,
        listener,
        Doors(arguments.connections_per_address, tuple(arguments.proxies), tuple(arguments.hosts)),
        closing_seconds=2,
        websockets=True,
        ws_max_size=MAX_FRAME_BYTES,
        ws_per_message_deflate=False,  # its windows would be most of the router's memory
    ).run()


def _write_address(directory: Path, listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    draft = directory / "address.draft"
    draft.write_text(json.dumps({"host": host, "port": port, "pid": os.getpid()}), encoding="utf-8")
    draft.rename(directory / "address.json")


if __name__ == "__main__":
    main()
