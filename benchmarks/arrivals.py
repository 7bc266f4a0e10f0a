"""A thousand people whom a recruiter sends at once: how soon each has a page to work on, and that nobody has another's.

Everybody opens the link of a study, chooses Start, gets a HIT, and opens its page: four requests to the portal, and a
registration with the router. Portal, operator, router and model server are the processes of `launch crowd=link`.

With `--crowd prolific` everybody has taken a place at a local recruiter before, of which the portal asks it at the link
and again at Start.

    python -m benchmarks.arrivals [--people 1000] [--crowd link|prolific]
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from html import unescape
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.marketplace.people import store
from beat_the_ai.rehearsal.processes import OperatorProcess
from beat_the_ai.rehearsal.prolific import LOOK_SECONDS, ProlificVenue
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.marketplace import page_in_frame
from beat_the_ai.simulation.participants import ParticipantWorkplace
from benchmarks.crowd import PAGES_PER_CLIENT
from benchmarks.served_model import ModelServer
from benchmarks.suite import CONTEXTS, TASKS
from benchmarks.thousand import p95
from benchmarks.trivial import NAME as TRIVIAL
from tests.ports import free_port

TOKEN = re.compile('name="form_token" value="([0-9a-f]+)"')
FRAME = re.compile('<iframe class="task" src="([^"]+)"')
SPARE = 1.2  # HITs for each that is needed
CENTS = 10**7
TARGET = "target: everybody has a page within 10 s, and nobody another's"


class Arrival:
    """One person with a browser of their own, and a link with their ids."""

    def __init__(self, link: str, connections: httpx.AsyncHTTPTransport) -> None:
        self.seconds: dict[str, float] = {}
        self.assignment = ""
        self.hit = ""
        self._link = httpx.URL(link)
        self._http = httpx.AsyncClient(transport=connections, follow_redirects=True, timeout=120)

    async def come(self) -> None:
        """From the link to the page of a HIT."""
        began = time.perf_counter()
        page = await self._http.get(self._link)
        token = TOKEN.search(page.text)
        form = {"form_token": token[1] if token else "", **self._link.params}
        started = await self._http.post(self._link.copy_with(query=None), data=form)
        self.seconds["a HIT"] = time.perf_counter() - began
        frame = FRAME.search(started.text)
        if frame is None:
            raise SystemExit(f"Somebody got no HIT: {started.text}")
        async with page_in_frame(unescape(frame[1]), self._http) as work:
            self.seconds["its page"] = time.perf_counter() - began
            self.assignment, self.hit = started.url.path, work.init_data["hit"]


@contextmanager
def linked(folder: Path, people: int) -> Iterator[list[str]]:
    """Serve a campaign of people whom a recruiter sends by a link. Yields the link of each."""
    options = [
        "crowd=link",
        f"crowd.people={folder / 'people'}",
        f"crowd.endpoint_url=http://127.0.0.1:{free_port()}",
        "crowd.recruiter.person=PID",
        "crowd.recruiter.session=SID",
        "crowd.recruiter.finish_url=https://recruiter.example/done",
    ]
    with ModelServer(folder, "benchmarks.trivial") as model:
        settings = campaign(folder, people, model.address, options)
        with OperatorProcess(settings, Stage.WRITING, "pseudonyms", {}):
            link = _link(folder / "people")
            yield [f"{link}?PID=person-{number:05}&SID=place-{number:05}" for number in range(people)]


@contextmanager
def with_places(folder: Path, people: int) -> Iterator[list[str]]:
    """Serve a campaign to participants of a local recruiter, who have taken their places. Yields the link of each."""
    options = ["crowd=prolific", "crowd.prolific.workspace=any", "crowd.prolific.minutes=10"]
    with ModelServer(folder, "benchmarks.trivial") as model:
        settings = campaign(folder, people, model.address, options)
        assert settings.crowd.prolific is not None, "the options say so"
        with ProlificVenue.opened(folder, settings) as venue:
            crowd = venue.located(settings).crowd
            assert crowd.prolific is not None
            prolific = crowd.prolific.model_copy(update={"check_seconds": settings.crowd.prolific.check_seconds})
            located = settings.model_copy(update={"crowd": crowd.model_copy(update={"prolific": prolific})})
            accounts = venue.enrol([f"AARRIVES{number:05}" for number in range(people)])
            with OperatorProcess(located, Stage.WRITING, "pseudonyms", venue.keys):
                while not venue.follows():
                    time.sleep(LOOK_SECONDS)
                yield asyncio.run(_places(prolific.api_url, [one.access_code for one in accounts]))


async def _places(recruiter: str, participants: Sequence[str]) -> list[str]:
    """Let everybody take a place, and return the links behind them."""
    return [await _place(recruiter, one) for one in participants]


async def _place(recruiter: str, participant: str) -> str:
    async with httpx.AsyncClient(trust_env=False, timeout=120) as http:
        submission = await ParticipantWorkplace(recruiter, "", http, participant).place()
        return (await http.get(f"{recruiter}{submission}/open")).headers["location"]


async def arrive(links: Sequence[str]) -> list[Arrival]:
    """Let everybody come in the same moment."""
    async with AsyncExitStack() as opened:
        shared = [
            await opened.enter_async_context(httpx.AsyncHTTPTransport(trust_env=False))
            for _ in range(0, len(links), PAGES_PER_CLIENT)
        ]
        arrivals = [Arrival(link, shared[number // PAGES_PER_CLIENT]) for number, link in enumerate(links)]
        await asyncio.gather(*(arrival.come() for arrival in arrivals))
    return arrivals


CROWDS = {"link": linked, "prolific": with_places}


def campaign(folder: Path, people: int, model_address: str, crowd: Sequence[str]) -> Settings:
    contexts = sum(1 for _ in CONTEXTS.open(encoding="utf-8"))
    needed = int(people * SPARE) + 1
    options = [
        *crowd,
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
    parser.add_argument("--crowd", choices=CROWDS, default="link")
    given = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, force=True)  # Mephisto has set it to INFO
    console = Console(width=100)
    with (
        tempfile.TemporaryDirectory(prefix="arrivals-") as folder,
        CROWDS[given.crowd](Path(folder), given.people) as links,
    ):
        began = time.perf_counter()
        arrivals = asyncio.run(arrive(links))
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
