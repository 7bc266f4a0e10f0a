"""The figures of Bartolo et al. 2020 about their four datasets, by the sections and measures of our report.

The figures themselves are in `published/bartolo-2020.yaml`: what the text in our hands has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from beat_the_ai.published.figures import published
from beat_the_ai.rules.corpora import PublishedDataset, PublishedFigure
from beat_the_ai.terms.division import PARTS

SIZES = "Passages and questions"
MEANS = "Mean lengths and overlap"
REQUIREMENTS = "Comprehension requirements"
BEATEN = "How often the model was beaten"
ANSWERABILITY = "Answerability"
HUMAN = "Human performance"
TIME = "Time for a HIT"
DATASETS = ("D_SQuAD", "D_BiDAF", "D_BERT", "D_RoBERTa")


class _Shown(NamedTuple):
    """The place of a published column in our report, the form of its figures, and where the paper has it."""

    section: str
    measure: str
    form: str
    source: str


# By the names of the table and the column there. Answerability is that of dev and test together.
SHOWN: Mapping[tuple[str, str], _Shown] = {
    **{
        ("table-3", f"{what} {part}"): _Shown(SIZES, f"{what}, {part}", "{:,.0f}", "Table 3")
        for what in ("passages", "questions")
        for part in PARTS
    },
    ("writing", "questions that beat the model, %"): _Shown(BEATEN, "attempts that beat the model", "{}%", "§3.2"),
    ("writing", "seconds per HIT"): _Shown(TIME, "mean", "{}", "§3.2"),
    ("answerability", "answerable"): _Shown(ANSWERABILITY, "dev and test", "{}%", "§3.3"),
    ("figure-5", "explicit"): _Shown(REQUIREMENTS, "Explicit", "{:g}%", "Figure 5, in the words of §5.2"),
    ("figure-5", "comparison"): _Shown(REQUIREMENTS, "Comparative", "{:g}%", "Figure 5, in the words of §5.2"),
    ("table-2", "EM"): _Shown(HUMAN, "test, exact match", "{}%", "Table 2, in the words of §4.2"),
    ("table-2", "F1"): _Shown(HUMAN, "test, F1", "{}%", "Table 2, in the words of §4.2"),
    ("table-4", "longest n-gram overlap"): _Shown(
        MEANS, "longest n-gram overlap", "{:g}, rounded", "Table 4, in the words of §3.4"
    ),
}


@cache
def published_datasets() -> Sequence[PublishedDataset]:
    """Return the paper's datasets with their figures."""
    paper, found = published("bartolo-2020"), {name: dict[tuple[str, str], PublishedFigure]() for name in DATASETS}
    for (table, column), shown in SHOWN.items():
        for name in DATASETS:
            figure = paper.table(table).figure(column, name)
            if figure is not None:
                text = shown.form.format(figure.value)
                found[name][shown.section, shown.measure] = PublishedFigure(text, shown.source)
    return tuple(PublishedDataset(name, figures) for name, figures in found.items())
