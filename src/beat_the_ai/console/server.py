"""The console as a process. It prints one line of JSON with its address once it listens."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from beat_the_ai.campaign.starting.ground import Ground
from beat_the_ai.console.alerts import AlertWatch
from beat_the_ai.console.app import Pages, Site
from beat_the_ai.console.campaigns import Sources, Watched
from beat_the_ai.listening import ConnectionLimits
from beat_the_ai.review.server import check_built, serve_app

FIRST_SECONDS = 10.0  # that starting may take longer, for the first figures


def serve(
    campaigns: Mapping[str, Watched],
    pages: Pages,
    host: str = "127.0.0.1",
    port: int = 0,
    limits: ConnectionLimits | None = None,
    token: str | None = None,
    sources: Sources | None = None,
    ground: Ground | None = None,
) -> None:
    """Serve until a signal. Port 0 takes a free one. Raises `Refused` while a page is not built.

    Scripts show the `token`. `sources` and `ground` are as `Site` has them. The first figures are made before, as far
    as there is time, so that whoever opens the page finds some.
    """
    check_built("console", pages.console)
    check_built("review", pages.review)
    with ThreadPoolExecutor(1, "figures") as executor:  # one at a time: the machine has other work
        site = Site(campaigns, pages, executor, token=token, sources=sources, ground=ground)
        _make_first(site)
        with AlertWatch(site.campaigns, site.figures).running():
            serve_app(site.app(), host, port, limits, site.listeners.close)
        executor.shutdown(cancel_futures=True)
        site.close()


def _make_first(site: Site) -> None:
    """Have all first figures made, and wait for some time for those that the start page and the first tab show."""
    kept = [boards.figures for boards in site.boards.values()]
    for figures in kept:
        figures.renew()
    for boards in site.boards.values():
        boards.people.renew()
        boards.agreement.renew()
    until = time.monotonic() + FIRST_SECONDS
    for figures in kept:
        figures.wait(max(0.0, until - time.monotonic()))
