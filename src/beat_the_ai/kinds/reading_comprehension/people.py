"""Simulated people: what writers of each persona ask about a passage, good or not, and what validators answer.

All are pure: the questions follow from the passage, the questions that stand with it, and a random generator. Writers
ask no gold question; where all are gold, they put them in other words.
Every question is one that the page lets through; whether it is any good is what reviewers are for.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.borders import words
from beat_the_ai.kinds.reading_comprehension.question_floor import QuestionFloor
from beat_the_ai.kinds.reading_comprehension.writing import is_gold
from beat_the_ai.rules.kind import Judgement
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.simulation import personas

Question = Json  # {"question": text, "answer": {"text": text, "start": code points}}

SLOPPY_SHARE = 0.5  # of a sloppy writer's questions have an answer of a few words found anywhere
QUESTIONS = 5  # that a writer without references has for a passage
LEAD_IN = "Going by the text, "  # of a gold question in other words
EMPTY_QUESTION = "Which word of this text is meant when we say {} in this text here?"
LONGEST_GUESS_WORDS = 4
MEAN_STEP = 2  # words, by which a border of an overlapping answer is moved
ROUNDING = 1e-9
Share = Annotated[float, Field(ge=0, le=1)]
FLOOR = QuestionFloor()


def good(context: Context, rng: random.Random) -> list[Question]:
    """Return the questions that a writer has for the passage, in any order."""
    questions = _own_questions(context)
    rng.shuffle(questions)
    return questions


def sloppy(context: Context, rng: random.Random) -> list[Question]:
    """The same questions, many of them without care: a question cut short, an answer marked anywhere."""
    return [_careless(one, context, rng) if rng.random() < SLOPPY_SHARE else one for one in good(context, rng)]


def malicious(context: Context, rng: random.Random) -> list[Question]:
    """One question for everything, with any answer, for the reward: keys hit at random are let through nowhere."""
    answers = [_anywhere(context, rng) for _ in range(QUESTIONS)]
    return [{"question": EMPTY_QUESTION.format(_bare(one["text"])), "answer": one} for one in answers]


def copying(context: Context, rng: random.Random) -> list[Question]:
    """Others' questions in the order in which they stand with the passage, by turns with stretches of the passage."""
    stretches = [_anywhere(context, rng, words=10) for _ in range(QUESTIONS)]
    copied = [{"question": f"What {_line(one['text'])}?", "answer": _first_word(one)} for one in stretches]
    others = iter(_own_questions(context))
    return [question for one in copied for question in (one, next(others, None)) if question is not None][:QUESTIONS]


PERSONAS: Mapping[str, Callable[[Context, random.Random], list[Question]]] = {
    personas.GOOD: good,
    personas.SLOPPY: sloppy,
    personas.COPYING: copying,
    personas.MALICIOUS: malicious,
}


@dataclass(frozen=True)
class Habits:
    """The shares of a validator's answers: as the reference, one word too many, overlapping, "cannot be answered".

    An overlapping answer has each border moved in or out by a number of words from a geometric distribution (mean 2).
    The rest are up to four words found anywhere.
    """

    right: Share
    imprecise: Share
    cannot: Share
    partial: Share = 0.0

    def __post_init__(self) -> None:
        if self.right + self.imprecise + self.partial + self.cannot > 1 + ROUNDING:
            raise ValueError("right, imprecise, partial and cannot are parts of 1, and together more than that")


CAREFUL = Habits(right=0.8, imprecise=0.1, cannot=0.04)
CARELESS = Habits(right=0.3, imprecise=0.2, cannot=0.2)


@dataclass(frozen=True)
class Readers:
    """Simulated people who know the questions that stand with a passage (`private["questions"]`).

    An `unclear_share` of the questions has a reference that no validator gives: the right answers overlap with it.
    """

    careful: Habits = CAREFUL
    careless: Habits = CARELESS
    unclear_share: Share = 0.0

    def works(
        self, persona: str, task_item: TaskItem, rng: random.Random, _memory: Sequence[Judgement] = ()
    ) -> list[Json]:
        return list(PERSONAS[persona](task_item.context, rng))

    def explanation(self, _work: Json, _piece: TaskItem) -> Json:
        return {}

    def vote(self, shown: Json, context: Context, seed: str, *, careful: bool) -> Json:
        """An answer; None for "cannot be answered"."""
        rng = random.Random(f"{seed}/{context.id}/{shown['question']}")  # noqa: S311  # a simulation, not a secret
        habits, drawn = self.careful if careful else self.careless, rng.random()
        known = next((one["answer"] for one in _known_questions(context) if one["question"] == shown["question"]), None)
        if drawn < habits.cannot:
            return {"answer": None}
        if known is None or drawn >= habits.cannot + habits.right + habits.imprecise + habits.partial:
            return {"answer": _guess(context.text, rng)}
        if drawn >= habits.cannot + habits.right + habits.imprecise:
            return {"answer": _overlapping(context.text, known, rng)}
        if drawn >= habits.cannot + habits.right:
            return {"answer": _widened(context.text, known, rng)}
        is_unclear = self._is_unclear(shown["question"], context)
        return {"answer": _overlapping(context.text, known, rng) if is_unclear else known}

    def _is_unclear(self, question: str, context: Context) -> bool:
        """The same for every validator."""
        return random.Random(f"unclear/{context.id}/{question}").random() < self.unclear_share  # noqa: S311

    def is_wrong(self, work: Json, context: Context) -> bool:
        """Return whether the answer has no word in common with the known one to this question."""
        return any(
            known["question"] == work["question"] and squad.f1(known["answer"]["text"], work["answer"]["text"]) == 0
            for known in _known_questions(context)
        )


def _guess(text: str, rng: random.Random) -> Json:
    places = _words(text)
    first = rng.randrange(len(places))
    return _from_to(text, places, first, min(len(places) - 1, first + rng.randrange(LONGEST_GUESS_WORDS)))


def _from_to(text: str, places: Sequence[tuple[int, int]], first: int, last: int) -> Json:
    """Return the span from one word to another, both by number, or as much more of it as an answer needs."""
    while (first, last) != (0, len(places) - 1) and not squad.normalise(text[places[first][0] : places[last][1]]):
        first, last = (first, last + 1) if last + 1 < len(places) else (first - 1, last)  # an article is no answer
    return _span(text, places[first][0], places[last][1])


def _widened(text: str, known: Json, rng: random.Random) -> Json:
    """The known answer with the word before or after it."""
    start, end = known["start"], known["start"] + len(known["text"])
    before = [place for place in _words(text) if place[1] <= start][-1:]
    after = [place for place in _words(text) if place[0] >= end][:1]
    if before and (not after or rng.random() < 0.5):
        return _span(text, before[0][0], end)
    return _span(text, start, after[0][1] if after else end)


def _overlapping(text: str, known: Json, rng: random.Random) -> Json:
    """Return the known answer with its borders moved, and another text than it."""
    start, end = known["start"], known["start"] + len(known["text"])
    places = _words(text)
    inside = [number for number, place in enumerate(places) if place[0] < end and place[1] > start]
    if not inside:
        return _guess(text, rng)
    first = min(max(0, inside[0] + _step(rng)), inside[-1])
    last = max(min(len(places) - 1, inside[-1] + _step(rng)), first)
    moved = _from_to(text, places, first, last)
    is_same = squad.normalise(moved["text"]) == squad.normalise(known["text"])
    return _widened(text, known, rng) if is_same else moved


def _step(rng: random.Random) -> int:
    """Return a number of words, in either direction."""
    words = int(math.log(1 - rng.random()) / math.log(MEAN_STEP / (MEAN_STEP + 1)))
    return words if rng.random() < 0.5 else -words


def _words(text: str) -> list[tuple[int, int]]:
    """Without punctuation on its own."""
    return [(start, end) for start, end in words(text) if any(char.isalnum() for char in text[start:end])]


def _span(text: str, start: int, end: int) -> Json:
    return {"text": text[start:end], "start": start}


def _known_questions(context: Context) -> list[Question]:
    """Return the questions to which validators know the answer: all that stand with the passage or are asked."""
    return [*map(_plain, context.private.get("questions", [])), *_own_questions(context)]


def _own_questions(context: Context) -> list[Question]:
    """Return the questions that writers ask: those that are not gold, or all of them in other words."""
    known = context.private.get("questions", [])
    own = [_plain(each) for each in known if not is_gold(each)]
    return own or [{**_plain(each), "question": _reworded(each["question"])} for each in known]


def _plain(known: Json) -> Question:
    return {"question": known["question"], "answer": {name: known["answer"][name] for name in ("text", "start")}}


def _reworded(question: str) -> str:
    return f"{LEAD_IN}{question[:1].lower()}{question[1:]}"


def _careless(question: Question, context: Context, rng: random.Random) -> Question:
    words = question["question"].split()
    cuts = [" ".join(words[:length]) for length in range(max(1, len(words) // 2), len(words))]
    cut = next((cut for cut in cuts if FLOOR.flaw(cut, context.text) is None), question["question"])
    return {"question": cut, "answer": _anywhere(context, rng, words=rng.randint(1, 4))}


def _anywhere(context: Context, rng: random.Random, words: int = 1) -> dict[str, Any]:
    """Some words of the passage that stand together, the first of them with a letter in it."""
    places, start = [], 0
    for word in context.text.split():
        start = context.text.index(word, start)
        places.append((start, start + len(word)))
        start += len(word)
    lettered = [number for number, (begin, end) in enumerate(places) if _has_letters(context.text[begin:end])]
    first = rng.choice([number for number in lettered if number + words <= len(places)] or lettered)
    begin, end = places[first][0], places[min(first + words, len(places)) - 1][1]
    return {"text": context.text[begin:end], "start": begin}


def _has_letters(word: str) -> bool:
    return any(char.isalpha() for char in word) and word.casefold() not in ("a", "an", "the")


def _first_word(span: Mapping[str, Any]) -> dict[str, Any]:
    return {"text": span["text"].split()[0], "start": span["start"]}


def _bare(word: str) -> str:
    return "".join(char for char in word if char.isalnum())


def _line(text: str) -> str:
    return " ".join(text.split()).rstrip(".?!")
