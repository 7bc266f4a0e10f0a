"""Models measured by accuracy in the course of questions (Wallace et al. 2019, Figures 4 and 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any, ClassVar

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.answers import ANSWER_FIELDS
from beat_the_ai.files.values import shown, whole
from beat_the_ai.kinds.quizbowl.answer_lines import names_of
from beat_the_ai.kinds.quizbowl.answers import page_name
from beat_the_ai.kinds.quizbowl.collection import Collection, Question, read_collection, read_questions
from beat_the_ai.kinds.quizbowl.guesses import Prediction, Query
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.rules.evaluation import NO_REFERENCES, Measure, Measured, MeasuredItem
from beat_the_ai.rules.joining import Joined, join

SHARES = (25, 50, 75, 100)  # percent of the words
POSITIONS = {"first_right": slice(None), "right_from": slice(-1, None)}  # turns among which the first right one counts
MEASURES = (
    *(Measure(f"accuracy.{share}", f"accuracy after {share}%", f"accuracy.{share}", is_right=True) for share in SHARES),
    Measure("first_right", "first right, where it ever is, after", by_group=False, compared=False),
    Measure("right_from", "right to the end, where it is, from", by_group=False, compared=False),
)

Turns = list[tuple[int, str]]
FIELDS = ("turns", *ANSWER_FIELDS, "answer", "guesses")


class GuessEvaluation:
    """Gold files as in `collection`; predictions are `{id: [[word, page], ...]}`: the best guess where it changes."""

    reference: ClassVar[None] = None

    def queries(self, gold: Path) -> Sequence[tuple[str, Query]]:
        return [(question.name, query_of(question)) for question in read_questions(gold, "GOLD")]

    def answer(self, prediction: Prediction) -> list[list[int | str]]:
        return [[turn.word, turn.page] for turn in prediction.turns]

    def measured(
        self, gold: Path, answers: Mapping[str, Any], _references: Mapping[str, Sequence[str]] = NO_REFERENCES
    ) -> Measured:
        """Contexts are the answers' pages."""
        collection = read_collection(gold, "GOLD")
        joined = _joined(collection, gold, answers)
        notes = [*joined.words, *collection.notes]
        items = [_item(name, question, turns) for name, question, turns in joined.of]
        counts = {"without_page": len(collection.left_out)}
        return Measured(items, MEASURES, "questions", "pages", joined.missing, joined.foreign, notes, counts)


def _item(name: str, question: Question, turns: Turns | None) -> MeasuredItem:
    count = len(words(question.text))
    marks = {f"accuracy.{share}": float(_is_right(question, turns, share)) for share in SHARES}
    for figure, counted in POSITIONS.items():
        if right := [word for word, page in (turns or [])[counted] if page == question.page]:
            marks[figure] = right[0] / count
    return MeasuredItem(name, str(question.page), question.page, turns, marks, question.groups)


def query_of(question: Question) -> Query:
    """Return the query about a question that has a page."""
    page, count = str(question.page), len(words(question.text))
    return Query(
        text=question.text,
        answer=page,
        names=names_of(page, question.answer, question.answer_prompt or ""),
        stops=[ceil(count * share / 100) for share in SHARES],
    )


def best_guess(turns: Sequence[tuple[int, str]], word: int) -> str | None:
    """The best guess when so many words are read; None before the first."""
    read = [page for begins, page in turns if begins <= word]
    return read[-1] if read else None


def _is_right(question: Question, turns: Turns | None, share: int) -> bool:
    """Return whether the best guess is right after that share of the words."""
    return best_guess(turns or [], ceil(len(words(question.text)) * share / 100)) == question.page


def _joined(collection: Collection, gold: Path, answers: Mapping[str, Any]) -> Joined[Question, Turns]:
    named = [(question.name, question) for question in collection.questions]
    joined = join(gold, named, answers, turns_of, "questions", collection.left_out)
    for name, question, turns in joined.of:
        if turns and turns[-1][0] > len(words(question.text)):
            raise _refusal(name, f"from word {turns[-1][0]} on, and the question has {len(words(question.text))}")
    return joined


def turns_of(name: str, answer: Any) -> Turns | None:
    """Return the best guesses with the words from which on they are. Raises `InvalidInput` for any other shape."""
    while isinstance(answer, Mapping):  # a row with a prediction that has turns
        field = next((field for field in FIELDS if answer.get(field) is not None), None)
        if field is None:
            break
        answer = answer[field]
    if answer is None:
        return None
    if not isinstance(answer, list):
        raise _refusal(name, shown(answer))
    turns = [_turn(name, each) for each in answer]
    for (before, _), (word, _) in pairwise(turns):
        if word < before:
            raise _refusal(name, f"in disorder: word {word} comes after word {before}")
    return turns


def _turn(name: str, turn: Any) -> tuple[int, str]:
    pair = [turn.get("word"), turn.get("page")] if isinstance(turn, Mapping) else turn
    if not isinstance(pair, list) or len(pair) != 2:
        raise _refusal(name, f"a list with {shown(turn)} in it")
    word, page = whole(pair[0]), pair[1]
    if isinstance(word, bool) or not isinstance(word, int) or word < 1:
        raise _refusal(name, f"a guess from word {shown(word)} on; words are counted from 1")
    if not isinstance(page, str) or (named := page_name(page)) is None:
        raise _refusal(name, f"a guess that is {shown(page)}, and no page")
    return word, named


def _refusal(name: str, reason: str) -> InvalidInput:
    return InvalidInput(
        "PREDICTIONS",
        f"The answer to {name[:80]!r} is {reason}. Needed is [[word, page], …]: each best guess, and the word from "
        "which on it is that.",
    )
