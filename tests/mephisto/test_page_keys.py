"""Sessions where no crowd vouches for workers: a page proves that it is the one that began."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from beat_the_ai.errors import Refused
from beat_the_ai.mephisto.page_keys import PageKeys
from beat_the_ai.simulation.page import PageClient
from tests.mephisto.rig import Serving, in_thread, serving


def open_page(run: Serving, http: httpx.AsyncClient, **key: str) -> PageClient:
    return PageClient(run.url, http, "ann", "assignment-1", **key)


async def is_refused(run: Serving, http: httpx.AsyncClient, **key: str) -> bool:
    with pytest.raises(Refused, match="open in another browser"):
        async with open_page(run, http, **key):
            pass
    return True


def test_whoever_guesses_the_names_of_worker_and_assignment_does_not_get_the_session(tmp_path: Path) -> None:
    async def before_and_after_a_restart() -> None:
        async with httpx.AsyncClient(trust_env=False) as http:
            async with in_thread(serving(tmp_path)) as run, open_page(run, http, page_key="mine") as mine:
                assert await is_refused(run, http, page_key="theirs")
                assert await is_refused(run, http)
                async with open_page(run, http, page_key="mine") as reloaded:
                    assert reloaded.init_data == mine.init_data
            async with in_thread(serving(tmp_path)) as run:
                assert await is_refused(run, http, page_key="theirs")
                async with open_page(run, http, page_key="mine") as again:
                    assert again.init_data == mine.init_data

    asyncio.run(asyncio.wait_for(before_and_after_a_restart(), 120))


def test_pages_without_keys_share_one_and_a_failed_registration_leaves_none() -> None:
    keys, page = PageKeys(), {"agent_registration_id": "a-w"}
    keys.check(page)
    keys.check(page)
    with pytest.raises(Refused):
        keys.check({**page, "page_key": "k"})
    keys.forget("a-w")
    keys.check({**page, "page_key": "k"})
