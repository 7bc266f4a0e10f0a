"""`python -m beat_the_ai.marketplace`: serve a marketplace, add requesters and workers.

… serve --store market.db [--port 8700] [--rehearsal]
… requester add NAME --store market.db [--deposit 10000.00] [--json]
… requester deposit NAME DOLLARS --store market.db
… worker add ID --store market.db [--locale US] [--approved 1500] [--approval-rate 99] [--json]
… worker code ID --store market.db [--json]
"""

from __future__ import annotations

import argparse
import json
import logging
from typing import Any

from beat_the_ai.errors import BeatTheAIError, InvalidInput
from beat_the_ai.marketplace import commands
from beat_the_ai.marketplace.server import serve


def main(arguments: list[str] | None = None) -> None:
    parser = _parser()
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        if given.command == "serve":
            serve(given.store, given.host, given.port, rehearsal=given.rehearsal)
        else:
            _show(_act(given), as_json=given.json)
    except InvalidInput as error:
        parser.error(str(error))
    except BeatTheAIError as error:
        parser.exit(1, f"{parser.prog}: {error}\n")


def _act(given: argparse.Namespace) -> dict[str, Any]:
    if given.act == "add_requester":
        return commands.add_requester(given.store, given.name, given.deposit)
    if given.act == "deposit":
        return commands.deposit(given.store, given.name, given.dollars)
    if given.act == "new_access_code":
        return commands.new_access_code(given.store, given.id)
    described = {name: value for name, value in vars(given).items() if name in commands.WORKER_FIELDS}
    return commands.add_worker(given.store, described)


def _show(result: dict[str, Any], *, as_json: bool) -> None:
    print(json.dumps(result) if as_json else "\n".join(f"{name}: {value}" for name, value in result.items()))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m beat_the_ai.marketplace", description=(__doc__ or "").split("\n")[0]
    )
    subcommands = parser.add_subparsers(dest="command", required=True)
    store = argparse.ArgumentParser(add_help=False)
    store.add_argument("--store", required=True, metavar="URL", help="an SQLAlchemy URL, or a path of an SQLite file")
    output = argparse.ArgumentParser(add_help=False, parents=[store])
    output.add_argument("--json", action="store_true", help="machine-readable output")
    serving = subcommands.add_parser(
        "serve", parents=[store], help="serve the requester protocol and the worker portal"
    )
    serving.add_argument("--host", default="127.0.0.1")
    serving.add_argument("--port", type=int, default=0, help="0 takes a free one, which is printed")
    serving.add_argument("--rehearsal", action="store_true", help="with a clock to advance and failures to switch on")
    _add_people(subcommands, output)
    return parser


def _add_people(subcommands: Any, output: argparse.ArgumentParser) -> None:
    acts = subcommands.add_parser("requester").add_subparsers(dest="act_name", required=True)
    adding = acts.add_parser("add", parents=[output], help="a new requester and its access key")
    adding.add_argument("name")
    adding.add_argument("--deposit", default=commands.DEFAULT_DEPOSIT, metavar="DOLLARS")
    adding.set_defaults(act="add_requester")
    depositing = acts.add_parser("deposit", parents=[output], help="more money for a requester")
    depositing.add_argument("name")
    depositing.add_argument("dollars")
    depositing.set_defaults(act="deposit")
    workers = subcommands.add_parser("worker").add_subparsers(dest="act_name", required=True)
    worker = workers.add_parser("add", parents=[output], help="a new worker and its access code")
    worker.add_argument("id")
    worker.add_argument("--locale", default="US", help="US, or US-CA with a subdivision")
    worker.add_argument("--approved", type=int, default=0, help="HITs approved before this marketplace")
    worker.add_argument("--approval-rate", type=int, default=100, help="percent of them")
    worker.add_argument("--adult", action="store_true")
    worker.add_argument("--masters", action="store_true")
    worker.set_defaults(act="add_worker")
    code = workers.add_parser("code", parents=[output], help="another access code, in place of the one before")
    code.add_argument("id")
    code.set_defaults(act="new_access_code")


if __name__ == "__main__":
    main()
