"""Answers to questions that are read word by word: how many are right, and how early (§4.1, §5.3, Figures 6 and 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from beat_the_ai.analysis.cells import mean_cell, p_cell, share_cell
from beat_the_ai.analysis.drawings import curves
from beat_the_ai.statistics.section import Section, Table
from beat_the_ai.statistics.significance import fisher_exact, welch_t

STEPS = 20
SHOWN = (5, 10, 15, 20)  # of the steps, in the table
SETS = {False: "regular", True: "adversarial"}
PAPER = (
    "In the paper's event people were right on 84.2% of regular questions with 28.3% of the words left, and on 89.7% "
    "of adversarial ones with 41.6% left (p = 0.16 and 0.0047)."
)


@dataclass(frozen=True)
class Buzz:
    """An answer after `word` of so many `words`, and whether it is right."""

    word: int
    words: int
    right: bool

    @property
    def left(self) -> float:
        """Return the share of the words that had not been read."""
        return 1 - self.word / self.words


@dataclass(frozen=True)
class Buzzes:
    """The buzzes of people or models on one set of questions, with the number of their chances to answer."""

    name: str
    answers: Sequence[Buzz]
    chances: int

    @property
    def right(self) -> int:
        return sum(answer.right for answer in self.answers)

    @property
    def left(self) -> list[float]:
        return [answer.left for answer in self.answers]

    def right_by(self, step: int) -> int:
        """Return the number of right answers by a step: by the time that so many of `STEPS` parts were read."""
        return sum(answer.right and answer.word * STEPS <= step * answer.words for answer in self.answers)


Pair = tuple[Buzzes, Buzzes]
"""The buzzes of a group of players on regular and on adversarial questions."""


def answers_section(pairs: Sequence[Pair], text: str, of: str = "") -> Section:
    """Return how many answers are right, and how early; `of` whom the title says."""
    rows = []
    for regular, adversarial in pairs:
        counts = [(group.right, len(group.answers) - group.right) for group in (regular, adversarial)]
        shares = fisher_exact(counts[0], counts[1]) if regular.answers and adversarial.answers else None
        positions = welch_t(regular.left, adversarial.left)
        for group, p in ((regular, ("", "")), (adversarial, (p_cell(shares), p_cell(positions)))):
            right = share_cell(group.right, len(group.answers))
            rows.append((group.name, f"{len(group.answers):,}", right, p[0], mean_cell(group.left), p[1]))
    explained = (
        f"{text} The shares have 95% Wilson intervals, the means 95% bootstrap ones; p is that of a difference between "
        f"regular and adversarial questions, by Fisher's exact test and by Welch's t-test, both two-sided. {PAPER}"
    )
    header = ("by, on questions", "answers", "right", "p", "share of the words left", "p")
    return Section(f"Answers{of}", explained, Table(header, rows), source="§4.1")


def course_section(pairs: Sequence[Pair], text: str, of: str = "", source: str = "Figures 6 and 7") -> Section:
    """Return how many right answers there are when so much is read: a colour for each pair, regular ones unbroken."""
    groups = [group for pair in pairs for group in pair]
    rows = [
        (f"{step / STEPS:.0%}", *(share_cell(group.right_by(step), group.chances) for group in groups))
        for step in SHOWN
    ]
    drawn = {
        group.name: [
            (step / STEPS, group.right_by(step) / group.chances if group.chances else 0.0) for step in range(STEPS + 1)
        ]
        for group in groups
    }
    title = f"Right answers in the course of a question{of}"
    table = Table(("of the words", *(group.name for group in groups)), rows)
    plot = curves(drawn, title, "of the words")
    return Section(title, f"{text} With 95% Wilson intervals.", table, plot, source)
