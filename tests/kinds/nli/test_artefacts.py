"""Artefacts of pairs."""

from __future__ import annotations

from beat_the_ai.kinds.nli.artefacts import HYPOTHESIS, OVERLAP, PREMISE, PairArtefacts
from beat_the_ai.rules.artefacts import Naming
from beat_the_ai.rules.dataset import Example
from beat_the_ai.rules.protocol import Context

WORK = {"hypothesis": "The mill is NOT the oldest mill.", "target": "neutral"}


def example(label: str | None) -> Example:
    context = Context("c1", "The mill is old.", private={"genre": "wikipedia"})
    return Example("a1", "dev", context, WORK, label, "m", {}, True, 1, False, None)


def test_a_pair_is_seen_in_parts_under_its_final_label() -> None:
    artefacts = PairArtefacts()
    overruled, unchecked = artefacts.traces([artefacts.work(example("contradiction")), artefacts.work(example(None))])
    assert (overruled.label, unchecked.label) == ("contradiction", "neutral")
    assert (overruled.id, overruled.part, overruled.context) == ("a1", "dev", "The mill is old.")
    assert overruled.words == ("the", "mill", "is", "not", "oldest")
    assert overruled.shared == 0.6
    assert overruled.guesses == {
        HYPOTHESIS.name: Naming(overruled.words, "contradiction"),
        PREMISE.name: Naming(("the", "mill", "is", "old"), "contradiction"),
        OVERLAP.name: Naming(("6 tenths",), "contradiction"),
    }
