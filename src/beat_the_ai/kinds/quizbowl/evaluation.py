"""Models measured by accuracy in the course of questions (Wallace et al. 2019, Figures 4 and 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any

from beat_the_ai.kinds.quizbowl.answer_lines import names_of
from beat_the_ai.kinds.quizbowl.collection import Question, read_questions
from beat_the_ai.kinds.quizbowl.guesses import Prediction, Query
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.rules.evaluation import Scores
from beat_the_ai.statistics.intervals import wilson

SHARES = (25, 50, 75, 100)  # percent of the words
POSITIONS = (  # the turns among which the first that is right counts
    ("first_right", slice(None), "what is ever right is first right at {:.1f}% of the words"),
    ("right_from", slice(-1, None), "what is right at the end stays right from {:.1f}% of the words on"),
)


class GuessEvaluation:
    """Gold files as in `collection`; predictions are `{id: [[word, page], ...]}`: the best guess where it changes."""

    def queries(self, gold: Path) -> Sequence[tuple[str, Query]]:
        return [(name, query_of(question)) for name, question in _named(gold)]

    def answer(self, prediction: Prediction) -> list[list[int | str]]:
        return [[turn.word, turn.page] for turn in prediction.turns]

    def marks(self, gold: Path, answers: Mapping[str, Any]) -> Mapping[str, Mapping[str, float]]:
        return {
            f"accuracy.{share}": {name: float(right) for name, right in self._right(gold, answers, share)}
            for share in SHARES
        }

    def scores(self, gold: Path, answers: Mapping[str, Any]) -> Scores:
        """Percentages: `accuracy.SHARE`, `accuracy_low.SHARE`, `accuracy_high.SHARE` after 25, 50, 75 and 100% of the
        words; `first_right`: the mean share at which what is ever right is first right, `right_from`: the mean share
        from which what is right at the end stays right; `questions`."""
        named = _named(gold)
        figures: dict[str, float] = {}
        lines = []
        for share in SHARES:
            correct = sum(right for _, right in self._right(gold, answers, share))
            rate, low, high = (100 * each for each in (correct / len(named), *wilson(correct, len(named))))
            figures |= {f"accuracy.{share}": rate, f"accuracy_low.{share}": low, f"accuracy_high.{share}": high}
            lines.append(f"after {share}% of the words: accuracy {rate:.1f}% (95% interval {low:.1f} to {high:.1f})")
        for figure, counted, said in POSITIONS:
            shares = [
                100 * int(right[0][0]) / len(words(question.text))
                for name, question in named
                if (right := [turn for turn in answers.get(name, [])[counted] if turn[1] == question.page])
            ]
            if shares:
                figures[figure] = sum(shares) / len(shares)
                lines.append(said.format(figures[figure]))
        lines.append(f"{len(named):,} questions")
        return Scores({**figures, "questions": len(named)}, lines)

    @staticmethod
    def _right(gold: Path, answers: Mapping[str, Any], share: int) -> list[tuple[str, bool]]:
        """Of each question by its id: whether the best guess is right after that share of its words."""
        return [
            (name, best_guess(answers.get(name, []), ceil(len(words(question.text)) * share / 100)) == question.page)
            for name, question in _named(gold)
        ]


def query_of(question: Question) -> Query:
    """What a model is asked about a question that has a page."""
    page, count = str(question.page), len(words(question.text))
    return Query(
        text=question.text,
        answer=page,
        names=names_of(page, question.answer, question.answer_prompt or ""),
        stops=[ceil(count * share / 100) for share in SHARES],
    )


def best_guess(turns: Sequence[Sequence[int | str]], word: int) -> str | None:
    """The best guess when so many words are read; None before the first."""
    read = [str(page) for begins, page in turns if int(begins) <= word]
    return read[-1] if read else None


def _named(gold: Path) -> list[tuple[str, Question]]:
    questions = read_questions(gold, "GOLD")
    return [(str(question.id or number), question) for number, question in enumerate(questions, start=1)]
