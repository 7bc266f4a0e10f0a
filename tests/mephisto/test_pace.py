"""Registrations from one address."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from beat_the_ai.mephisto.router.pace import Pace
from beat_the_ai.simulation.page import PageClient
from tests.mephisto.rig import in_thread, serving


def test_a_burst_passes_and_then_one_after_the_other() -> None:
    now = [0.0]
    pace = Pace(60, ["127.0.0.1"], lambda: now[0])
    assert [pace.seconds_to_wait("10.0.0.1") for _ in range(60)] == [0.0] * 60
    assert pace.seconds_to_wait("10.0.0.1") == pytest.approx(1.0)
    assert pace.seconds_to_wait("10.0.0.2") == 0.0
    now[0] = 1.5
    assert pace.seconds_to_wait("10.0.0.1") == 0.0
    assert pace.seconds_to_wait("10.0.0.1") == pytest.approx(0.5)
    assert all(pace.seconds_to_wait("127.0.0.1") == 0.0 for _ in range(1000))
    assert all(Pace(0).seconds_to_wait("10.0.0.1") == 0.0 for _ in range(1000))


def test_all_addresses_of_a_subscriber_have_one_pace() -> None:
    pace = Pace(2, ["::1"], lambda: 0.0)
    assert [pace.seconds_to_wait(f"2001:db8::{number}") > 0 for number in range(4)] == [False, False, True, True]
    assert pace.seconds_to_wait("2001:db8:0:1::1") == 0.0
    for stranger in ("unknown", "10.0.0.1:80", "::ffff:10.0.0.1", ""):
        assert pace.seconds_to_wait(stranger) == 0.0
    assert all(pace.seconds_to_wait("::1") == 0.0 for _ in range(10))


def test_whoever_registers_without_end_is_slowed_down_and_nobody_else(tmp_path: Path) -> None:
    def statuses(url: str, count: int) -> list[int]:
        """From another address of this machine than the proxy's."""
        transport = httpx.HTTPTransport(local_address="127.0.0.9")
        with httpx.Client(transport=transport, trust_env=False) as attacker:
            body = {"provider_data": {"worker_name": "", "agent_registration_id": ""}}
            return [attacker.post(f"{url}/request_agent", json=body).status_code for _ in range(count)]

    async def attacked() -> None:
        async with in_thread(serving(tmp_path, architect={"registrations_per_minute": 5})) as run:
            assert set(await asyncio.to_thread(statuses, run.url, 5)) == {400}
            assert 429 in await asyncio.to_thread(statuses, run.url, 5)
            async with httpx.AsyncClient(trust_env=False) as http:
                for number in range(3):
                    async with PageClient(run.url, http, f"w{number}", "a") as page:
                        assert page.init_data

    asyncio.run(asyncio.wait_for(attacked(), 120))
