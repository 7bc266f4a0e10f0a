"""The kinds of comprehension that questions need (Bartolo et al. 2020, §5.1, Table 9), annotated on a sample.

A question has one to three labels, as in the paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from beat_the_ai.analysis.cells import clustered_bar, clustered_cell, clustered_words
from beat_the_ai.analysis.drawings import bars
from beat_the_ai.rules.corpora import Scheme
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.measures import Rows, Share
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


def requirements_section(annotations: Mapping[str, Sequence[str]], passages: Mapping[str, str]) -> Section:
    """Return Figure 5: the share of annotated questions with each label. `passages` are by question."""
    total, of_each = len(annotations), [passages[name] for name in annotations]
    shares = {
        name: Clustered.of_values((name in labels for labels in annotations.values()), of_each) for name in REQUIREMENTS
    }
    rows = [(name, clustered_cell(shares[name]), meaning) for name, meaning in REQUIREMENTS.items()]
    drawn = clustered_words((Clustered.of_values((0 for _ in of_each), of_each), "passages"))
    text = (
        f"Of {total:,} annotated questions, with up to {MOST_LABELS} labels each, so that the shares add up to more "
        f"than 100%. {drawn}"
    )
    plot = bars([clustered_bar(name, share) for name, share in shares.items()], "Comprehension requirements")
    table = Table(("requirement", "questions", "meaning (Table 9)"), rows)

    def measures() -> Rows:
        return Rows([Share(name, round(share.found), total, share) for name, share in shares.items()])

    return Section("Comprehension requirements", text, table, plot, "Figure 5, §5.1", measures)
