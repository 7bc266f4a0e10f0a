"""A thousand people whom a recruiter sends at once: how soon each has a page to work on, and that nobody has another's.

Everybody opens the link of a study, chooses Start, gets a HIT, and opens its page: four requests to the portal, and a
registration with the router. Portal, operator, router and model server are the processes of `launch crowd=link`.

    python -m benchmarks.arrivals [--people 1000]
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import statistics
import tempfile
import time
from contextlib import AsyncExitStack, ExitStack
from html import unescape
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.marketplace.people import store
from beat_the_ai.rehearsal.processes import OperatorProcess
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.marketplace import page_in_frame
from benchmarks.crowd import PAGES_PER_CLIENT
from benchmarks.served_model import ModelServer
from benchmarks.suite import CONTEXTS, TASKS
from benchmarks.thousand import p95
from benchmarks.trivial import NAME as TRIVIAL
from tests.ports import free_port

TOKEN = re.compile('name="form_token" value="([0-9a-f]+)"')
FRAME = re.compile('<iframe class="task" src="([^"]+)"')
SPARE = 1.2  # HITs for each that is needed
CENTS = 10**9
TARGET = "target: everybody has a page within 10 s, and nobody another's"


class Arrival:
    """One person with a browser of their own."""

    def __init__(self, number: int, link: str, connections: httpx.AsyncHTTPTransport) -> None:
        self.ids = {"PID": f"person-{number:05}", "SID": f"place-{number:05}"}
        self.seconds: dict[str, float] = {}
        self.assignment = ""
        self.hit = ""
        self._link = link
        self._http = httpx.AsyncClient(transport=connections, follow_redirects=True, timeout=120)

    async def come(self) -> None:
        """From the link to the page of a HIT."""
        began = time.perf_counter()
        page = await self._http.get(self._link, params=self.ids)
        token = TOKEN.search(page.text)
        started = await self._http.post(self._link, data={"form_token": token[1] if token else "", **self.ids})
        self.seconds["a HIT"] = time.perf_counter() - began
        frame = FRAME.search(started.text)
        if frame is None:
            raise SystemExit(f"Somebody got no HIT: {started.text}")
        async with page_in_frame(unescape(frame[1]), self._http) as work:
            self.seconds["its page"] = time.perf_counter() - began
            self.assignment, self.hit = started.url.path, work.init_data["hit"]


class Bench:
    """A campaign with a HIT for each, and its processes."""

    def __init__(self, folder: Path, people: int, running: ExitStack) -> None:
        model = running.enter_context(ModelServer(folder, "benchmarks.trivial"))
        self.settings = campaign(folder, people, model.address)
        running.enter_context(OperatorProcess(self.settings, Stage.WRITING, "pseudonyms", {}))
        self._link = _link(folder / "people")
        self._people = people

    async def run(self) -> list[Arrival]:
        async with AsyncExitStack() as opened:
            shared = [
                await opened.enter_async_context(httpx.AsyncHTTPTransport(trust_env=False))
                for _ in range(0, self._people, PAGES_PER_CLIENT)
            ]
            arrivals = [
                Arrival(number, self._link, shared[number // PAGES_PER_CLIENT]) for number in range(self._people)
            ]
            await asyncio.gather(*(arrival.come() for arrival in arrivals))
        return arrivals


def campaign(folder: Path, people: int, model_address: str) -> Settings:
    contexts = sum(1 for _ in CONTEXTS.open(encoding="utf-8"))
    needed = int(people * SPARE) + 1
    options = [
        "crowd=link",
        f"crowd.people={folder / 'people'}",
        f"crowd.endpoint_url=http://127.0.0.1:{free_port()}",
        "crowd.recruiter.person=PID",
        "crowd.recruiter.session=SID",
        "crowd.recruiter.finish_url=https://recruiter.example/done",
        "adversary.members=[]",
        f"+adversary.servers.{TRIVIAL}.address={model_address}",
        f"round.hits_per_context={-(-needed // contexts)}",
        f"round.max_hits={needed}",
        "profile.registrations_per_minute=0",
        f"pay.cap_cents={CENTS}",
        "seed=1",
    ]
    return read_settings(TASKS / "reading_comprehension", options, out=folder / "campaign")


def _link(people: Path) -> str:
    with store.people_at(str(people)) as market, market.reading() as moment:
        [key] = moment.connection.exec_driver_sql("SELECT key FROM studies").scalars()
        return f"{store.portal_address(moment)}/worker/study/{key}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=1000, help="who arrive in the same moment")
    given = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, force=True)  # Mephisto has set it to INFO
    console = Console(width=100)
    with tempfile.TemporaryDirectory(prefix="arrivals-") as folder, ExitStack() as running:
        bench = Bench(Path(folder), given.people, running)
        began = time.perf_counter()
        arrivals = asyncio.run(bench.run())
        lasted = time.perf_counter() - began
    table = Table("seconds until", "p50", "p95", "last")
    for step in ("a HIT", "its page"):
        seconds = [arrival.seconds[step] for arrival in arrivals]
        table.add_row(step, *(f"{each:.2f}" for each in (statistics.median(seconds), p95(seconds), max(seconds))))
    console.print(table)
    distinct = {arrival.assignment for arrival in arrivals}, {arrival.hit for arrival in arrivals}
    console.print(
        f"{len(arrivals)} people in {lasted:.1f} s; {len(distinct[0])} assignments and {len(distinct[1])} HITs of the "
        f"campaign, each of one person; {TARGET}"
    )


if __name__ == "__main__":
    main()
