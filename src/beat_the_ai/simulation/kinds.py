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

Question = Mapping[str, Any]  # {"question": text, "answer": {"text": text, "start": code points}}

SLOPPY_SHARE = 0.5  # of a sloppy writer's questions have an answer of a few words found anywhere
QUESTIONS = 5  # that a writer without references has for a passage
KEYBOARD = "asdfghjklqwertyuiopzxcvbnm"


@dataclass(frozen=True)
class Kind:
    """`pass_rate` is the chance that a reviewer accepts one of its HITs."""

    name: str
    pass_rate: float
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
    """Keys hit at random, for the reward."""

    def mash() -> str:
        return " ".join("".join(chance.choices(KEYBOARD, k=chance.randint(3, 9))) for _ in range(chance.randint(3, 6)))

    return [{"question": f"{mash()}?", "answer": _anywhere(context, chance)} for _ in range(QUESTIONS)]


def copying(context: Context, chance: random.Random) -> list[Question]:
    """Others' questions in the order in which they stand with the passage, then stretches of the passage itself."""
    stretches = [_anywhere(context, chance, words=10) for _ in range(QUESTIONS)]
    copied = [{"question": f"{_line(one['text'])}?", "answer": _first_word(one)} for one in stretches]
    return [*_references(context), *copied][:QUESTIONS]


KINDS = {
    kind.name: kind
    for kind in (
        Kind("good", 0.95, good),
        Kind("sloppy", 0.8, sloppy),
        Kind("copying", 0.5, copying),
        Kind("malicious", 0.2, malicious),
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
    cut = " ".join(words[: max(1, len(words) // 2)])
    return {"question": cut, "answer": _anywhere(context, chance, words=chance.randint(1, 4))}


def _anywhere(context: Context, chance: random.Random, words: int = 1) -> dict[str, Any]:
    """Some words of the passage that stand together, the first of them with a letter in it."""
    places, start = [], 0
    for word in context.text.split():
        start = context.text.index(word, start)
        places.append((start, start + len(word)))
        start += len(word)
    lettered = [number for number, (begin, end) in enumerate(places) if _has_letters(context.text[begin:end])]
    first = chance.choice(lettered)
    begin, end = places[first][0], places[min(first + words, len(places)) - 1][1]
    return {"text": context.text[begin:end], "start": begin}


def _has_letters(word: str) -> bool:
    return any(char.isalpha() for char in word) and word.casefold() not in ("a", "an", "the")


def _first_word(span: Mapping[str, Any]) -> dict[str, Any]:
    return {"text": span["text"].split()[0], "start": span["start"]}


def _line(text: str) -> str:
    return " ".join(text.split()).rstrip(".?!")
