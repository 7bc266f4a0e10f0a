"""The router as a process of its own: `python -m beat_the_ai.mephisto.router DIRECTORY --host H --port P`.

DIRECTORY holds `credentials.json` (written by the architect, readable by its owner alone), `static/` and `spool/`. Once
the socket is bound, `address.json` tells where.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import resource
import socket
from pathlib import Path

import uvicorn

from beat_the_ai.listening import listen
from beat_the_ai.mephisto.router.app import create_app
from beat_the_ai.mephisto.router.spool import Spool
from beat_the_ai.mephisto.router.switchboard import Switchboard

MAX_FRAME_BYTES = 4 * 1024 * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description="The router between pages and operator.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--absence-seconds", type=float, required=True)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s router %(levelname)s %(message)s")
    _allow_many_connections()

    listener = listen(arguments.host, arguments.port)
    _write_address(arguments.directory, listener)

    credentials = json.loads((arguments.directory / "credentials.json").read_text(encoding="utf-8"))
    board = Switchboard(credentials["agent_key"], Spool(arguments.directory / "spool"), arguments.absence_seconds)
    app = create_app(
        board,
        run_id=credentials["run"],
        operator_token=credentials["operator_token"],
        static=arguments.directory / "static",
    )
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        http="h11",  # it limits headers; httptools takes any number of them
        ws="websockets-sansio",
        ws_max_size=MAX_FRAME_BYTES,
        ws_per_message_deflate=False,  # its windows would be most of the router's memory
        lifespan="off",
        timeout_graceful_shutdown=2,
    )
    asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))


def _allow_many_connections() -> None:
    """Every page holds a socket; the usual soft limit of 1,024 open files is less than a crowd."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _write_address(directory: Path, listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    draft = directory / "address.draft"
    draft.write_text(json.dumps({"host": host, "port": port, "pid": os.getpid()}), encoding="utf-8")
    draft.rename(directory / "address.json")


if __name__ == "__main__":
    main()
