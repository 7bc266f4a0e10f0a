"""Questions that models are trained on, and those on which it is decided when to stop."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.corpora import Sources, refuse_shared, refuse_too_few
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.question_files import read_answerable
from beat_the_ai.kinds.reading_comprehension.squad import Passage, Question
from beat_the_ai.networks.progress import Deciding
from beat_the_ai.networks.sampling import Weighted

MOST_HELD_OUT = 2000  # questions, so that looking at them does not take long

F1, EXACT_MATCH = "f1", "exact_match"


def deciding(figure: str) -> Deciding:
    """Return how the best of several looks at the dev part is chosen: by F1, or by EM as in the paper (§4.3)."""
    return Deciding(figure, more_is_better=True)


class Parts(NamedTuple):
    """The parts for training, of whole passages; all their questions have an answer."""

    training: list[Weighted[Passage]]
    dev: list[Passage]

    @property
    def dev_questions(self) -> list[Question]:
        return [question for passage in self.dev for question in passage.questions]


def read_parts(sources: Sources, seed: int) -> Parts:
    """Raises `InvalidInput` for files that cannot be read, have too little, or have questions that must be apart."""
    training = [read_passages(corpus.path) for corpus in sources.data]
    for corpus, passages in zip(sources.data, training, strict=True):
        for part in (*sources.dev, *sources.apart):
            refuse_overlap(corpus.path, passages, part)
    if sources.dev:
        dev = [passage for path in sources.dev for passage in read_passages(path)]
    else:
        training, dev = hold_out(training, sources.held_out_share, seed)
    weighted = [Weighted(passages, corpus.weight) for corpus, passages in zip(sources.data, training, strict=True)]
    parts = Parts(weighted, dev)
    if not parts.dev_questions or not any(part.weight * _questions(part.examples) >= 1 for part in weighted):
        refuse_too_few("questions with an answer", is_held_out=not sources.dev)
    return parts


def read_passages(path: Path) -> list[Passage]:
    """With the questions that have an answer. Raises `InvalidInput`, also for answers that stand elsewhere."""
    passages = read_answerable(path).passages
    for passage in passages:
        for question in passage.questions:
            _check_places(path, passage, question)
    return passages


def refuse_overlap(training: Path, passages: Sequence[Passage], part: Path) -> None:
    """Raises `InvalidInput` where questions are in a part on which models are chosen or measured."""
    apart = set(_identities(read_answerable(part).passages))
    shared = [name for identity, name in _identities(passages).items() if identity in apart]
    refuse_shared("questions", training, part, shared)


def hold_out(
    corpora: Sequence[Sequence[Passage]], share: float, seed: int
) -> tuple[list[list[Passage]], list[Passage]]:
    """The rest of each corpus, and a share of all their questions in whole articles: no topic is on both sides.

    In whole passages, where there are too few articles. Articles are drawn until they have `share` of the questions,
    or 2,000; one that has more than twice that is never drawn.
    """
    every = [passage for passages in corpora for passage in passages]
    for unit in (_title, _text):
        out = _drawn(every, unit, min(share * _questions(every), MOST_HELD_OUT), seed)
        if out:
            break
    rest = [[passage for passage in passages if unit(passage) not in out] for passages in corpora]
    return rest, [passage for passage in every if unit(passage) in out]


def figures(questions: Sequence[Question], answers: Mapping[str, str]) -> dict[str, float]:
    """Exact match and F1 in percent, best of the references; `answers` by the questions' places in the list."""
    numbered = [Question(str(number), question.text, question.answers) for number, question in enumerate(questions)]
    scores = squad.evaluate(numbered, answers)
    return {"exact_match": scores.exact_match, "f1": scores.f1}


def in_words(found: Mapping[str, float]) -> str:
    return f"EM {found['exact_match']:.1f}  F1 {found['f1']:.1f}"


def _check_places(path: Path, passage: Passage, question: Question) -> None:
    for answer in question.answers:
        if not answer.stands_in(passage.text):
            raise InvalidInput(
                "data",
                f"{path}, question {question.id!r}: {answer.text[:80]!r} does not stand at {answer.start} of its "
                "passage. Places count characters (code points) from 0; correct it, or leave the question out.",
            )


def _drawn(passages: Sequence[Passage], unit: Callable[[Passage], str], wanted: float, seed: int) -> set[str]:
    sizes: Counter[str] = Counter()
    for passage in passages:
        sizes[unit(passage)] += len(passage.questions)
    units, out, taken = sorted(sizes), set[str](), 0
    random.Random(seed).shuffle(units)  # noqa: S311 - a draw, not a secret
    for name in units:
        if taken < wanted and sizes[name] < 2 * wanted:
            out.add(name)
            taken += sizes[name]
    return out if taken else set()


def _title(passage: Passage) -> str:
    return passage.title


def _text(passage: Passage) -> str:
    return passage.text


def _questions(passages: Sequence[Passage]) -> int:
    return sum(len(passage.questions) for passage in passages)


def _identities(passages: Sequence[Passage]) -> dict[tuple[str, str], str]:
    """Return the ids of questions by their identity, which ignores white space and capitals."""
    return {
        (_plain(passage.text), _plain(question.text)): question.id
        for passage in passages
        for question in passage.questions
    }


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
