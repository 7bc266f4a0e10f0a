"""The inference that a pair takes (Nie et al. 2020, "Analysis ::: Reasoning"), annotated by people on a sample.

A pair has at least one of the six types. Apart from them, pairs that are ambiguous or seem wrongly labelled are marked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from beat_the_ai.analysis.cells import share_bar, share_cell
from beat_the_ai.analysis.drawings import bars
from beat_the_ai.rules.corpora import Scheme
from beat_the_ai.statistics.section import Section, Table

QUALITY = "Quality"
TYPES = {
    "Numerical & Quantitative": "About cardinal and ordinal numbers; dates and ages that follow from numbers.",
    "Reference & Names": "Pronouns and names that stand for the same thing; what names tell, as about gender.",
    "Basic": "Conjunction, negation, cause and effect, comparison and the like.",
    "Lexical": "What words mean: synonyms, antonyms and the like.",
    "Tricky": "Wordplay, sentences turned around, what the writer is likely to have meant.",
    "Reasoning & Facts": "Outside knowledge, or additional facts, are needed.",
}
LABELS = {**TYPES, QUALITY: "The pair is ambiguous, or its label seems to be wrong."}

SCHEME = Scheme(
    subject="inference types",
    task="Read each text, the statement about it and its label, and mark what inference the label takes. The types are "
    "those of Nie et al. 2020.",
    prompt="What inference does it take?",
    labels=LABELS,
    most=len(LABELS),
)


def inference_section(annotations: Mapping[str, Sequence[str]]) -> Section:
    """The share of the annotated pairs that have each label."""
    total = len(annotations)
    counts = Counter(label for labels in annotations.values() for label in set(labels))
    rows = [(name, share_cell(counts[name], total), meaning) for name, meaning in LABELS.items()]
    text = (
        f"Of {total:,} annotated pairs, with one or more types each, so that the shares may add up to more than 100%. "
        "The lines are 95% Wilson intervals."
    )
    plot = bars([share_bar(name, counts[name], total) for name in LABELS], "Inference types")
    table = Table(("type", "pairs", "meaning"), rows)
    return Section("Inference types", text, table, plot, "Analysis, by inference type")
