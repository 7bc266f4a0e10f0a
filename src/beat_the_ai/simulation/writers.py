"""Simulated writers: each makes what its persona makes of a HIT, one work after the other, as a person would.

What a writer does in a HIT depends on the seed, the context, what the HIT asks for, the writer's persona and, where
people of the kind of task learn, what the page told this writer before. Where they do not, a crowd of one persona
collects the same works whichever worker happens to get which HIT, and whatever broke on the way: a HIT that is begun
again goes through the same attempts under the same keys. In turns, so does any crowd.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from beat_the_ai.errors import Refused
from beat_the_ai.rules.kind import Judgement, People, Revises
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.simulation.page import CallFailed, PageClient
from beat_the_ai.simulation.personas import GOOD
from beat_the_ai.simulation.workplaces import Hit, Workplace, Workplaces

RETRACTION_RATE = 0.03
TAKEN_RATE = 0.5  # of suggestions
MOST_REVISIONS = 20
MAX_CONNECTIONS = 400
RETRY_SECONDS = 1.0
IDLE_SECONDS = 15.0
LONGEST_PAUSE_SECONDS = 8.0

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Writers:
    """Writers of these personas, who know these contexts and all that stands with them.

    `memories` are what writers remember of the round from before, by their numbers.
    """

    people: People
    personas: Sequence[str]
    seed: int
    contexts: Mapping[str, Context]
    memories: Mapping[int, Sequence[Judgement]] = field(default_factory=dict)

    @classmethod
    def of(cls, people: People, contexts: Sequence[Context], *, writers: int, seed: int) -> Writers:
        """A crowd of good writers."""
        return cls(people, [GOOD] * writers, seed, {context.id: context for context in contexts})


async def work(
    crowd: Writers,
    workplaces: Workplaces,
    on_attempt: Callable[[Mapping[str, Any]], None],
    on_hit: Callable[[], None],
    over: Callable[[], bool] = lambda: True,
    after_turn: Callable[[], Awaitable[None]] | None = None,
    before: Callable[[], Awaitable[None]] | None = None,
) -> int:
    """Let all writers work until there is no HIT left for them. Returns the number of HITs that they submitted.

    `on_attempt` gets each attempt as the page gets it, or `{"error": ...}`; `on_hit` is called after each submission.
    A writer for whom there is nothing leaves when `over()` says so, and looks again later until then.

    With `after_turn` they work in turns: in each, every writer takes one HIT, one after the other, and then something
    is done about it all. Then the seed decides who gets which HIT, too. `before` is waited for first.
    """
    if before is not None:
        await before()
    limits = httpx.Limits(max_connections=MAX_CONNECTIONS)
    async with httpx.AsyncHTTPTransport(limits=limits, trust_env=False) as connections:
        writers = []
        for number, persona in enumerate(crowd.personas):
            browser = httpx.AsyncClient(transport=connections)  # cookies of its own, connections shared by all
            memory = [*crowd.memories.get(number, ())]
            writers.append(_Writer(crowd, persona, memory, workplaces(number, browser), on_attempt, on_hit, over))
        if after_turn is not None:
            return await _work_in_turns(writers, over, after_turn)
        return sum(await asyncio.gather(*(writer.work() for writer in writers)))


async def _work_in_turns(
    writers: Sequence[_Writer], over: Callable[[], bool], after_turn: Callable[[], Awaitable[None]]
) -> int:
    """Ends also when nobody gets a HIT for a while: those that are left are for none of these writers."""
    done, last_done = 0, time.monotonic()
    while not over() and time.monotonic() - last_done < IDLE_SECONDS:
        turn = sum(await asyncio.gather(*[await writer.take() for writer in writers]))
        await after_turn()
        if turn:
            done, last_done = done + turn, time.monotonic()
        else:
            await asyncio.sleep(RETRY_SECONDS)
    return done


class _Writer:
    def __init__(
        self,
        crowd: Writers,
        persona: str,
        memory: list[Judgement],
        workplace: Workplace,
        on_attempt: Callable[[Mapping[str, Any]], None],
        on_hit: Callable[[], None],
        over: Callable[[], bool],
    ) -> None:
        self._crowd = crowd
        self._persona = persona
        self._memory = memory
        self._workplace = workplace
        self._on_attempt = on_attempt
        self._on_hit = on_hit
        self._over = over

    async def work(self) -> int:
        done, pause_seconds = 0, RETRY_SECONDS
        while True:
            hit = await self._workplace.next_hit()
            if hit is not None and await self._do(hit):
                done, pause_seconds = done + 1, RETRY_SECONDS
            elif self._over():
                return done
            else:
                await asyncio.sleep(pause_seconds)
                pause_seconds = min(2 * pause_seconds, LONGEST_PAUSE_SECONDS)

    async def take(self) -> asyncio.Future[bool]:
        """Returns when the writer has a HIT open, or has none; the future says whether it was done."""
        hit = await self._workplace.next_hit()
        if hit is None:
            nothing: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
            nothing.set_result(False)
            return nothing
        opened = asyncio.Event()
        doing = asyncio.create_task(self._do(hit, opened))
        waiting = asyncio.create_task(opened.wait())
        await asyncio.wait((doing, waiting), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        return doing

    async def _do(self, hit: Hit, opened: asyncio.Event | None = None) -> bool:
        """Do a HIT from the first work to the crowd's own form, and return whether it was done."""
        try:
            async with hit.page as page:
                if opened is not None:
                    opened.set()
                final_data = await self._write(page)
                await page.submit(final_data)
        except Refused as refused:
            log.info("a HIT is returned: %s", refused)
            await hit.give_back()
            return False
        try:
            await hit.hand_in(final_data)
        except Refused:  # its time was over; what was written is in the store
            return False
        self._on_hit()
        return True

    async def _write(self, page: PageClient) -> dict[str, Any]:
        """Write the works of a HIT, and return what the page submits in the end: the attempts, in their order."""
        context, brief = page.init_data["context"], page.init_data["brief"]
        asked = "/".join(map(str, (self._crowd.seed, context["id"], *brief.values())))
        rng = random.Random(asked)  # noqa: S311  # a simulation, not a secret
        arm = page.init_data["arm"]
        config = {**await page.task_config(), **({} if arm is None else arm["config"])}
        task_item = TaskItem(self._crowd.contexts[context["id"]], brief)
        works = self._crowd.people.works(self._persona, task_item, rng, self._memory)
        wins, helped, attempt_ids = 0, 0, []
        for index, work in enumerate(works):
            if wins >= config["wins_wanted"]:
                break
            await asyncio.sleep(0)
            mistaken = rng.random() < RETRACTION_RATE
            if arm is not None and arm["suggests"] and rng.random() < TAKEN_RATE:
                helped += 1
                work = await self._helped(page, helped, work)
            try:
                hinted = config.get("shows_model", True)
                final = await self._revised(page, index, work, task_item, rng) if hinted else work
                reply = await self._submit(page, context["id"], index, final)
                attempt = reply["attempt"]
                if attempt["fooled"] is not None:
                    self._memory.append(Judgement(task_item, attempt["work"], attempt["fooled"]))
                if mistaken:
                    await page.insist("retract", {"attempt_id": attempt["attempt_id"]})
                elif reply["hit"]["explanations_missing"]:
                    explanation = self._crowd.people.explanation(attempt["work"], task_item)
                    await page.insist("explain", {"attempt_id": attempt["attempt_id"], "explanation": explanation})
            except CallFailed as failed:
                self._on_attempt({"error": failed.error})
                if failed.error.get("code") == "refused":  # no try is left, or the HIT has ended: hand it in
                    break
                continue
            attempt_ids.append(attempt["attempt_id"])
            wins += attempt["fooled"] is not False and not mistaken  # without a verdict, all that was written
        return {"hit": page.init_data["hit"], "attempt_ids": attempt_ids, "feedback": ""}

    async def _helped(self, page: PageClient, ordinal: int, work: Json) -> Json:
        """Return a work with what the suggestion of this ordinal has, if there is one."""
        so_far = await page.insist("suggestions", {"ordinal": ordinal})
        if not so_far["suggestions"]:
            return work
        newest = so_far["suggestions"][-1]
        await page.insist("take_suggestion", {"ordinal": newest["ordinal"]})
        return {**work, **{name: value for name, value in newest["work"].items() if value is not None}}

    async def _revised(self, page: PageClient, index: int, work: Json, task_item: TaskItem, rng: random.Random) -> Json:
        """Return a work as its writer revises it with the model's hints, where the kind of task has any."""
        people = self._crowd.people
        if not isinstance(people, Revises):
            return work
        for number in range(MOST_REVISIONS):
            call = {"context_id": task_item.context.id, "draft": work, "cause": "pause"}
            reply = await page.insist("hint", {**call, "edit_key": f"{index}-{number}"})
            revised = people.revised(work, reply["hint"], task_item, rng)
            if revised is None:
                break
            work = revised
        return work

    async def _submit(self, page: PageClient, context_id: str, index: int, work: Json) -> Mapping[str, Any]:
        """One attempt, judged, and where the writer stands."""
        key = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self._crowd.seed}/{context_id}/{index}"))
        reply = await page.insist("submit_attempt", {"attempt_key": key, "context_id": context_id, "work": work})
        self._on_attempt(reply["attempt"])
        return reply
