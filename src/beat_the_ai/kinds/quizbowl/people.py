"""Simulated authors, who start from a question of their own and take out what the model goes by, and players.

Authors have the questions that stand with an answer (`Answer.questions`), which no model knows. Of the model they know
what the page shows while they write: the words that speak most for its best guess are replaced by vaguer ones. Those
who copy hand in regular questions. Players buzz when they have read enough of what they remember of questions on one
answer, and of no other.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated

from pydantic import Field

from beat_the_ai.kinds.quizbowl.answers import Answer, name_within
from beat_the_ai.kinds.quizbowl.retrieval import stemmed
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.kinds.quizbowl.writing import QuestionWriting, answers_of, regular_questions
from beat_the_ai.rules.kind import Judgement
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.simulation import personas

NONSENSE = "This thing is very good and nice, and many people like it a lot because it is so good."
SENTENCES_OF_NONSENSE = 8
MOST_WORKS = 10
REPLACED = 4  # words a revision
KNOWN_SHARE = 0.3  # of a question's stems that stand in a known one on its answer
FEWEST_KNOWN = 8  # stems
REMEMBERED_SHARE = 0.1  # of the stems of known questions, by a player
CLUES = (1, 4)  # stems after which players buzz: the quickest, the most careful
VAGUE_NAMES = ("a certain one", "somebody", "another", "one of them", "that one")
VAGUE_WORDS = ("something", "such", "certain", "other", "some")
Share = Annotated[float, Field(ge=0, le=1)]
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Author:
    """`error_rate`: how often the question is about another answer than the one that is named."""

    error_rate: Share


AUTHORS: Mapping[str, Author] = {personas.GOOD: Author(0.02), personas.SLOPPY: Author(0.5)}


@dataclass(frozen=True)
class Authors:
    """Simulated writers by persona. Any other persona submits a regular question as it is, or nonsense."""

    authors: Mapping[str, Author] = field(default_factory=lambda: AUTHORS)
    writing: QuestionWriting = field(default_factory=QuestionWriting)

    def works(
        self, persona: str, task_item: TaskItem, rng: random.Random, memory: Sequence[Judgement] = ()
    ) -> Iterator[Json]:
        del memory
        known = [answer for answer in answers_of(task_item.context) if answer.questions]
        answer = known[(task_item.brief["number"] - 1) % len(known)]
        if persona in self.authors:
            mistaken = len(known) > 1 and rng.random() < self.authors[persona].error_rate
            about = rng.choice([each for each in known if each is not answer]) if mistaken else answer
            texts: Iterable[str] = [rng.choice(about.questions)]
        elif persona == personas.COPYING:
            texts = _regular(task_item.context, answer)
        else:
            texts = (f"{NONSENSE} " * SENTENCES_OF_NONSENSE + f"Name it, number {n}." for n in range(MOST_WORKS))
        return ({"text": text, "answer": answer.page} for text in texts)

    def revised(self, work: Json, hint: Json, task_item: TaskItem, rng: random.Random) -> Json | None:
        """With the words replaced that speak most for a guess that is right early enough to win."""
        if self.writing.is_beaten(hint):
            return None
        places = words(work["text"])
        telling = sorted(range(len(hint["saliency"])), key=lambda number: -hint["saliency"][number])[:REPLACED]
        text = work["text"]
        for number in sorted((each for each in telling if hint["saliency"][each] > 0), reverse=True):
            start, end = places[number]
            found = _WORD.search(text, start, end)
            if found is not None:
                vague = rng.choice(VAGUE_NAMES if found.group()[0].isupper() else VAGUE_WORDS)
                text = f"{text[:start]}{vague}{text[max(match.end() for match in _WORD.finditer(text, start, end)) :]}"
        return None if text == work["text"] else {**work, "text": text}

    def explanation(self, work: Json, task_item: TaskItem) -> Json:
        return {}  # nobody asks for any

    def vote(self, shown: Json, context: Context, seed: str, *, careful: bool) -> Json:
        raise AssertionError("questions are shown word by word")

    def voted(self, revealed: Json, contexts: Sequence[Context], seed: str, *, careful: bool) -> Json | None:
        """Careless players buzz at the first clue."""
        clues = _remembered(
            seed,
            tuple(
                (answer.name, (*answer.questions, *_regular(context, answer)))
                for context in contexts
                for answer in answers_of(context)
            ),
        )
        read = set(stemmed(revealed["text"]))
        found = sorted(((len(read & stems), name) for name, stems in clues.items()), reverse=True)
        (most, name), (next_most, _) = (*found, (0, ""))[:2]
        beginning = revealed["text"].partition(" ")[0]
        needed = random.Random(f"{seed}/{beginning}").randint(*CLUES) if careful else 1  # noqa: S311
        if most - next_most >= needed or (revealed["ended"] and most > next_most):
            return {"said": name}
        return {"said": None} if revealed["ended"] else None

    def is_wrong(self, work: Json, context: Context) -> bool:
        """Return whether the question is about something else than its answer, or about nothing."""
        answer = next((each for each in answers_of(context) if each.page == work["answer"]), None)
        return answer is None or not _is_about(work["text"], answer)


def _regular(context: Context, answer: Answer) -> list[str]:
    """Return the regular questions on an answer."""
    return [work.text for work in regular_questions(context) if work.answer == answer.page]


@lru_cache(1024)
def _remembered(seed: str, known: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, set[str]]:
    """Return the stems that one player knows, by answer: some of those in the questions on it."""
    rng = random.Random(seed)  # noqa: S311
    return {
        name: {stem for stem in sorted({*stemmed(" ".join(texts))}) if rng.random() < REMEMBERED_SHARE}
        for name, texts in known
    }


def _is_about(text: str, answer: Answer) -> bool:
    if name_within(answer, text) is not None:
        return False
    stems = set(stemmed(text))
    fewest = max(FEWEST_KNOWN, KNOWN_SHARE * len(stems))
    return any(len(stems.intersection(stemmed(known))) >= fewest for known in answer.questions)
