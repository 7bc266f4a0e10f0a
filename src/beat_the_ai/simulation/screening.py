"""Simulated newcomers who take the screening: good, sloppy and malicious ones, over the page's own protocol.

The good know the quiz's references, as a person finds them by reading. The sloppy make the mistakes that people make,
and mostly correct them when they are told. The malicious want the pay and the qualification without the work. What a
newcomer does depends on the seed and the newcomer's number alone.
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
from beat_the_ai.rules.borders import words
from beat_the_ai.rules.reading_comprehension import Span, Work
from beat_the_ai.simulation.page import CallFailed, PageClient
from beat_the_ai.simulation.workplaces import Workplace, Workplaces
from beat_the_ai.workforce.screening import Quiz
from beat_the_ai.workforce.screening.quiz import AnswerStep, QuestionStep, Step

MAX_CONNECTIONS_EACH = 4
RETRY_SECONDS = 1.0
SLOPPY_MISTAKES = 0.5  # of each try of a sloppy newcomer
GIBBERISH = ("asdf jkl qwer", "good very nice?", "What is what?", "question 1")


class Manner(str, Enum):
    GOOD = "good"
    SLOPPY = "sloppy"
    MALICIOUS = "malicious"


@dataclass(frozen=True)
class Taken:
    """How a screening went: its last phase before it was handed in, and how many questions the sample HIT got.

    `phase` is None for a newcomer who got no place; `refusal` says why, where anybody said it.
    """

    manner: Manner
    phase: str | None
    tries: int = 0
    mistakes: int = 0
    attempts: int = 0
    refusal: str | None = None


async def take_screenings(
    manners: Sequence[Manner],
    quiz: Quiz,
    workplaces: Workplaces,
    *,
    seed: int,
    on_taken: Callable[[Taken], None],
    patience_seconds: float = 0.0,
) -> list[Taken]:
    """Let a newcomer of each manner take the screening at the workplace of that number, side by side, in this order.

    Who gets no place looks again for so long.
    """
    limits = httpx.Limits(max_connections=MAX_CONNECTIONS_EACH)

    async def take(number: int, manner: Manner) -> Taken:
        async with httpx.AsyncClient(limits=limits, trust_env=False) as browser:
            deadline = time.monotonic() + patience_seconds
            workplace = workplaces(number, browser)
            while (taken := await _take(manner, quiz, workplace, f"{seed}/{number}")).phase is None:
                if time.monotonic() > deadline:
                    break
                await asyncio.sleep(RETRY_SECONDS)
        on_taken(taken)
        return taken

    return await asyncio.gather(*(take(number, manner) for number, manner in enumerate(manners)))


async def _take(manner: Manner, quiz: Quiz, workplace: Workplace, name: str) -> Taken:
    hit = await workplace.next_hit()
    if hit is None:
        return Taken(manner, None)
    final_data = {"feedback": ""}
    try:
        async with hit.page as page:
            taken = await _Visit(manner, quiz, page, name).take()
            await page.submit(final_data)
    except Refused as refusal:
        await hit.give_back()
        return Taken(manner, None, refusal=str(refusal))
    with contextlib.suppress(Refused):  # its time was over; what was done is in the store
        await hit.hand_in(final_data)
    return taken


class _NotTaken(BeatTheAIError):
    """What was sent breaks a rule, and used up no try."""


class _Visit:
    def __init__(self, manner: Manner, quiz: Quiz, page: PageClient, name: str) -> None:
        self._manner = manner
        self._quiz = quiz
        self._page = page
        self._name = name
        self._chance = random.Random(name)  # noqa: S311  # a simulation, not a secret

    async def take(self) -> Taken:
        """From where the newcomer stands to the end of the sample HIT."""
        screening = (await self._page.call("state", {}))["screening"]
        tries = mistakes = 0
        while screening["phase"] == "steps":
            shown = screening["step"]
            step = next(step for step in self._quiz.steps if step.id == shown["id"])
            key = f"{self._name}/{step.id}/{len(shown['mistakes'])}"[-64:]
            arguments = {"response_key": key, "step": step.id, "work": self._response(step)}
            reply = await self._call("respond", arguments)
            screening = reply["screening"]
            tries += 1
            mistakes += not reply["response"]["right"]
        attempts = await self._write(screening["sample"]) if screening["phase"] == "sample" else 0
        return Taken(self._manner, screening["phase"], tries, mistakes, attempts)

    def _response(self, step: Step) -> dict[str, Any]:
        manner = self._manner
        if manner is Manner.GOOD or (manner is Manner.SLOPPY and self._chance.random() >= SLOPPY_MISTAKES):
            return self._quiz.right_response(step)
        text = self._quiz.passages[step.passage].text
        question = {"question": self._bad_question(text)}
        if isinstance(step, QuestionStep):
            return question
        # The sloppy mark the whole sentence in which the answer stands, the malicious anything.
        answer = {"answer": self._wordy(step, text) if manner is Manner.SLOPPY else self._anything(text).model_dump()}
        return answer if isinstance(step, AnswerStep) else {**question, **answer}

    def _bad_question(self, text: str) -> str:
        """The sloppy copy a sentence of the passage, and may forget the question mark; the malicious write anything."""
        if self._manner is Manner.SLOPPY:
            sentence = self._chance.choice(text.split(". "))[:200].rstrip(".")
            return f"{sentence}, is what?" if self._chance.random() < 0.5 else sentence
        return self._chance.choice(GIBBERISH)

    def _wordy(self, step: Step, text: str) -> dict[str, Any]:
        answer = Span.model_validate(self._quiz.right_response(step)["answer"])
        start = text.rfind(". ", 0, answer.start) + 1
        sentence = text[start:].split(". ")[0]
        words = sentence.split()[:25]
        first = text.index(words[0], start)
        last = first
        for word in words:
            last = text.index(word, last) + len(word)
        return Span(text=text[first:last], start=first).model_dump()

    def _anything(self, text: str) -> Span:
        start, end = self._chance.choice([place for place in words(text) if text[slice(*place)].isalpha()])
        return Span(text=text[start:end], start=start)

    async def _write(self, sample: Mapping[str, Any]) -> int:
        """The sample HIT: as many questions as are wanted."""
        passage = self._quiz.sample.passage
        wanted = self._quiz.sample.min_attempts
        works = [self._quiz.work(passage, reference) for reference in self._quiz.sample.questions]
        if self._manner is Manner.MALICIOUS:
            works = [
                Work(question=self._chance.choice(GIBBERISH), answer=self._anything(sample["text"]))
                for _ in range(wanted)
            ]
        judged = 0
        for number, work in enumerate(works[:wanted]):
            key = f"{self._name}/sample/{number}"[-64:]
            arguments = {"attempt_key": key, "context_id": sample["id"], "work": work.model_dump()}
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
