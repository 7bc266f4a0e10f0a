"""The phenomena that make a question hard for a model (Wallace et al. 2019, §6.2, Table 3), annotated on a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from beat_the_ai.analysis.cells import share_bar, share_cell
from beat_the_ai.analysis.drawings import bars
from beat_the_ai.rules.corpora import Scheme
from beat_the_ai.statistics.section import Section, Table

PHENOMENA = {
    "Composing seen clues": "Clues that models know are to be put together: a thing is named by what it is to another.",
    "Logic and calculations": "Something is to be reckoned, ordered or concluded.",
    "Multi-step reasoning": "One thing leads to a second, and only that to the answer.",
    "Paraphrases": "A clue that models know stands there in other words.",
    "Entity type distractors": "The clues make one think of another type of answer.",
    "Novel clues": "A clue that stands in no collection and no encyclopedia that models learn from.",
}

PUBLISHED = dict(zip(PHENOMENA, (15, 5, 25, 38, 7, 26), strict=True))  # percent, of 100 questions

SCHEME = Scheme(
    subject="phenomena",
    task="Read each question with its answer, and mark what makes it hard for a model. The phenomena are those of "
    "Wallace et al. 2019, Table 3.",
    prompt="What makes it hard for a model?",
    labels=PHENOMENA,
    most=len(PHENOMENA),
)


def phenomena_section(annotations: Mapping[str, Sequence[str]]) -> Section:
    """Return the share of the annotated questions that have each phenomenon."""
    total = len(annotations)
    counts = Counter(label for labels in annotations.values() for label in set(labels))
    rows = [
        (name, share_cell(counts[name], total), f"{PUBLISHED[name]}%", meaning) for name, meaning in PHENOMENA.items()
    ]
    text = (
        f"Of {total:,} annotated questions, with one or more phenomena each, so that the shares may add up to more "
        "than 100%. The lines are 95% Wilson intervals; questions are taken for independent."
    )
    plot = bars([share_bar(name, counts[name], total) for name in PHENOMENA], "Phenomena")
    return Section(
        "Phenomena", text, Table(("phenomenon", "questions", "in the paper", "meaning"), rows), plot, "Table 3"
    )
