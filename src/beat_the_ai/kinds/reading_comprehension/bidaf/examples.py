"""Training examples: how sentences become passages, what stands in one batch."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.bidaf import features
from beat_the_ai.kinds.reading_comprehension.bidaf.features import EncodedText
from beat_the_ai.networks.text import Vocabulary

MOST_SENTENCES = 5
MOST_QUESTIONS_PER_SENTENCE = 10
LENGTH_NOISE = 0.15  # batches differ from epoch to epoch


@dataclass(frozen=True)
class EncodedQuestion:
    """An encoded question and the first and last passage word of its answer."""

    question: EncodedText
    first: int
    last: int


@dataclass(frozen=True)
class Example:
    """A passage and what is asked about it."""

    passage: EncodedText
    asked: tuple[EncodedQuestion, ...]


@dataclass(frozen=True)
class Batch:
    """Network inputs by name (`features.batch`), and the first and last answer words, both (Q,)."""

    inputs: dict[str, features.Array]
    first: features.Ints
    last: features.Ints


def example(passage: squad.Passage, vocabulary: Vocabulary) -> Example:
    """A passage with those of its questions whose reference answer lies in its first window."""
    encoded = features.encode(passage.text, vocabulary)
    asked = []
    for question in passage.questions:
        gold = squad.majority(question.answers)
        span = words_of(encoded, gold.start, gold.start + len(gold.text))
        if span is not None:
            asked.append(
                EncodedQuestion(features.encode(question.text, vocabulary, features.MAX_QUESTION_WORDS), *span)
            )
    return Example(encoded, tuple(asked))


def words_of(encoded: EncodedText, start: int, end: int) -> tuple[int, int] | None:
    """First and last word that the code points from `start` to `end` touch; None if that is not within the window."""
    touched = [index for index, word in enumerate(encoded.words) if word.end > start and word.start < end]
    if not touched or encoded.words[-1].end < end - 1:  # an answer may end in a space
        return None
    return touched[0], touched[-1]


def put_together(sentences: Sequence[squad.Passage], rng: random.Random) -> list[squad.Passage]:
    """Passages of one to five random sentences, each with at most ten of its questions."""
    order = list(sentences)
    rng.shuffle(order)
    passages = []
    while order:
        size = min(len(order), rng.randint(1, MOST_SENTENCES))
        passages.append(_joined([order.pop() for _ in range(size)], rng))
    return passages


def _joined(sentences: Sequence[squad.Passage], rng: random.Random) -> squad.Passage:
    text, questions = "", []
    for sentence in sentences:
        text += " " if text else ""
        for question in rng.sample(sentence.questions, min(MOST_QUESTIONS_PER_SENTENCE, len(sentence.questions))):
            gold = squad.majority(question.answers)
            moved = squad.Answer(gold.text, gold.start + len(text))
            questions.append(squad.Question(question.id, question.text, (moved,)))
        text += sentence.text
    return squad.Passage(sentences[0].id, sentences[0].title, text, tuple(questions))


def bucketed(examples: Sequence[Example], questions_per_batch: int, rng: random.Random) -> list[list[Example]]:
    """Lists of passages of similar length with at least so many questions together (but the last), in random order."""
    parts = [part for item in examples for part in _parts(item, questions_per_batch // 4)]
    parts.sort(key=lambda part: len(part.passage.pieces) * rng.uniform(1 - LENGTH_NOISE, 1 + LENGTH_NOISE))
    batches: list[list[Example]] = [[]]
    for part in parts:
        if sum(len(other.asked) for other in batches[-1]) >= questions_per_batch:
            batches.append([])
        batches[-1].append(part)
    rng.shuffle(batches)
    return batches


def _parts(item: Example, most: int) -> Iterator[Example]:
    """The passage as often as it needs to be there for no more than so many questions each time."""
    for begin in range(0, len(item.asked), most):
        yield Example(item.passage, item.asked[begin : begin + most])


def batch(examples: Sequence[Example], unknown: int, word_dropout: float, rng: random.Random) -> Batch:
    """One batch; a share of the pieces is replaced by the unknown piece."""
    rows = [(asked, row) for row, item in enumerate(examples) for asked in item.asked]
    inputs = features.batch(
        [item.passage for item in examples], [asked.question for asked, _ in rows], [row for _, row in rows]
    )
    generator = np.random.default_rng(rng.getrandbits(32))
    for name in ("passage_pieces", "question_pieces"):
        pieces = inputs[name]
        pieces[(generator.random(pieces.shape) < word_dropout) & (pieces != 0)] = unknown
    first, last = (
        np.array(column, dtype=np.int64) for column in zip(*((a.first, a.last) for a, _ in rows), strict=True)
    )
    return Batch(inputs, first, last)
