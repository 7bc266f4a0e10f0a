"""Figures of labels by models of votes, as a campaign keeps them for its report: without any person or work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from beat_the_ai.analysis.cells import interval_words
from beat_the_ai.rules.protocol import Value
from beat_the_ai.statistics.figure import Estimate, percent
from beat_the_ai.statistics.section import Section, Table

RULE = "the rule"
FEWEST_OF_WORK, FEWEST_OF_VALIDATOR = 3, 15
"""The votes, in the median, below which the models are unstable.

In simulations of 15 validators, three of them careless, with 4 to 8 votes each the models trusted a careless one less
than a careful one in 61% to 99% of pairs, and Dawid and Skene were right less often than the majority; with 15 votes or
more in 93% to 100%. Two votes on a work leave every disagreement to trust alone.
"""


class PartLabels(Value):
    """The `decided` works of a part: the number and share with their writer's label, by the rule and by each model.

    `differ` has how many works a model gives another label than the rule.
    """

    part: str
    decided: int
    kept: Mapping[str, int]
    shares: Mapping[str, Estimate]
    differ: Mapping[str, int]


class Spread(Value):
    """The trust of a model in its validators: the least, the median and the most."""

    least: float
    median: float
    most: float


class VoteFindings(Value):
    """All figures. `writers` are those of decided works; `votes_of_work` and `votes_of_validator` are medians."""

    works: int
    has_labels: bool
    writers: int
    parts: Sequence[PartLabels]
    validators: int
    votes_of_work: float
    votes_of_validator: float
    trust: Mapping[str, Spread]

    @property
    def has_few_votes(self) -> bool:
        return self.votes_of_work < FEWEST_OF_WORK or self.votes_of_validator < FEWEST_OF_VALIDATOR


def few_words(findings: VoteFindings) -> str:
    """Return a sentence on models that few votes leave unstable, and a space; nothing where there are enough."""
    if not findings.has_few_votes:
        return ""
    return (
        f"The models, MACE above all, are unstable here: half of the works have at most {findings.votes_of_work:g} "
        f"votes, and half of the validators gave at most {findings.votes_of_validator:g}. At least {FEWEST_OF_WORK} "
        f"and {FEWEST_OF_VALIDATOR} are needed. "
    )


def labels_section(findings: VoteFindings) -> Section:
    """Return the share of works that have their writer's label, by the rule and by each model."""
    rows = [
        (
            part.part,
            f"{part.decided:,}",
            *(f"{share.text(percent)}, {part.kept[name]:,}" for name, share in part.shares.items()),
            *(f"{count:,}" for count in part.differ.values()),
        )
        for part in findings.parts
    ]
    models = list(findings.trust)
    header = (
        *("part", "decided", f"writer's label by {RULE}"),
        *(f"by {name}" for name in models),
        *(f"{name} differs" for name in models),
    )
    reduced = (
        "" if findings.has_labels else "Votes are reduced to whether they are the writer's by the rule of their round. "
    )
    drawn = interval_words((findings.writers, "writers")) if findings.parts else ""
    text = (
        f"{findings.works:,} works with votes. The dataset has the labels of the papers' rule. Dawid and Skene's "
        "model and MACE weigh votes by how far they trust their validators, and know neither writers' labels nor "
        f"gold. {few_words(findings)}{reduced}{drawn}"
    )
    return Section("Labels by models of the votes", text.strip(), Table(header, rows))


def trust_section(findings: VoteFindings) -> Section:
    """Return how far each model trusts the validators, of whom none is named."""
    rows = [
        (name, f"{spread.least:.0%}", f"{spread.median:.0%}", f"{spread.most:.0%}")
        for name, spread in findings.trust.items()
    ]
    text = (
        f"Trust in {findings.validators:,} validators: the probability of a right label (Dawid and Skene), or to know "
        f"it rather than to guess (MACE). {few_words(findings)}`beat-the-ai votes` lists each validator, and the works "
        "to which a model gives another label."
    )
    return Section("How far the models trust validators", text, Table(("model", "least", "median", "most"), rows))
