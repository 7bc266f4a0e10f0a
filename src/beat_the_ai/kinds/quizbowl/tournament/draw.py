"""Drawing what is played: as many regular questions as adversarial ones of each category, shuffled (§4.1)."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.values import check_unique
from beat_the_ai.kinds.quizbowl.answer_lines import answer_of
from beat_the_ai.kinds.quizbowl.answers import Answer
from beat_the_ai.kinds.quizbowl.categories import load_categories
from beat_the_ai.kinds.quizbowl.collection import Question, read_questions
from beat_the_ai.kinds.quizbowl.tournament.log import Tossup
from beat_the_ai.kinds.quizbowl.writing import answers_of


@dataclass(frozen=True)
class Candidate:
    """A question that may be drawn. `id` is its own in its file, or its line there."""

    id: str
    question: Question
    page: str
    adversarial: bool

    @property
    def category(self) -> str:
        return self.question.category or ""


Pair = tuple[Candidate, Candidate]


class Draw:
    """No question is played twice, and in a room no answer is asked for twice."""

    def __init__(self, candidates: Iterable[Candidate], known: Mapping[str, Answer], seed: int) -> None:
        """`known` answers are asked for by their names; others by their answer lines."""
        self._known = known
        self._rng = random.Random(seed)  # noqa: S311 - which questions come is no secret worth a better one
        self._left: dict[str, dict[bool, list[Candidate]]] = defaultdict(lambda: {False: [], True: []})
        for candidate in candidates:
            self._left[candidate.category][candidate.adversarial].append(candidate)
        for kinds in self._left.values():
            for questions in kinds.values():
                self._rng.shuffle(questions)

    def rooms(self, number: int, count: int) -> list[list[Tossup]]:
        """`count` tossups for each room, half of each kind. Raises `InvalidInput` where there are not enough."""
        rooms: list[list[Tossup]] = []
        while len(rooms) < number:
            drawn = self._room(count)
            if len(drawn) < count:
                raise InvalidInput(
                    "--tossups",
                    f"{number * count} tossups were asked for, {count} in each of {number} rooms, and there are "
                    f"questions for {len(rooms) * count + len(drawn)}: as many regular as adversarial ones of each "
                    "category, no answer twice in a room, and no question in two rooms. Give more questions, or ask "
                    "for fewer tossups or rooms.",
                )
            rooms.append(drawn)
        return rooms

    def _room(self, count: int) -> list[Tossup]:
        """Fewer where there are not enough."""
        pairs: list[Pair] = []
        pages: set[str] = set()
        categories = sorted(self._left)
        self._rng.shuffle(categories)
        while categories and 2 * len(pairs) < count:
            category = categories.pop(0)
            if (pair := self._pair(category, pages)) is not None:
                pairs.append(pair)
                pages.update(candidate.page for candidate in pair)
                categories.append(category)
        drawn = [self._tossup(candidate) for pair in pairs for candidate in pair]
        self._rng.shuffle(drawn)
        return drawn

    @property
    def left(self) -> list[Candidate]:
        """Return the candidates that have not been drawn."""
        return [candidate for kinds in self._left.values() for each in kinds.values() for candidate in each]

    def _pair(self, category: str, pages: set[str]) -> Pair | None:
        kinds = self._left[category]
        pair = next(
            (
                (regular, adversarial)
                for regular in kinds[False]
                if regular.page not in pages
                for adversarial in kinds[True]
                if adversarial.page not in pages and adversarial.page != regular.page
            ),
            None,
        )
        for candidate in pair or ():
            kinds[candidate.adversarial].remove(candidate)
        return pair

    def _tossup(self, candidate: Candidate) -> Tossup:
        question, known = candidate.question, self._known.get(candidate.page)
        answer = known or answer_of(candidate.page, question.answer, question.answer_prompt or "")
        line = f"{question.answer} [{question.answer_prompt}]" if question.answer_prompt else question.answer
        return Tossup(
            id=f"{'adversarial' if candidate.adversarial else 'regular'}-{candidate.id}",
            text=question.text,
            answer=answer.model_copy(update={"questions": []}),
            answer_line=line,
            category=candidate.category,
            adversarial=candidate.adversarial,
        )


def candidates(path: Path, *, adversarial: bool) -> list[Candidate]:
    """The questions of a file (`collection.read_questions`). Raises `InvalidInput`."""
    key = "--adversarial" if adversarial else "--regular"
    questions = read_questions(path, key)
    check_unique((question.name for question in questions), path, key, "questions")
    return [Candidate(one.name, one, one.page, adversarial) for one in questions if one.page]


def known_answers(paths: Sequence[Path]) -> dict[str, Answer]:
    """Return the known answers by page, from files of categories (`categories.load_categories`)."""
    return {
        answer.page: answer for path in paths for context in load_categories(path) for answer in answers_of(context)
    }
