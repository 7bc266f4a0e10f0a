"""Simulated newcomers who take the screening: good, sloppy and malicious ones, over the page's own protocol.

What they answer is the kind's (`rules.screening.Newcomers`). It depends on the seed and the newcomer's number alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import httpx

from beat_the_ai.errors import BeatTheAIError, Refused
from beat_the_ai.rules.screening import Newcomers
from beat_the_ai.simulation.page import CallFailed, PageClient
from beat_the_ai.simulation.workplaces import Workplace, Workplaces

MAX_CONNECTIONS_EACH = 4
RETRY_SECONDS = 1.0


class Persona(str, Enum):
    GOOD = "good"
    SLOPPY = "sloppy"
    MALICIOUS = "malicious"


@dataclass(frozen=True)
class Taken:
    """The course of a screening: its last phase before submission, and the number of works in the sample HIT.

    `phase` is None for a newcomer who got no place; `refusal` has the reason, if one was given.
    """

    persona: Persona
    phase: str | None
    tries: int = 0
    mistakes: int = 0
    attempts: int = 0
    refusal: str | None = None


async def take_screenings(
    personas: Sequence[Persona],
    newcomers: Newcomers,
    workplaces: Workplaces,
    *,
    seed: int,
    on_taken: Callable[[Taken], None],
    patience_seconds: float = 0.0,
) -> list[Taken]:
    """Let a newcomer of each persona take the screening at the workplace of that number, side by side, in this order.

    Who gets no place looks again for so long.
    """
    limits = httpx.Limits(max_connections=MAX_CONNECTIONS_EACH)

    async def take(number: int, persona: Persona) -> Taken:
        async with httpx.AsyncClient(limits=limits, trust_env=False) as browser:
            deadline = time.monotonic() + patience_seconds
            workplace = workplaces(number, browser)
            while (taken := await _take(persona, newcomers, workplace, f"{seed}/{number}")).phase is None:
                if time.monotonic() > deadline:
                    break
                await asyncio.sleep(RETRY_SECONDS)
        on_taken(taken)
        return taken

    return await asyncio.gather(*(take(number, persona) for number, persona in enumerate(personas)))


async def _take(persona: Persona, newcomers: Newcomers, workplace: Workplace, name: str) -> Taken:
    hit = await workplace.next_hit()
    if hit is None:
        return Taken(persona, None)
    final_data = {"feedback": ""}
    try:
        async with hit.page as page:
            taken = await Visit(persona, newcomers, page, name).take()
            await page.submit(final_data)
    except Refused as refusal:
        await hit.give_back()
        return Taken(persona, None, refusal=str(refusal))
    with contextlib.suppress(Refused):  # its time was over; what was done is in the store
        await hit.hand_in(final_data)
    return taken


class _NotTaken(BeatTheAIError):
    """A request that breaks a rule, and used up no try."""


class Visit:
    """One newcomer at an open page. `name` seeds the draws and the keys of what is sent."""

    def __init__(self, persona: Persona, newcomers: Newcomers, page: PageClient, name: str) -> None:
        self._persona = persona
        self._newcomers = newcomers
        self._page = page
        self._name = name
        self._rng = random.Random(name)  # noqa: S311  # a simulation, not a secret

    async def take(self) -> Taken:
        """From where the newcomer stands to the end of the sample HIT."""
        screening = (await self._page.call("state", {}))["screening"]
        tries = mistakes = 0
        while screening["phase"] == "steps":
            shown = screening["step"]
            key = f"{self._name}/{shown['id']}/{len(shown['mistakes'])}"[-64:]
            response = self._newcomers.response(self._persona.value, shown["id"], self._rng)
            arguments = {"response_key": key, "step": shown["id"], "work": response}
            reply = await self._call("respond", arguments)
            screening = reply["screening"]
            tries += 1
            mistakes += not reply["response"]["right"]
        attempts = await self._write(screening["sample"]) if screening["phase"] == "sample" else 0
        return Taken(self._persona, screening["phase"], tries, mistakes, attempts)

    async def _write(self, sample: Mapping[str, Any]) -> int:
        """The sample HIT."""
        judged = 0
        works = self._newcomers.works(self._persona.value, sample["brief"], self._rng)
        for number, work in enumerate(works):
            key = f"{self._name}/sample/{number}"[-64:]
            arguments = {"attempt_key": key, "context_id": sample["id"], "work": work}
            with contextlib.suppress(_NotTaken):
                await self._call("submit_attempt", arguments)
                judged += 1
        return judged

    async def _call(self, target: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Again while the model is busy: what a newcomer does must not depend on that."""
        while True:
            try:
                return await self._page.call(target, arguments)
            except CallFailed as failed:
                if failed.error.get("code") == "invalid":
                    raise _NotTaken from failed
                if failed.error.get("code") not in ("busy", "adversary"):
                    raise
                await asyncio.sleep(failed.error.get("retry_after_seconds") or RETRY_SECONDS)
