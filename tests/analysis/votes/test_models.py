"""Models of votes on simulated voters whose error rates are known, and against the algorithm written once more."""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
import pytest

from beat_the_ai.analysis.votes.models import DAWID_SKENE, MACE, MODELS, Vote, label_models
from beat_the_ai.errors import InvalidInput

LABELS = ("entailment", "neutral", "contradiction")
KNOWS = {"zoe": 0.95, "ann": 0.85, "mia": 0.7, "bob": 0.5, "kim": 0.2, "abe": 0.0}


def simulated(units: int, seed: int = 1) -> tuple[dict[str, str], list[Vote]]:
    """Return the true labels, and votes of people who know the label so often, and else guess among all."""
    draw = np.random.default_rng(seed)
    truth = {f"u{unit}": str(draw.choice(LABELS)) for unit in range(units)}
    votes = [
        (unit, voter, label if draw.random() < knows else str(draw.choice(LABELS)))
        for unit, label in truth.items()
        for voter, knows in KNOWS.items()
        if draw.random() < 0.9
    ]
    return truth, votes


def test_they_recover_how_far_voters_are_to_be_trusted() -> None:
    _, votes = simulated(600)
    models = label_models(votes)
    for voter, knows in KNOWS.items():
        assert models[DAWID_SKENE].trust[voter] == pytest.approx(knows + (1 - knows) / 3, abs=0.06)
        assert models[MACE].trust[voter] == pytest.approx(knows, abs=0.1)


def test_they_are_right_more_often_than_the_majority_and_as_often_as_they_say() -> None:
    truth, votes = simulated(600)
    majority = {unit: Counter(label for name, _, label in votes if name == unit).most_common(1)[0][0] for unit in truth}
    by_majority = sum(majority[unit] == label for unit, label in truth.items())
    models = label_models(votes)
    for name in MODELS:
        found = models[name].labels
        right = sum(found[unit].label == label for unit, label in truth.items())
        assert right > by_majority + 10
        assert sum(each.probability for each in found.values()) == pytest.approx(right, abs=18)


def test_names_make_no_difference() -> None:
    """crowd-kit's MACE gives voters each other's ways of guessing where the first votes are not in order of names."""
    votes = [(unit, voter, "neutral" if voter in ("abe", "kim") else label) for unit, voter, label in simulated(60)[1]]
    voters = {name: f"v{place}" for place, name in enumerate(sorted(KNOWS, reverse=True))}
    labels = dict(zip(LABELS, ("c", "a", "b"), strict=True))
    renamed = [(unit, voters[voter], labels[label]) for unit, voter, label in votes]
    for name in MODELS:
        one, other = label_models(votes)[name], label_models(renamed)[name]
        assert {voters[voter]: trust for voter, trust in one.trust.items()} == pytest.approx(dict(other.trust))
        assert [labels[each.label] for each in one.labels.values()] == [each.label for each in other.labels.values()]


def test_dawid_and_skene_are_their_algorithm() -> None:
    """Dawid and Skene 1979, §3: from shares of votes, by equations 2.3 to 2.5 in turns."""
    _, votes = simulated(40, seed=4)
    units, voters = (list(dict.fromkeys(vote[place] for vote in votes)) for place in (0, 1))
    counts = np.zeros((len(units), len(voters), len(LABELS)))
    for unit, voter, label in votes:
        counts[units.index(unit), voters.index(voter), LABELS.index(label)] += 1
    probable = counts.sum(axis=1) / counts.sum(axis=(1, 2))[:, None]
    for _ in range(100):
        errors = np.einsum("ij,ikl->kjl", probable, counts)
        errors = (errors + 1e-10) / (errors + 1e-10).sum(axis=2, keepdims=True)
        prior = probable.mean(axis=0)
        likely = np.log(prior)[None] + np.einsum("ikl,kjl->ij", counts, np.log(errors))
        probable = np.exp(likely - likely.max(axis=1, keepdims=True))
        probable /= probable.sum(axis=1, keepdims=True)
    found = label_models(votes)[DAWID_SKENE]
    for place, unit in enumerate(units):
        assert found.labels[unit].label == LABELS[probable[place].argmax()]
        assert found.labels[unit].probability == pytest.approx(probable[place].max(), abs=0.02)
    for place, voter in enumerate(voters):
        assert found.trust[voter] == pytest.approx(float(np.diag(errors[place]) @ prior), abs=0.02)


def test_one_label_alone_is_sure() -> None:
    models = label_models([("u1", "a", "x"), ("u1", "b", "x"), ("u2", "a", "x")])
    assert {each.label for model in models.values() for each in model.labels.values()} == {"x"}


def test_without_the_extra_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "crowdkit", None)
    with pytest.raises(InvalidInput, match="make labels"):
        label_models([("u1", "a", "x")])
