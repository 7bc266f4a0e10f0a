"""The findings on a dataset's artefacts, as programs read them and as a campaign keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from beat_the_ai.rules.protocol import Value
from beat_the_ai.statistics.figure import Estimate

MARGIN = 0.05
"""A baseline tells something when the whole 95% interval of its lead is above this.

The margin is ours. With many examples a lead of a point is sure, too, and of little use to a model; the hypothesis
alone leads by about 33 points on SNLI and 18 on MultiNLI (Gururangan et al. 2018).
"""


class Measured(Value):
    """A baseline on examples that it was not trained on: means over `draws` divisions into so many of both.

    `lead` is how far it is above `majority` (the most frequent answer of the training part) or `chance`, the better.
    Intervals are by a jackknife of contexts.
    """

    baseline: str
    trained: int
    tested: int
    draws: int
    accuracy: Estimate
    majority: Estimate
    chance: Estimate
    lead: Estimate
    expected: str

    @property
    def gives_away(self) -> bool:
        """Return whether this is an artefact: a lead that nothing else explains, above the margin for sure."""
        return not self.expected and self.lead.interval is not None and self.lead.interval[0] > MARGIN


class LabelWord(Value):
    """A word of `examples`, of which so many have the label. `p` is of Holm's procedure over all words and labels.

    `ids` and `texts` are of some that have both.
    """

    word: str
    label: str
    pmi: float
    examples: int
    with_label: int
    p: float
    ids: Sequence[str] = ()
    texts: Sequence[str] = ()


class Shares(Value):
    """The number of examples that each of some things is true of, in order, of so many."""

    total: int
    counts: Mapping[str, int]


class Pair(Value):
    """Two texts that are alike, each with its example and part."""

    ids: tuple[str, str]
    parts: tuple[str, str]
    texts: tuple[str, str]


class Repeats(Value):
    """Counts of examples: in all, and of these in dev or test with a counterpart in train (`across`).

    `same` have the same text and context as an earlier example, `same_text` its text alone, `near` one that is alike.
    `contexts` are those of more than one part; `in_them` are the examples of dev and test on those of train.
    """

    examples: int
    same: int
    same_across: int
    same_text: int
    same_text_across: int
    near: int
    near_across: int
    contexts: int
    in_them: int
    pairs: Sequence[Pair] = ()


class Dataset(Value):
    """The figures that two datasets are compared by. `shared` has the mean share of words in common, by label."""

    name: str
    examples: int
    labels: Shares
    baselines: Sequence[Measured]
    shared: Mapping[str, Estimate]
    places: Shares
    first_words: Shares


class Findings(Value):
    """All figures of a dataset, and the datasets beside it. `label` names what its examples are divided by."""

    label: str
    dataset: Dataset
    beside: Sequence[Dataset]
    words: Sequence[LabelWord]
    words_tested: int
    repeats: Repeats

    @property
    def warnings(self) -> list[str]:
        """Return a sentence for each baseline that gives answers away."""
        return [
            f"A baseline that sees a part of the input ({each.baseline}) is right on {each.accuracy.value:.1%} of the "
            f"examples held out, {100 * each.lead.value:.1f} points above chance and the most frequent answer."
            for each in self.dataset.baselines
            if each.gives_away
        ]

    @property
    def kept(self) -> Findings:
        """Return the same without ids and words that anybody has written."""
        return self.model_copy(
            update={
                "dataset": _wordless(self.dataset),
                "beside": [_wordless(each) for each in self.beside],
                "words": (),
                "repeats": self.repeats.model_copy(update={"pairs": ()}),
            }
        )


def _wordless(dataset: Dataset) -> Dataset:
    return dataset.model_copy(update={"first_words": Shares(total=dataset.first_words.total, counts={})})
