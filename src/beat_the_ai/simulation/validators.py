"""Simulated validators: careful ones, who mostly know the answer, and sloppy ones, who often mark something else.

What a validator answers depends on the seed, the worker and the question alone. In turn, one HIT after the other, a
crowd gives the same votes in every run; side by side, who gets which question is a matter of time.
"""

from __future__ import annotations

import asyncio
import random
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from beat_the_ai.errors import Refused
from beat_the_ai.rules.protocol import Context
from beat_the_ai.simulation.page import CallFailed, PageClient

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
    """Who the validators are and what they know: `{(context, question): answer}`. Every `sloppy_every`-th is sloppy."""

    workers: Sequence[str]
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
        return cls([f"validator-{number:03}" for number in range(validators)], seed, answers, **more)

    def habits(self, worker: str) -> Habits:
        return SLOPPY if self.workers.index(worker) % self.sloppy_every == self.sloppy_every - 1 else CAREFUL

    def answer(self, worker: str, context_id: str, text: str, question: str) -> Span | None:
        """What this validator marks; None for "cannot be answered"."""
        chance = random.Random(f"{self.seed}/{worker}/{context_id}/{question}")  # noqa: S311  # a simulation
        habits, drawn = self.habits(worker), chance.random()
        known = self.answers.get((context_id, question))
        if drawn < habits.cannot:
            return None
        if known is None or drawn >= habits.cannot + habits.right + habits.imprecise:
            return _guess(text, chance)
        return _widened(text, known, chance) if drawn >= habits.cannot + habits.right else known


def _guess(text: str, chance: random.Random) -> Span:
    words = list(re.finditer(r"\w+", text))
    first = chance.randrange(len(words))
    last = min(len(words) - 1, first + chance.randrange(LONGEST_GUESS_WORDS))
    return _span(text, words[first].start(), words[last].end())


def _widened(text: str, known: Span, chance: random.Random) -> Span:
    """The known answer with the word before or after it."""
    start, end = known["start"], known["start"] + len(known["text"])
    before, after = re.search(r"\w+\W+$", text[:start]), re.match(r"\W+\w+", text[end:])
    if before is not None and (after is None or chance.random() < 0.5):
        return _span(text, before.start(), end)
    return _span(text, start, end + (after.end() if after is not None else 0))


def _span(text: str, start: int, end: int) -> Span:
    return {"text": text[start:end], "start": start}


async def validate(
    crowd: ValidatorCrowd,
    url: str,
    may_work: Callable[[str], bool],
    on_vote: Callable[[Mapping[str, Any]], None],
    on_hit: Callable[[], None],
    *,
    in_turn: bool = False,
) -> int:
    """Let all validators work as long as `may_work(worker)` says that a HIT may come. Returns the HITs they submitted.

    `on_vote` gets each vote that was kept, or `{"error": ...}`; `on_hit` is called after each submission. `in_turn` is
    for questions that are all there already.
    """
    limits = httpx.Limits(max_connections=MAX_CONNECTIONS)
    async with httpx.AsyncClient(limits=limits, trust_env=False) as http:
        everybody = [_Validator(worker, crowd, url, http, on_vote, on_hit) for worker in crowd.workers]
        if not in_turn:
            return sum(await asyncio.gather(*(validator.work(may_work) for validator in everybody)))
        hits, waiting = 0, True
        while waiting:
            waiting = False
            for validator in everybody:
                if may_work(validator.name):
                    waiting = True
                    hits += await validator.hit(may_work)
        return hits


class _Validator:
    def __init__(
        self,
        name: str,
        crowd: ValidatorCrowd,
        url: str,
        http: httpx.AsyncClient,
        on_vote: Callable[[Mapping[str, Any]], None],
        on_hit: Callable[[], None],
    ) -> None:
        self.name = name
        self._crowd = crowd
        self._url = url
        self._http = http
        self._on_vote = on_vote
        self._on_hit = on_hit
        self._hits = 0

    async def work(self, may_work: Callable[[str], bool]) -> int:
        while await self.hit(may_work):
            pass
        return self._hits

    async def hit(self, may_work: Callable[[str], bool]) -> bool:
        """Do a HIT, waiting until there is one. False when none will come."""
        while await asyncio.to_thread(may_work, self.name):
            try:
                async with PageClient(self._url, self._http, self.name, f"validation-{self._hits}") as page:
                    await self._validate(page)
            except Refused:
                await asyncio.sleep(RETRY_SECONDS)
                continue
            self._hits += 1
            self._on_hit()
            return True
        return False

    async def _validate(self, page: PageClient) -> None:
        texts = {context["id"]: context["text"] for context in page.init_data["contexts"]}
        for item in page.init_data["items"]:
            await asyncio.sleep(self._crowd.thinking_seconds)
            context_id = item["context_id"]
            answer = self._crowd.answer(self.name, context_id, texts[context_id], item["question"])
            shown = None if answer is None else {"text": answer["text"], "start": answer["start"]}
            key = str(uuid.uuid5(uuid.NAMESPACE_OID, item["id"]))
            try:
                await page.call("answer", {"item_id": item["id"], "answer_key": key, "answer": shown})
            except CallFailed as failed:
                self._on_vote({"error": failed.error})
            else:
                self._on_vote({"item_id": item["id"], "answer": shown})
        await page.submit({"feedback": ""})
