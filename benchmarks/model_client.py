"""The operator's cost of asking a model server, against one `httpx.Client` for all threads.

Both ask the suite's own server with a model of 0 ms, in turns; each thread is a writer who asks again at once. Requests
a second are bound by the server as well, which shares the cores; the CPU time of a request is the client's alone.

    python -m benchmarks.model_client [--requests 2000] [--threads 1 50] [--rounds 5]
"""

from __future__ import annotations

import argparse
import statistics
import threading
import time
from collections.abc import Callable, Mapping
from itertools import count
from typing import NamedTuple

import httpx
from pydantic_core import to_json
from rich.console import Console
from rich.table import Table

from beat_the_ai.adversary.client import AdversaryClient
from beat_the_ai.adversary.wire import read_reply
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from benchmarks.processes import model_server

PASSAGE = "The university was founded in 1842 by a congregation of priests. " * 13
TIMEOUT_SECONDS = 60.0
WARM_UP_REQUESTS = 100
NUMBERS = count(1)
Ask = Callable[[Query], object]


class Measured(NamedTuple):
    per_second: float
    cpu_ms: float


def query() -> Query:
    """A new one each time, so that nothing comes from the server's cache."""
    return Query(context=PASSAGE, question=f"Who founded it, asked for the {next(NUMBERS)}th time?")


def measure(ask: Ask, requests: int, threads: int) -> Measured:
    share = max(1, requests // threads)

    def work() -> None:
        for _ in range(share):
            ask(query())

    workers = [threading.Thread(target=work) for _ in range(threads)]
    started, cpu = time.monotonic(), time.process_time()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    seconds, cpu = time.monotonic() - started, time.process_time() - cpu
    return Measured(share * threads / seconds, 1000 * cpu / (share * threads))


def medians(asking: Mapping[str, Ask], requests: int, threads: int, rounds: int) -> dict[str, Measured]:
    runs: dict[str, list[Measured]] = {name: [] for name in asking}
    for _ in range(rounds):
        for name, ask in asking.items():
            runs[name].append(measure(ask, requests, threads))
    return {name: Measured(*map(statistics.median, zip(*found, strict=True))) for name, found in runs.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 50])
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    table = Table(title="medians", caption="ratio: requests a second, and CPU of a request, to httpx's")
    for name in ("threads", "client", "requests/s", "CPU of a request, ms", "ratio"):
        table.add_column(name)
    with (
        model_server("benchmarks.trivial") as address,
        AdversaryClient(address, TIMEOUT_SECONDS) as client,
        httpx.Client(base_url=address, trust_env=False, timeout=TIMEOUT_SECONDS) as rival,
    ):

        def ask_with_httpx(asked: Query) -> object:
            body = to_json({"queries": [asked], "model": None, "requester": None})
            return read_reply(rival.post("/v1/predict", content=body).raise_for_status().content, Prediction)

        asking: dict[str, Ask] = {
            "this suite": lambda asked: client.predict([asked], Prediction),
            "one httpx.Client": ask_with_httpx,
        }
        client.models_once_ready(TIMEOUT_SECONDS)
        for ask in asking.values():
            measure(ask, WARM_UP_REQUESTS, 1)
        for threads in arguments.threads:
            found = medians(asking, arguments.requests, threads, arguments.rounds)
            against = found["one httpx.Client"]
            for name, each in found.items():
                ratio = f"{each.per_second / against.per_second:.2f}, {each.cpu_ms / against.cpu_ms:.2f}"
                table.add_row(str(threads), name, f"{each.per_second:,.0f}", f"{each.cpu_ms:.2f}", ratio)
    Console().print(table)


if __name__ == "__main__":
    main()
