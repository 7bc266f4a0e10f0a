"""Simulated validators: careful ones, who mostly know what is right, and careless ones.

What a validator says depends on the seed, the worker and the work alone. In turn, one HIT after the other, each once
the votes before it count, a crowd gives the same votes in every run; side by side, who gets which work is a matter of
time.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import httpx

from beat_the_ai.errors import Refused
from beat_the_ai.rules.kind import People, Plays
from beat_the_ai.rules.protocol import Context, Json
from beat_the_ai.simulation.page import CallFailed, PageClient
from beat_the_ai.simulation.workplaces import Hit, Workplace, Workplaces

MAX_CONNECTIONS = 400
RETRY_SECONDS = 0.2
CARELESS_EVERY = 4


@dataclass(frozen=True)
class ValidatorCrowd:
    """A number of validators; every fourth of them is careless. They know these contexts."""

    people: People
    validators: int
    seed: int
    contexts: Mapping[str, Context]

    @classmethod
    def of(cls, people: People, contexts: Sequence[Context], *, validators: int, seed: int) -> ValidatorCrowd:
        return cls(people, validators, seed, {context.id: context for context in contexts})

    @property
    def plays(self) -> bool:
        """Return whether works are shown to them step by step."""
        return isinstance(self.people, Plays)

    def vote(self, number: int, context_id: str, shown: Json) -> Json:
        """Return the vote of the validator of that number on a work."""
        seed = f"{self.seed}/{number}"
        return self.people.vote(shown, self.contexts[context_id], seed, careful=self._is_careful(number))

    def voted(self, number: int, title: str, revealed: Json) -> Json | None:
        """The same of a work on a context of that title, of which so much is shown; None to see more."""
        assert isinstance(self.people, Plays), "else it is shown as a whole"
        seed = f"{self.seed}/{number}"
        contexts = [context for context in self.contexts.values() if context.title == title]
        return self.people.voted(revealed, contexts, seed, careful=self._is_careful(number))

    def _is_careful(self, number: int) -> bool:
        return number % CARELESS_EVERY != CARELESS_EVERY - 1


async def validate(
    crowd: ValidatorCrowd,
    workplaces: Workplaces,
    may_work: Callable[[int], bool],
    on_vote: Callable[[Mapping[str, Any]], None],
    on_hit: Callable[[], None],
    before_hit: Callable[[], Awaitable[None]] | None = None,
) -> int:
    """Let all validators work as long as `may_work(number)` says that a HIT may come. Returns the HITs they submitted.

    `on_vote` gets each vote that was kept, or `{"error": ...}`; `on_hit` is called after each submission. With
    `before_hit`, which is waited for, they take one HIT after the other, in turn: for works that are all there already.
    """
    limits = httpx.Limits(max_connections=MAX_CONNECTIONS)
    async with httpx.AsyncHTTPTransport(limits=limits, trust_env=False) as connections:
        everybody = []
        for number in range(crowd.validators):
            browser = httpx.AsyncClient(transport=connections)  # cookies of its own, connections shared by all
            everybody.append(_Validator(number, crowd, workplaces(number, browser), may_work, on_vote, on_hit))
        if before_hit is None:
            return sum(await asyncio.gather(*(validator.work() for validator in everybody)))
        hits, done = 0, 1
        while done:
            done = 0
            for validator in everybody:
                await before_hit()
                done += await validator.hit()
            hits += done
        return hits


class _Validator:
    def __init__(
        self,
        number: int,
        crowd: ValidatorCrowd,
        workplace: Workplace,
        may_work: Callable[[int], bool],
        on_vote: Callable[[Mapping[str, Any]], None],
        on_hit: Callable[[], None],
    ) -> None:
        self._number = number
        self._crowd = crowd
        self._workplace = workplace
        self._may_work = may_work
        self._on_vote = on_vote
        self._on_hit = on_hit

    async def work(self) -> int:
        hits = 0
        while await self.hit():
            hits += 1
        return hits

    async def hit(self) -> bool:
        """Do a HIT, waiting until there is one. False when none will come."""
        while await asyncio.to_thread(self._may_work, self._number):
            hit = await self._workplace.next_hit()
            if hit is not None and await self._do(hit):
                self._on_hit()
                return True
            await asyncio.sleep(RETRY_SECONDS)
        return False

    async def _do(self, hit: Hit) -> bool:
        """Do a HIT from the first work to the crowd's own form, and return whether it was done."""
        try:
            async with hit.page as page:
                await self._validate(page)
                final_data = {"hit": page.init_data["hit"], "feedback": ""}
                await page.submit(final_data)
        except Refused:
            await hit.give_back()
            return False
        try:
            await hit.hand_in(final_data)
        except Refused:  # its time was over; the answers are in the store
            return False
        return True

    async def _validate(self, page: PageClient) -> None:
        for item in page.init_data["items"]:
            await asyncio.sleep(0)
            key = str(uuid.uuid5(uuid.NAMESPACE_OID, item["id"]))
            try:
                vote = await self._vote(page, item)
                await page.insist("vote", {"item_id": item["id"], "vote_key": key, "vote": vote})
            except CallFailed as failed:
                self._on_vote({"error": failed.error})
                if failed.error.get("code") == "refused":  # the HIT has ended: hand it in
                    return
            else:
                self._on_vote({"item_id": item["id"], "vote": vote})

    async def _vote(self, page: PageClient, item: Mapping[str, Any]) -> Json:
        if not self._crowd.plays:
            return self._crowd.vote(self._number, item["context_id"], item["work"])
        [title] = {each["title"] for each in page.init_data["contexts"] if each["id"] == item["context_id"]}
        for steps in count(1):
            reply = await page.insist("reveal", {"item_id": item["id"], "steps": steps})
            vote = self._crowd.voted(self._number, title, reply["revealed"])
            if vote is not None:
                return vote
        raise AssertionError("somebody votes at the end")
