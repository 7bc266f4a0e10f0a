"""Simulated writers: they ask the questions that people wrote for a passage, one after the other, as a person would.

What a writer does on a passage depends on the seed and the passage alone, so a rehearsal collects the same questions
whichever worker happens to get which HIT.
"""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from beat_the_ai.errors import Refused
from beat_the_ai.rules.protocol import Context
from beat_the_ai.simulation.page import CallFailed, PageClient

RETRACTION_RATE = 0.03
MAX_CONNECTIONS = 400
RETRY_SECONDS = 1.0


@dataclass(frozen=True)
class Crowd:
    """How many writers there are, what they know, and how they are paced."""

    writers: int
    seed: int
    questions: Mapping[str, Sequence[Mapping[str, Any]]]
    thinking_seconds: float = 0.0

    @classmethod
    def of(cls, contexts: Sequence[Context], *, writers: int, seed: int) -> Crowd:
        """A crowd that knows the reference questions of these contexts (`private["questions"]`)."""
        return cls(writers, seed, {context.id: context.private.get("questions", []) for context in contexts})


async def work(
    crowd: Crowd, url: str, on_attempt: Callable[[Mapping[str, Any]], None], on_hit: Callable[[], None]
) -> int:
    """Let all writers work until there is no HIT left for them. Returns the number of HITs that they submitted.

    `on_attempt` gets each attempt as the page gets it, or `{"error": ...}`; `on_hit` is called after each submission.
    """
    limits = httpx.Limits(max_connections=MAX_CONNECTIONS)
    async with httpx.AsyncClient(limits=limits, trust_env=False) as http:
        done = await asyncio.gather(
            *(
                _Writer(f"writer-{number:03}", crowd, url, http, on_attempt, on_hit).work()
                for number in range(crowd.writers)
            )
        )
    return sum(done)


class _Writer:
    def __init__(
        self,
        name: str,
        crowd: Crowd,
        url: str,
        http: httpx.AsyncClient,
        on_attempt: Callable[[Mapping[str, Any]], None],
        on_hit: Callable[[], None],
    ) -> None:
        self._name = name
        self._crowd = crowd
        self._url = url
        self._http = http
        self._on_attempt = on_attempt
        self._on_hit = on_hit

    async def work(self) -> int:
        hits = 0
        while True:
            try:
                async with PageClient(self._url, self._http, self._name, f"assignment-{hits}") as page:
                    await self._write(page)
            except Refused:
                return hits
            hits += 1
            self._on_hit()

    async def _write(self, page: PageClient) -> None:
        context = page.init_data["context"]
        chance = random.Random(f"{self._crowd.seed}/{context['id']}")  # noqa: S311  # a simulation, not a secret
        config = await page.task_config()
        questions = list(self._crowd.questions[context["id"]])
        chance.shuffle(questions)
        wins = 0
        for index, item in enumerate(questions):
            if wins >= config["wins_wanted"]:
                break
            await asyncio.sleep(self._crowd.thinking_seconds)
            wins = await self._ask(page, context["id"], index, item, mistaken=chance.random() < RETRACTION_RATE)
        await page.submit({"feedback": ""})

    async def _ask(
        self, page: PageClient, context_id: str, index: int, item: Mapping[str, Any], *, mistaken: bool
    ) -> int:
        """One attempt, taken back if it was a mistake. Returns the wins of the HIT after it."""
        key = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self._crowd.seed}/{context_id}/{index}"))
        work = {"question": item["question"], "answer": {name: item["answer"][name] for name in ("text", "start")}}
        try:
            reply = await self._submit(page, {"attempt_key": key, "context_id": context_id, **work})
        except CallFailed as failed:
            self._on_attempt({"error": failed.error})
            return int((await page.call("state", {}))["hit"]["wins"])
        self._on_attempt(reply["attempt"])
        if mistaken:
            reply = await page.call("retract", {"attempt_id": reply["attempt"]["attempt_id"]})
        return int(reply["hit"]["wins"])

    async def _submit(self, page: PageClient, attempt: Mapping[str, Any]) -> dict[str, Any]:
        """Submit an attempt, again while the model is busy: which questions are asked must not depend on that."""
        while True:
            try:
                return await page.call("submit_attempt", attempt)
            except CallFailed as failed:
                if failed.error.get("code") != "busy":
                    raise
                await asyncio.sleep(failed.error.get("retry_after_seconds") or RETRY_SECONDS)
