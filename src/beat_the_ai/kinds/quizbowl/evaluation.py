"""Models measured by accuracy in the course of questions (Wallace et al. 2019, Figures 4 and 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.answers import ANSWER_FIELDS
from beat_the_ai.files.values import shown, whole
from beat_the_ai.kinds.quizbowl.answer_lines import names_of
from beat_the_ai.kinds.quizbowl.answers import page_name
from beat_the_ai.kinds.quizbowl.collection import Collection, Question, read_collection, read_questions
from beat_the_ai.kinds.quizbowl.guesses import Prediction, Query
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.rules.evaluation import Scores
from beat_the_ai.rules.joining import Joined, join
from beat_the_ai.statistics.intervals import wilson

SHARES = (25, 50, 75, 100)  # percent of the words
POSITIONS = (  # the turns among which the first that is right counts
    ("first_right", slice(None), "what is ever right is first right at {:.1f}% of the words"),
    ("right_from", slice(-1, None), "what is right at the end stays right from {:.1f}% of the words on"),
)

Turns = list[tuple[int, str]]
FIELDS = ("turns", *ANSWER_FIELDS, "answer", "guesses")


class GuessEvaluation:
    """Gold files as in `collection`; predictions are `{id: [[word, page], ...]}`: the best guess where it changes."""

    def queries(self, gold: Path) -> Sequence[tuple[str, Query]]:
        return [(question.name, query_of(question)) for question in read_questions(gold, "GOLD")]

    def answer(self, prediction: Prediction) -> list[list[int | str]]:
        return [[turn.word, turn.page] for turn in prediction.turns]

    def marks(self, gold: Path, answers: Mapping[str, Any]) -> Mapping[str, Mapping[str, float]]:
        joined = _joined(read_collection(gold, "GOLD"), gold, answers)
        return {
            f"accuracy.{share}": {name: float(_is_right(one, turns, share)) for name, one, turns in joined.of}
            for share in SHARES
        }

    def scores(self, gold: Path, answers: Mapping[str, Any]) -> Scores:
        """Percentages: `accuracy.SHARE`, `accuracy_low.SHARE`, `accuracy_high.SHARE` after 25, 50, 75 and 100% of the
        words; `first_right`: the mean share at which what is ever right is first right, `right_from`: the mean share
        from which what is right at the end stays right; numbers of `questions`, `missing`, `foreign`."""
        collection = read_collection(gold, "GOLD")
        joined = _joined(collection, gold, answers)
        count = len(joined.of)
        figures: dict[str, float] = {}
        lines = []
        for share in SHARES:
            correct = sum(_is_right(question, turns, share) for _, question, turns in joined.of)
            rate, low, high = (100 * each for each in (correct / count, *wilson(correct, count)))
            figures |= {f"accuracy.{share}": rate, f"accuracy_low.{share}": low, f"accuracy_high.{share}": high}
            lines.append(f"after {share}% of the words: accuracy {rate:.1f}% (95% interval {low:.1f} to {high:.1f})")
        for figure, counted, said in POSITIONS:
            shares = [
                100 * right[0][0] / len(words(question.text))
                for _, question, turns in joined.of
                if (right := [turn for turn in (turns or [])[counted] if turn[1] == question.page])
            ]
            if shares:
                figures[figure] = sum(shares) / len(shares)
                lines.append(said.format(figures[figure]))
        lines += [f"{count:,} questions", *joined.words]
        if collection.left_out:
            lines.append(f"{len(collection.left_out):,} questions without a page are left out.")
        return Scores({**figures, "questions": count, "missing": joined.missing, "foreign": joined.foreign}, lines)


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
    joined = join(gold, named, answers, _turns, "questions", collection.left_out)
    for name, question, turns in joined.of:
        if turns and turns[-1][0] > len(words(question.text)):
            raise _refusal(name, f"from word {turns[-1][0]} on, and the question has {len(words(question.text))}")
    return joined


def _turns(name: str, answer: Any) -> Turns | None:
    """Return the best guesses with the words from which on they are. Raises `InvalidInput` for any other shape."""
    if isinstance(answer, Mapping):
        answer = next((answer[field] for field in FIELDS if answer.get(field) is not None), answer)
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
