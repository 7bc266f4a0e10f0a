"""Models of votes that learn whom to trust: Dawid and Skene 1979, and MACE (Hovy et al. 2013), both of crowd-kit.

Dawid and Skene give each voter a table of errors, by expectation and maximisation from the majority. MACE gives each
voter a probability to know rather than to guess (variational Bayes). Both need the extra `labels`.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from beat_the_ai.errors import InvalidInput

DAWID_SKENE, MACE = "Dawid-Skene", "MACE"
MODELS = (DAWID_SKENE, MACE)
Vote = tuple[str, str, str]
"""A unit, a voter, and the label that the voter gave it."""


@dataclass(frozen=True)
class Labelled:
    """The label of a unit by a model, and its probability."""

    label: str
    probability: float


@dataclass(frozen=True)
class LabelModel:
    """A fitted model. `trust` has by voter the probability of a right label (Dawid-Skene), or to know it (MACE)."""

    labels: Mapping[str, Labelled]
    trust: Mapping[str, float]


def label_models(votes: Sequence[Vote]) -> dict[str, LabelModel]:
    """Fit both models to votes, of which there is at least one. The same votes in the same order give the same labels.

    Raises `InvalidInput` without crowd-kit.
    """
    try:
        import pandas as pd
        from crowdkit import aggregation
    except ImportError:
        raise InvalidInput(
            "votes",
            "Label models need crowd-kit, which is not installed. Run in the checkout: make labels",
        ) from None
    # Numbers in the order of appearance: crowd-kit 1.4 gives voters each other's ways of guessing where names are not.
    columns = zip(("task", "worker", "label"), zip(*votes, strict=True), strict=True)
    numbered = {name: pd.factorize(pd.Series(list(values), dtype=object)) for name, values in columns}
    frame = pd.DataFrame({name: codes for name, (codes, _) in numbered.items()})
    units, voters, labels = (list(map(str, names)) for _, names in numbered.values())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # crowd-kit's, of what pandas will not have any more
        skene = aggregation.DawidSkene().fit(frame)
        mace = aggregation.MACE(n_restarts=1).fit(frame)  # its restarts all begin alike
    knows = mace.spamming_[:, 1] / mace.spamming_.sum(axis=1)
    return {
        DAWID_SKENE: LabelModel(_labelled(skene.probas_, units, labels), _accuracies(skene, voters)),
        MACE: LabelModel(_labelled(mace.probas_, units, labels), dict(zip(voters, map(float, knows), strict=True))),
    }


def _labelled(probabilities: Any, units: Sequence[str], labels: Sequence[str]) -> dict[str, Labelled]:
    best = probabilities.idxmax(axis=1)
    return {
        units[unit]: Labelled(labels[label], float(probabilities.at[unit, label]))
        for unit, label in sorted(best.items())
    }


def _accuracies(skene: Any, voters: Sequence[str]) -> dict[str, float]:
    """Return the probability of a right label by each voter, over the model's own shares of the labels."""
    right = dict.fromkeys(voters, 0.0)
    for (voter, label), errors in skene.errors_.iterrows():
        right[voters[voter]] += float(errors[label] * skene.priors_[label])
    return right
