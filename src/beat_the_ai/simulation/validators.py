"""Simulated validators: careful ones, who mostly know the answer, and sloppy ones, who often mark something else.

What a validator answers depends on the seed, the worker and the question alone. In turn, one HIT after the other, a
crowd gives the same votes in every run; side by side, who gets which question is a matter of time.
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
from beat_the_ai.rules.borders import words
from beat_the_ai.rules.protocol import Context
from beat_the_ai.simulation.page import CallFailed, PageClient
from beat_the_ai.simulation.workplaces import Hit, Workplace, Workplaces

MAX_CONNECTIONS = 400
RETRY_SECONDS = 0.2
LONGEST_GUESS_WORDS = 4

Span = Mapping[str, Any]


@dataclass(frozen=True)
class Habits:
    """How often a validator answers as the reference does, a word too much or too few, or "cannot be answered"."""

    right: float
    imprecise: float
    cannot: float


CAREFUL = Habits(right=0.8, imprecise=0.1, cannot=0.04)
SLOPPY = Habits(right=0.3, imprecise=0.2, cannot=0.2)


@dataclass(frozen=True)
class ValidatorCrowd:
    """How many validators there are and what they know: `{(context, question): answer}`.

    Every `sloppy_every`-th of them is sloppy.
    """

    validators: int
    seed: int
    answers: Mapping[tuple[str, str], Span]
    sloppy_every: int = 4
    thinking_seconds: float = 0.0

    @classmethod
    def of(cls, contexts: Sequence[Context], *, validators: int, seed: int, **more: Any) -> ValidatorCrowd:
        """A crowd that knows the reference questions of these contexts (`private["questions"]`)."""
        answers = {
            (context.id, item["question"]): item["answer"]
            for context in contexts
            for item in context.private.get("questions", [])
        }
        return cls(validators, seed, answers, **more)

    def habits(self, number: int) -> Habits:
        return SLOPPY if number % self.sloppy_every == self.sloppy_every - 1 else CAREFUL

    def answer(self, number: int, context_id: str, text: str, question: str) -> Span | None:
        """What the validator of that number marks; None for "cannot be answered"."""
        chance = random.Random(f"{self.seed}/{number}/{context_id}/{question}")  # noqa: S311  # a simulation
        habits, drawn = self.habits(number), chance.random()
        known = self.answers.get((context_id, question))
        if drawn < habits.cannot:
            return None
        if known is None or drawn >= habits.cannot + habits.right + habits.imprecise:
            return _guess(text, chance)
        return _widened(text, known, chance) if drawn >= habits.cannot + habits.right else known


def _guess(text: str, chance: random.Random) -> Span:
    places = _words(text)
    first = chance.randrange(len(places))
    last = min(len(places) - 1, first + chance.randrange(LONGEST_GUESS_WORDS))
    return _span(text, places[first][0], places[last][1])


def _widened(text: str, known: Span, chance: random.Random) -> Span:
    """The known answer with the word before or after it."""
    start, end = known["start"], known["start"] + len(known["text"])
    before = [place for place in _words(text) if place[1] <= start][-1:]
    after = [place for place in _words(text) if place[0] >= end][:1]
    if before and (not after or chance.random() < 0.5):
        return _span(text, before[0][0], end)
    return _span(text, start, after[0][1] if after else end)


def _words(text: str) -> list[tuple[int, int]]:
    """Without punctuation on its own."""
    return [(start, end) for start, end in words(text) if any(char.isalnum() for char in text[start:end])]


def _span(text: str, start: int, end: int) -> Span:
    return {"text": text[start:end], "start": start}


async def validate(
    crowd: ValidatorCrowd,
    workplaces: Workplaces,
    may_work: Callable[[int], bool],
    on_vote: Callable[[Mapping[str, Any]], None],
    on_hit: Callable[[], None],
    *,
    in_turn: bool = False,
) -> int:
    """Let all validators work as long as `may_work(number)` says that a HIT may come. Returns the HITs they submitted.

    `on_vote` gets each vote that was kept, or `{"error": ...}`; `on_hit` is called after each submission. `in_turn` is
    for questions that are all there already.
    """
    limits = httpx.Limits(max_connections=MAX_CONNECTIONS)
    async with httpx.AsyncHTTPTransport(limits=limits, trust_env=False) as connections:
        everybody = []
        for number in range(crowd.validators):
            browser = httpx.AsyncClient(transport=connections)  # cookies of its own, connections shared by all
            everybody.append(_Validator(number, crowd, workplaces(number, browser), may_work, on_vote, on_hit))
        if not in_turn:
            return sum(await asyncio.gather(*(validator.work() for validator in everybody)))
        hits, done = 0, 1
        while done:
            done = sum([await validator.hit() for validator in everybody])
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
        """Whether it was done, from the first question to the crowd's own form."""
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
        texts = {context["id"]: context["text"] for context in page.init_data["contexts"]}
        for item in page.init_data["items"]:
            await asyncio.sleep(self._crowd.thinking_seconds)
            context_id = item["context_id"]
            answer = self._crowd.answer(self._number, context_id, texts[context_id], item["work"]["question"])
            shown = None if answer is None else {"text": answer["text"], "start": answer["start"]}
            key = str(uuid.uuid5(uuid.NAMESPACE_OID, item["id"]))
            try:
                await page.insist("vote", {"item_id": item["id"], "vote_key": key, "vote": {"answer": shown}})
            except CallFailed as failed:
                self._on_vote({"error": failed.error})
                if failed.error.get("code") == "refused":  # the HIT has ended: hand it in
                    return
            else:
                self._on_vote({"item_id": item["id"], "answer": shown})
