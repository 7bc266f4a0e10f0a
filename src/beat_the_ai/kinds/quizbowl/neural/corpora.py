"""Questions as guessers are trained on them: their beginnings, in batches, with words dropped."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.kinds.corpora import Sources, hold_out, refuse_shared, refuse_too_few
from beat_the_ai.kinds.quizbowl.collection import Question, read_questions
from beat_the_ai.kinds.quizbowl.evaluation import SHARES
from beat_the_ai.kinds.quizbowl.neural.features import Array, batch, encode
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.networks.progress import Observer, prepare
from beat_the_ai.networks.sampling import Weighted, batched, draw
from beat_the_ai.networks.text import Vocabulary

FEWEST_PIECES = 4  # of a beginning
WHOLE_SHARE = 0.7  # of the questions that are read to their end


@dataclass(frozen=True)
class Example:
    """A question's pieces (L,), and the number of its page."""

    pieces: Array
    page: int


@dataclass(frozen=True)
class Parts:
    training: Sequence[Weighted[Question]]
    dev: Sequence[Question]


def read_parts(sources: Sources, seed: int) -> Parts:
    """Raises `InvalidInput` for files that cannot be read, have too little, or have questions that must be apart."""
    training: list[list[Question]] = [read_questions(corpus.path, "data") for corpus in sources.data]
    for corpus, questions in zip(sources.data, training, strict=True):
        for part in (*sources.dev, *sources.apart):
            _refuse_overlap(corpus.path, questions, part)
    if sources.dev:
        dev = [question for path in sources.dev for question in read_questions(path, "dev")]
    else:
        training, dev = hold_out(training, sources.held_out_share, seed, _identity)
    weighted = [Weighted(questions, corpus.weight) for corpus, questions in zip(sources.data, training, strict=True)]
    if not dev or not any(part.weight * len(part.examples) >= 1 for part in weighted):
        refuse_too_few("questions", is_held_out=not sources.dev)
    return Parts(weighted, dev)


def encoded(
    questions: Sequence[Question], vocabulary: Vocabulary, pages: Sequence[str], observer: Observer
) -> list[Example]:
    """Return the questions that have a known word; all are about one of these pages."""
    numbers = {page: number for number, page in enumerate(pages)}

    def example(question: Question) -> Example:
        return Example(encode(question.text, vocabulary).pieces, numbers[str(question.page)])

    return [each for each in prepare(questions, example, observer) if len(each.pieces)]


def beginnings(questions: Sequence[Question], vocabulary: Vocabulary, pages: Sequence[str]) -> dict[int, list[Example]]:
    """Return the beginnings of each question by percent of its words (`SHARES`); a page not among `pages` is -1."""
    numbers = {page: number for number, page in enumerate(pages)}
    found: dict[int, list[Example]] = {share: [] for share in SHARES}
    for question in questions:
        places, page = words(question.text), numbers.get(str(question.page), -1)
        for share, examples in found.items():
            end = places[ceil(len(places) * share / 100) - 1].end
            examples.append(Example(encode(question.text[:end], vocabulary).pieces, page))
    return found


def epoch(corpora: Sequence[Weighted[Example]], size: int, rng: random.Random) -> list[list[Example]]:
    """Batches of beginnings of similar length, in random order; each is as long as chance has it."""
    drawn = [_beginning(example, rng) for example in draw(corpora, lambda each: len(each.pieces), rng)]
    batches = batched(sorted(drawn, key=lambda example: len(example.pieces)), size)
    rng.shuffle(batches)
    return batches


def words_dropped(examples: Sequence[Example], share: float, rng: random.Random) -> Array:
    """Pieces (N, L) of examples without a share of them: a network that does not see a word has to go by the others."""
    drawing = np.random.default_rng(rng.getrandbits(64))
    return batch([each.pieces[drawing.random(len(each.pieces)) >= share] for each in examples])


def rarity(corpora: Sequence[Weighted[Example]], vocabulary: int) -> NDArray[np.float64]:
    """Return the rarity (V,) of each piece, as BM25 weighs a term.

    It is the logarithm of the number of questions to each question that has the piece.
    """
    questions = [example for corpus in corpora for example in corpus.examples]
    having = np.zeros(vocabulary)
    for example in questions:
        having[np.unique(example.pieces)] += 1
    rare: NDArray[np.float64] = np.log(1 + (len(questions) - having + 0.5) / (having + 0.5))
    return rare


def _beginning(example: Example, rng: random.Random) -> Example:
    if rng.random() < WHOLE_SHARE:
        return example
    longest = len(example.pieces)
    return Example(example.pieces[: rng.randint(min(FEWEST_PIECES, longest), longest)], example.page)


def _identity(question: Question) -> str:
    return " ".join(question.text.split()).casefold()


def _refuse_overlap(training: Path, questions: Sequence[Question], part: Path) -> None:
    """Raises `InvalidInput` where questions are in a part on which models are chosen or measured."""
    apart = {_identity(question) for question in read_questions(part, "dev")}
    shared = [repr(question.text[:60]) for question in questions if _identity(question) in apart]
    refuse_shared("questions", training, part, shared)
