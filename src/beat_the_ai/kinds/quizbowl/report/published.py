"""The figures of Wallace et al. 2019 about their adversarial questions and the regular ones beside them.

The figures themselves are in `published/wallace-2019.yaml`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from beat_the_ai.published.figures import PublishedTable, published
from beat_the_ai.rules.corpora import PublishedDataset, PublishedFigure

SIZES = "Questions"
TOPICS = "Topics"
OWN_TOPICS = ("Science", "History", "Literature", "Fine Arts")  # which our categories have, too
MEASURES = {"words": ("words", ""), "names": ("named entities", " named entities")}  # of Table 2, by ours


@cache
def published_datasets() -> Sequence[PublishedDataset]:
    """Return the paper's two sets of questions with their figures."""
    paper = published("wallace-2019")
    questions = {
        (SIZES, "questions"): PublishedFigure(f"{_value(paper.table('dataset'), 'number', 'questions'):,.0f}", "§4")
    }
    topics = {
        (TOPICS, name): PublishedFigure(f"{_value(paper.table('table-1'), 'share', name):g}%", "Table 1")
        for name in OWN_TOPICS
    }

    def means(column: str) -> dict[tuple[str, str], PublishedFigure]:
        table = paper.table("table-2")
        return {
            (SIZES, measure): PublishedFigure(f"{_value(table, column, row)}{end}", "Table 2")
            for measure, (row, end) in MEASURES.items()
        }

    return (
        PublishedDataset("adversarial", {**questions, **means("adversarial"), **topics}),
        PublishedDataset("regular", means("regular")),
    )


def _value(table: PublishedTable, column: str, row: str) -> float:
    figure = table.figure(column, row)
    assert figure is not None, f"the file has {row}"
    return figure.value
