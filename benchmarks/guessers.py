"""The accuracy of the shipped Quizbowl guessers, and its fall on questions that were edited against them.

The questions are held out (`tasks/quizbowl/held_out.jsonl`). A simulated author edits each against each model: words
that speak most for a right guess are replaced by vaguer ones, until it comes late or not at all, or nothing helps. Then
every model reads the edited questions, also those that were edited against another. Falls are paired by question.

    python -m benchmarks.guessers [--models tantivy:sample onnx:gru-small onnx:dan-small] [--questions 96] [--seed 0]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping, Sequence
from math import ceil

from rich.console import Console
from rich.table import Table

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import QUIZBOWL, open_adversary
from beat_the_ai.analysis.cells import mean_cell
from beat_the_ai.kinds.quizbowl.collection import Question, read_questions
from beat_the_ai.kinds.quizbowl.evaluation import SHARES
from beat_the_ai.kinds.quizbowl.guesses import Query
from beat_the_ai.kinds.quizbowl.hints import GuessHints
from beat_the_ai.kinds.quizbowl.people import Authors
from beat_the_ai.kinds.quizbowl.reader import GuessingModel
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.kinds.quizbowl.writing import QuestionWriting, Work
from beat_the_ai.rules.protocol import Context, TaskItem
from beat_the_ai.statistics.intervals import wilson
from benchmarks.suite import TASKS

MODELS = ("tantivy:sample", "onnx:gru-small", "onnx:dan-small")
MOST_EDITS = 20
NOWHERE = TaskItem(Context("", ""))

Right = Sequence[Mapping[int, bool]]
"""Of each question, whether the guess is right after so many percent of its words."""


def main(arguments: list[str] | None = None) -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--models", nargs="+", default=list(MODELS), metavar="BACKEND:SOURCE")
    options.add_argument("--questions", type=int, default=96)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args(arguments)
    models = {name: _opened(name) for name in given.models}
    questions = read_questions(TASKS / "quizbowl" / "held_out.jsonl")[: given.questions]
    console, shares = Console(width=120), [f"{share}%" for share in SHARES]
    before = {name: _right(model, questions) for name, model in models.items()}
    table = Table("model", *shares, title=f"Right of {len(questions)} held-out questions, % (95% interval)")
    for name, right in before.items():
        table.add_row(name, *(_rate([each[share] for each in right]) for share in SHARES))
    console.print(table)
    table = Table("edited against", "read by", *shares, "edits", title="Fall on the edited questions, points (95%)")
    for against, model in models.items():
        edited, edits = _edited(model, questions, random.Random(given.seed))
        for name, reader in models.items():
            after = _right(reader, edited)
            falls = (
                [float(was[share]) - now[share] for was, now in zip(before[name], after, strict=True)]
                for share in SHARES
            )
            table.add_row(against, name, *map(_mean, falls), f"{edits / len(questions):.1f}")
    console.print(table)


def _opened(spec: str) -> GuessingModel:
    model = open_adversary(spec, QUIZBOWL, LoadOptions())
    assert isinstance(model, GuessingModel)
    return model


def _right(model: GuessingModel, questions: Sequence[Question]) -> Right:
    found = []
    for question in questions:
        [said] = model.predict([Query(text=question.text, answer=str(question.page))])
        count = len(words(question.text))
        found.append({share: said.guess_at(ceil(count * share / 100)) == question.page for share in SHARES})
    return found


def _edited(model: GuessingModel, questions: Sequence[Question], rng: random.Random) -> tuple[list[Question], int]:
    """The questions as an author leaves them who sees this model's hints, and how many edits that took in all."""
    hints, author, edits = GuessHints(QuestionWriting()), Authors(), 0
    found = []
    for question in questions:
        work = Work(text=question.text, answer=str(question.page))
        for _ in range(MOST_EDITS):
            [said] = model.predict([Query(text=work.text, answer=work.answer)])
            revised = author.revised(work.model_dump(), hints.shown(work, said, NOWHERE), NOWHERE, rng)
            if revised is None:
                break
            work, edits = Work(**revised), edits + 1
        found.append(question.model_copy(update={"text": work.text}))
    return found, edits


def _rate(right: Sequence[bool]) -> str:
    low, high = wilson(sum(right), len(right))
    return f"{100 * sum(right) / len(right):.1f} ({100 * low:.1f} to {100 * high:.1f})"


def _mean(falls: Sequence[float]) -> str:
    return mean_cell([100 * fall for fall in falls], 1)


if __name__ == "__main__":
    main()
