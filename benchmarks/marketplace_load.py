"""Does the marketplace slow down as it fills? Requests a second and p95 on a full store against an almost empty one.

    python benchmarks/marketplace_load.py [--hits 10000] [--assignments-per-hit 10] [--requests 400] [--threads 4]

Each store has a server process of its own; boto3 clients in threads send the same mix of operations to it. Client and
server share the machine, so the ratio says more than the absolute figures.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from statistics import quantiles
from typing import Any

import boto3
import sqlalchemy as sa
from botocore.config import Config

from beat_the_ai.marketplace import requesters
from beat_the_ai.marketplace.hit_types import Properties, register
from beat_the_ai.marketplace.identifiers import new_entity
from beat_the_ai.marketplace.market import open_market
from beat_the_ai.marketplace.requesters import AccessKey
from beat_the_ai.marketplace.tables import assignments, hits
from beat_the_ai.marketplace.workers import Worker, add_worker

FEW_HITS = 20
ROUNDS = 10
QUESTION = (
    '<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/'
    'ExternalQuestion.xsd"><ExternalURL>https://example.org/</ExternalURL><FrameHeight>600</FrameHeight>'
    "</ExternalQuestion>"
)
WORKER = "AWORKER"

Call = Callable[[int], Any]


@dataclass(frozen=True)
class Store:
    """A filled store and what the requests are about."""

    url: str
    key: AccessKey
    hit_ids: list[str]
    assignment_ids: list[str]


def fill(url: str, hit_count: int, per_hit: int) -> Store:
    """`hit_count` reviewable HITs with `per_hit` approved assignments each, written in bulk."""
    market, now = open_market(url), datetime.now(timezone.utc)
    with market.writing() as moment:
        requester, key = requesters.add_requester(moment, "load", 10**9)
        add_worker(moment, Worker(WORKER, "US"))
        kind = register(moment, requester.id, Properties("Load", "Load", None, 10, 86_400, 3_600, []))
        hit_rows = [_hit(requester.id, kind.id, per_hit, now) for _ in range(hit_count)]
        work = [_assignment(row, now) for row in hit_rows for _ in range(per_hit)]
        for table, all_rows in ((hits, hit_rows), (assignments, work)):
            for start in range(0, len(all_rows), 5_000):
                moment.connection.execute(sa.insert(table), all_rows[start : start + 5_000])
    market.close()
    return Store(url, key, [row["id"] for row in hit_rows], [row["id"] for row in work])


def _hit(requester_id: str, hit_type_id: str, per_hit: int, now: datetime) -> dict[str, Any]:
    return {
        "id": new_entity(),
        "requester_id": requester_id,
        "hit_type_id": hit_type_id,
        "status": "Reviewable",
        "live": True,
        "max_assignments": per_hit,
        "pending": 0,
        "submitted": 0,
        "completed": per_hit,
        "reward_cents": 10,
        "fee_cents": 2,
        "held_cents": 0,
        "question": QUESTION,
        "annotation": None,
        "created_at": now,
        "expires_at": now + timedelta(days=7),
    }


def _assignment(hit: dict[str, Any], now: datetime) -> dict[str, Any]:
    return {
        "id": new_entity(),
        "hit_id": hit["id"],
        "requester_id": hit["requester_id"],
        "worker_id": WORKER,
        "status": "Approved",
        "accepted_at": now,
        "deadline": now,
        "submitted_at": now,
        "auto_approval_at": now,
        "approved_at": now,
        "answer": "<QuestionFormAnswers/>",
    }


@contextmanager
def served(store: Store) -> Iterator[str]:
    command = [sys.executable, "-m", "beat_the_ai.cli", "marketplace", "serve", "--store", store.url, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            if not line:
                raise SystemExit("A marketplace did not start; what it printed above says why.")
            yield json.loads(line)["address"]
        finally:
            process.terminate()


def client_of(store: Store, address: str, threads: int) -> Any:
    return boto3.client(
        "mturk",
        region_name="us-east-1",
        endpoint_url=address,
        aws_access_key_id=store.key.id,
        aws_secret_access_key=store.key.secret,
        config=Config(max_pool_connections=threads, retries={"total_max_attempts": 1}),
    )


@dataclass
class Times:
    """The times of one operation on one store: seconds of each request, and of all rounds together."""

    each: list[float] = field(default_factory=list)
    rounds: float = 0.0

    def run(self, call: Call, requests: int, threads: int) -> None:
        began = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            self.each += pool.map(_timed(call), range(len(self.each), len(self.each) + requests))
        self.rounds += time.perf_counter() - began

    @property
    def per_second(self) -> float:
        return len(self.each) / self.rounds

    @property
    def p95_milliseconds(self) -> float:
        return quantiles(self.each, n=20)[-1] * 1000


def measure(stores: Sequence[Store], requests: int, threads: int) -> dict[str, list[Times]]:
    """Per operation its times on each store. The stores take turns, so that what else the machine does hits both."""
    with ExitStack() as stack:
        clients = [client_of(store, stack.enter_context(served(store)), threads) for store in stores]
        calls = [_calls(client, store) for client, store in zip(clients, stores, strict=True)]
        measured = {}
        for name in calls[0]:
            measured[name] = [Times() for _ in stores]
            for _ in range(ROUNDS):
                for times, call in zip(measured[name], calls, strict=True):
                    times.run(call[name], requests // ROUNDS, threads)
        return measured


def _calls(client: Any, store: Store) -> dict[str, Call]:
    def hit(number: int) -> str:
        return store.hit_ids[number * 7919 % len(store.hit_ids)]

    def assignment(number: int) -> str:
        return store.assignment_ids[number * 7919 % len(store.assignment_ids)]

    new: dict[str, Any] = {"Title": "Load", "Description": "Load", "Reward": "0.10", "Question": QUESTION}
    new |= {"LifetimeInSeconds": 600, "AssignmentDurationInSeconds": 3600, "AutoApprovalDelayInSeconds": 86_400}
    bonus: dict[str, Any] = {"WorkerId": WORKER, "BonusAmount": "0.01", "Reason": "load"}
    return {
        "GetAccountBalance": lambda number: client.get_account_balance(),
        "GetHIT": lambda number: client.get_hit(HITId=hit(number)),
        "ListHITs": lambda number: client.list_hits(MaxResults=10),
        "ListReviewableHITs": lambda number: client.list_reviewable_hits(MaxResults=10),
        "ListAssignmentsForHIT": lambda number: client.list_assignments_for_hit(HITId=hit(number)),
        "GetAssignment": lambda number: client.get_assignment(AssignmentId=assignment(number)),
        "CreateHIT": lambda number: client.create_hit(**new),
        "SendBonus": lambda number: client.send_bonus(AssignmentId=assignment(number), **bonus),
    }


def _timed(call: Call) -> Callable[[int], float]:
    def timed(number: int) -> float:
        began = time.perf_counter()
        call(number)
        return time.perf_counter() - began

    return timed


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--hits", type=int, default=10_000)
    parser.add_argument("--assignments-per-hit", type=int, default=10)
    parser.add_argument("--requests", type=int, default=400, help="per operation")
    parser.add_argument("--threads", type=int, default=4)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        few = fill(f"{Path(folder)}/few.db", FEW_HITS, given.assignments_per_hit)
        many = fill(f"{Path(folder)}/many.db", given.hits, given.assignments_per_hit)
        measured = measure((few, many), given.requests, given.threads)
    print(f"{len(many.hit_ids):,} HITs and {len(many.assignment_ids):,} assignments against {FEW_HITS} HITs")
    print(f"{'operation':24} {'few: req/s':>11} {'p95 ms':>8} {'many: req/s':>12} {'p95 ms':>8} {'time ratio':>11}")
    for name, (on_few, on_many) in measured.items():
        ratio = on_few.per_second / on_many.per_second
        rates = f"{on_few.per_second:11.0f} {on_few.p95_milliseconds:8.1f} {on_many.per_second:12.0f}"
        print(f"{name:24} {rates} {on_many.p95_milliseconds:8.1f} {ratio:11.2f}")


if __name__ == "__main__":
    main()
