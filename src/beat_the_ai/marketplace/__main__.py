"""`python -m beat_the_ai.marketplace`: serve a marketplace, add requesters and workers.

… serve --store market.db [--port 8700] [--rehearsal]
… requester add NAME --store market.db [--deposit 10000.00] [--json]
… requester deposit NAME DOLLARS --store market.db
… worker add ID --store market.db [--locale US] [--approved 1500] [--approval-rate 99] [--json]
"""

from __future__ import annotations

import argparse
import json
import logging
from dataclasses import asdict
from typing import Any

from beat_the_ai.errors import BeatTheAIError, InvalidInput
from beat_the_ai.marketplace import requesters
from beat_the_ai.marketplace.control import read_worker
from beat_the_ai.marketplace.market import open_market
from beat_the_ai.marketplace.money import parse_cents, show_dollars
from beat_the_ai.marketplace.server import serve
from beat_the_ai.marketplace.workers import add_worker

DEFAULT_DEPOSIT = "10000.00"  # what MTurk's sandbox gave [seen: Mephisto]


def main(arguments: list[str] | None = None) -> None:
    parser = _parser()
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        if given.command == "serve":
            serve(given.store, given.host, given.port, rehearsal=given.rehearsal)
        else:
            _show(
                {"add_requester": _add_requester, "deposit": _deposit, "add_worker": _add_worker}[given.act](given),
                given,
            )
    except InvalidInput as error:
        parser.error(str(error))
    except BeatTheAIError as error:
        parser.exit(1, f"{parser.prog}: {error}\n")


def _show(result: dict[str, Any], given: argparse.Namespace) -> None:
    if given.json:
        print(json.dumps(result))
    else:
        print("\n".join(f"{name}: {value}" for name, value in result.items()))


def _add_requester(given: argparse.Namespace) -> dict[str, Any]:
    """The secret is shown now and never again."""
    cents = _cents(given.deposit)
    market = open_market(given.store)
    try:
        with market.writing() as moment:
            requester, key = requesters.add_requester(moment, given.name, cents)
    finally:
        market.close()
    return {
        "requester_id": requester.id,
        "name": requester.name,
        "aws_access_key_id": key.id,
        "aws_secret_access_key": key.secret,
        "available": show_dollars(cents),
    }


def _deposit(given: argparse.Namespace) -> dict[str, Any]:
    cents = _cents(given.dollars)
    market = open_market(given.store)
    try:
        with market.writing() as moment:
            requester = requesters.requester_named(moment, given.name)
            requesters.deposit(moment, requester.id, cents)
            balance = requesters.balance(moment, requester.id)
    finally:
        market.close()
    return {"requester_id": requester.id, "available": show_dollars(balance.available_cents)}


def _add_worker(given: argparse.Namespace) -> dict[str, Any]:
    market = open_market(given.store)
    try:
        with market.writing() as moment:
            return asdict(add_worker(moment, read_worker(vars(given))))
    finally:
        market.close()


def _cents(text: str) -> int:
    try:
        return parse_cents(text)
    except ValueError as error:
        raise InvalidInput("dollars", str(error)) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m beat_the_ai.marketplace", description=(__doc__ or "").split("\n")[0]
    )
    commands = parser.add_subparsers(dest="command", required=True)
    store = argparse.ArgumentParser(add_help=False)
    store.add_argument("--store", required=True, metavar="URL", help="an SQLAlchemy URL, or a path of an SQLite file")
    output = argparse.ArgumentParser(add_help=False, parents=[store])
    output.add_argument("--json", action="store_true", help="machine-readable output")
    serving = commands.add_parser("serve", parents=[store], help="serve the requester protocol")
    serving.add_argument("--host", default="127.0.0.1")
    serving.add_argument("--port", type=int, default=0, help="0 takes a free one, which is printed")
    serving.add_argument("--rehearsal", action="store_true", help="with a clock to advance and failures to switch on")
    _add_people(commands, output)
    return parser


def _add_people(commands: Any, output: argparse.ArgumentParser) -> None:
    acts = commands.add_parser("requester").add_subparsers(dest="act_name", required=True)
    adding = acts.add_parser("add", parents=[output], help="a new requester and its access key")
    adding.add_argument("name")
    adding.add_argument("--deposit", default=DEFAULT_DEPOSIT, metavar="DOLLARS")
    adding.set_defaults(act="add_requester")
    depositing = acts.add_parser("deposit", parents=[output], help="more money for a requester")
    depositing.add_argument("name")
    depositing.add_argument("dollars")
    depositing.set_defaults(act="deposit")
    workers = commands.add_parser("worker").add_subparsers(dest="act_name", required=True)
    worker = workers.add_parser("add", parents=[output], help="a new worker")
    worker.add_argument("id")
    worker.add_argument("--locale", default="US", help="US, or US-CA with a subdivision")
    worker.add_argument("--approved", type=int, default=0, help="HITs approved before this marketplace")
    worker.add_argument("--approval-rate", type=int, default=100, help="percent of them")
    worker.add_argument("--adult", action="store_true")
    worker.add_argument("--masters", action="store_true")
    worker.set_defaults(act="add_worker")


if __name__ == "__main__":
    main()
