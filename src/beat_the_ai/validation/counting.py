"""The rules by which the votes of each round of a campaign are counted."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version

from beat_the_ai.rules.adjudication import Adjudication
from beat_the_ai.rules.checking import Checking
from beat_the_ai.rules.protocol import Json
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.store import CountingRules, GoldAnswer
from beat_the_ai.validation.draw import lot_of

CheckingByRound = Mapping[int, Checking]
VERSION = version("beat-the-ai")  # of what runs, whatever is installed meanwhile
COUNTING = "gold that is left out is wrong; no vote of revoked validators counts"  # older stores have other rules


def counting_rules(checking: Checking, seed: int, *, adaptive: bool) -> CountingRules:
    """Return the rules as the store needs them to adjudicate; `adaptive` as in the terms of the votes.

    They are others for another version of the suite, or where `checking` looks different: rules are values.
    """

    def adjudicate(work: Json, prediction: Json, votes: Sequence[Json]) -> Adjudication:
        labels = [checking.vote_label(vote) for vote in votes]
        return checking.adjudicate(checking.author_label(work), checking.model_label(prediction), labels)

    def is_reliable_by(answers: Sequence[GoldAnswer]) -> bool:
        right = [
            vote is not None and checking.agree(checking.vote_label(vote), checking.author_label(gold))
            for gold, vote in answers
        ]
        return is_reliable(sum(right), len(right), checking)

    told = f"{VERSION} {COUNTING} {checking!r} {seed} {adaptive}"
    name = hashlib.sha256(told.encode()).hexdigest()
    return CountingRules(name, adjudicate, is_reliable_by, adaptive, partial(lot_of, seed))


def is_reliable(right: int, gold: int, checking: Checking) -> bool:
    """Return whether the votes of a validator with so much gold right count: the accuracy may be `min_gold_accuracy`.

    Only the upper end of the interval has to reach it, so that a mistake or two exclude nobody.
    """
    return not gold or wilson(right, gold)[1] >= checking.min_gold_accuracy
