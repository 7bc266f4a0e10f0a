"""Kinds of simulated writers: what each of them asks about a passage, good or not.

All are pure: the questions follow from the passage, the reference questions that stand with it, and a source of chance.
Every question is one that the page lets through; whether it is any good is what reviewers are for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.question_floor import QuestionFloor

Question = Mapping[str, Any]  # {"question": text, "answer": {"text": text, "start": code points}}

SLOPPY_SHARE = 0.5  # of a sloppy writer's questions have an answer of a few words found anywhere
QUESTIONS = 5  # that a writer without references has for a passage
EMPTY_QUESTION = "Which word of this text is meant when we say {} in this text here?"
FLOOR = QuestionFloor()


@dataclass(frozen=True)
class Kind:
    """What a writer of this kind asks about a passage, and with which answers."""

    name: str
    ask: Callable[[Context, random.Random], list[Question]]


def good(context: Context, chance: random.Random) -> list[Question]:
    """The questions that people wrote for the passage, in any order."""
    questions = _references(context)
    chance.shuffle(questions)
    return questions


def sloppy(context: Context, chance: random.Random) -> list[Question]:
    """The same questions, many of them without care: a question cut short, an answer marked anywhere."""
    return [_careless(one, context, chance) if chance.random() < SLOPPY_SHARE else one for one in good(context, chance)]


def malicious(context: Context, chance: random.Random) -> list[Question]:
    """One question for everything, with any answer, for the reward: keys hit at random are let through nowhere."""
    answers = [_anywhere(context, chance) for _ in range(QUESTIONS)]
    return [{"question": EMPTY_QUESTION.format(_bare(one["text"])), "answer": one} for one in answers]


def copying(context: Context, chance: random.Random) -> list[Question]:
    """Others' questions in the order in which they stand with the passage, by turns with stretches of the passage."""
    stretches = [_anywhere(context, chance, words=10) for _ in range(QUESTIONS)]
    copied = [{"question": f"What {_line(one['text'])}?", "answer": _first_word(one)} for one in stretches]
    others = iter(_references(context))
    return [question for one in copied for question in (one, next(others, None)) if question is not None][:QUESTIONS]


KINDS = {
    kind.name: kind
    for kind in (
        Kind("good", good),
        Kind("sloppy", sloppy),
        Kind("copying", copying),
        Kind("malicious", malicious),
    )
}


def mix(writers: int, shares: Mapping[str, float], seed: int) -> list[Kind]:
    """The kind of each writer: as many of each as the shares say, in an order that the seed decides.

    Shares are parts of 1; whatever is left is good. What does not divide goes to the largest remainders.
    """
    for name in shares:
        if name not in KINDS:
            raise UnknownName("kind of writer", name, KINDS)
    if min(shares.values(), default=0.0) < 0 or sum(shares.values()) > 1 + 1e-9:
        raise InvalidInput("shares", f"{dict(shares)} was given; shares must not be negative and add up to at most 1.")
    parts = {**shares, "good": shares.get("good", 0.0) + max(0.0, 1 - sum(shares.values()))}
    exact = {name: share * writers for name, share in parts.items()}
    counts = {name: int(number + 1e-9) for name, number in exact.items()}
    by_remainder = sorted(exact, key=lambda name: (counts[name] - exact[name], name))
    for name in by_remainder[: writers - sum(counts.values())]:
        counts[name] += 1
    kinds = [KINDS[name] for name in sorted(counts) for _ in range(counts[name])]
    random.Random(f"mix/{seed}").shuffle(kinds)  # noqa: S311  # a simulation, not a secret
    return kinds


def _references(context: Context) -> list[Question]:
    references: Sequence[Question] = context.private.get("questions", [])
    return [
        {"question": one["question"], "answer": {name: one["answer"][name] for name in ("text", "start")}}
        for one in references
    ]


def _careless(question: Question, context: Context, chance: random.Random) -> Question:
    words = question["question"].split()
    cuts = [" ".join(words[:length]) for length in range(max(1, len(words) // 2), len(words))]
    cut = next((cut for cut in cuts if FLOOR.flaw(cut, context.text) is None), question["question"])
    return {"question": cut, "answer": _anywhere(context, chance, words=chance.randint(1, 4))}


def _anywhere(context: Context, chance: random.Random, words: int = 1) -> dict[str, Any]:
    """Some words of the passage that stand together, the first of them with a letter in it."""
    places, start = [], 0
    for word in context.text.split():
        start = context.text.index(word, start)
        places.append((start, start + len(word)))
        start += len(word)
    lettered = [number for number, (begin, end) in enumerate(places) if _has_letters(context.text[begin:end])]
    first = chance.choice([number for number in lettered if number + words <= len(places)] or lettered)
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
