"""The kinds of comprehension that questions need (Bartolo et al. 2020, §5.1, Table 9), annotated on a sample.

A question has one to three labels, as in the paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from beat_the_ai.analysis.cells import share_bar, share_cell
from beat_the_ai.analysis.drawings import bars
from beat_the_ai.rules.corpora import Scheme
from beat_the_ai.statistics.section import Section, Table

MOST_LABELS = 3

# Name: what it says of the question, after the definitions of Table 9.
REQUIREMENTS = {
    "Explicit": "The passage states the answer in nearly the words of the question.",
    "Paraphrasing": "The question says in other words what the passage says.",
    "External Knowledge": "Something must be known that the passage does not tell.",
    "Coreference": "Two expressions must be understood to mean the same thing or person.",
    "Multi-Hop": "More than one step of inference is needed, often across sentences.",
    "Comparative": "Two or more things must be compared (smaller, last …).",
    "Numeric": "Something must be counted, calculated or otherwise reasoned about in numbers.",
    "Negation": "A negation, or several, must be interpreted.",
    "Filtering": "One of several possible answers must be selected by what sets it apart.",
    "Temporal": "Time and change must be understood, beyond a date that is stated.",
    "Spatial": "Space, place or nearness must be understood, beyond a place that is stated.",
    "Inductive": "The passage has a particular case, and the question asks about the general one.",
    "Implicit": "The answer follows from what the passage implies, and needs none of the other kinds.",
}


SCHEME = Scheme(
    subject="comprehension requirements",
    task="Read each passage and question, and mark what one must be able to do to answer it. The labels are those of "
    "Bartolo et al. 2020, Table 9.",
    prompt="What does it require?",
    labels=REQUIREMENTS,
    most=MOST_LABELS,
)


def requirements_section(annotations: Mapping[str, Sequence[str]]) -> Section:
    """Figure 5: the share of the annotated questions that have each label."""
    total = len(annotations)
    counts = Counter(label for labels in annotations.values() for label in set(labels))
    rows = [(name, share_cell(counts[name], total), meaning) for name, meaning in REQUIREMENTS.items()]
    text = (
        f"Of {total:,} annotated questions, with up to {MOST_LABELS} labels each, so that the shares add up to more "
        "than 100%. The lines are 95% Wilson intervals."
    )
    plot = bars([share_bar(name, counts[name], total) for name in REQUIREMENTS], "Comprehension requirements")
    table = Table(("requirement", "questions", "meaning (Table 9)"), rows)
    return Section("Comprehension requirements", text, table, plot, source="Figure 5")
