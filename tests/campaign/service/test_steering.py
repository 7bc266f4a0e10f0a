"""Writers are offered HITs by what a balanced part lacks, in an order that the store alone decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from beat_the_ai.campaign.service.steering import Steering, steering_of
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from tests.kinds.nli.balanced import GENRES, cell, hits_of, offered, write
from tests.store.builders import NEW_YEAR

CHANCES = {"entailment": 0.3, "neutral": 0.9, "contradiction": 0.6}  # that a writer beats the model


def in_test(campaign: BoundCampaign, hits: Sequence[str]) -> list[tuple[str, str, str]]:
    return [found for hit in hits if (found := cell(campaign, hit))[0] == "test"]


def test_what_a_part_has_most_of_is_offered_last_and_parts_keep_their_turns(store: Store) -> None:
    campaign = offered(store, {})
    hits = hits_of(campaign)
    crowded = in_test(campaign, hits)[0]
    first, second, *rest = [hit for hit in hits if cell(campaign, hit) == crowded]
    write(campaign, first)
    write(campaign, second, hand_in=False)  # somebody is at it
    left = [hit for hit in hits if hit not in (first, second)]
    order = Steering(campaign, 1)("another", left)
    assert sorted(order) == sorted(left)
    assert [cell(campaign, hit)[0] for hit in order] == [cell(campaign, hit)[0] for hit in left]
    assert in_test(campaign, order)[-len(rest) :] == [crowded] * len(rest)
    assert [hit for hit in order if cell(campaign, hit)[0] == "train"] == [
        hit for hit in left if cell(campaign, hit)[0] == "train"
    ]
    assert Steering(BoundCampaign.open(store, campaign.id), 1)("another", left) == order


def test_what_did_not_win_and_what_was_discarded_is_lacking_still(store: Store) -> None:
    campaign = offered(store, {})
    hits = hits_of(campaign)
    steering, before = Steering(campaign, 1), in_test(campaign, Steering(campaign, 1)("w", hits))
    write(campaign, hits[0], wins=False)
    write(campaign, hits[1], "revoked")
    store.standings.add(campaign.id, "revoked", "revoked", by="ann", reason="copied", at=NEW_YEAR)
    assert in_test(campaign, steering("w", hits)) == before


def test_hits_of_a_combination_that_is_full_come_last(store: Store) -> None:
    campaign = offered(store, {"test_examples": 6})
    hits = hits_of(campaign)
    full = in_test(campaign, hits)[0]
    write(campaign, next(hit for hit in hits if cell(campaign, hit) == full))
    left = hits[1:]
    order = [cell(campaign, hit) for hit in Steering(campaign, 1)("another", left)]
    number = order.count(full)
    assert number
    assert order[-number:] == [full] * number


def test_exclusive_writers_are_offered_what_their_share_of_test_lacks(store: Store) -> None:
    campaign = offered(store, {"exclusive_writers": ["X", "Y"], "test_examples": 60, "exclusive_test_share": 0.2})
    hits = hits_of(campaign)
    had = next(hit for hit in hits if cell(campaign, hit)[0] == "test")
    write(campaign, had, "X")
    left = [hit for hit in hits if hit != had]
    order = [cell(campaign, hit) for hit in Steering(campaign, 1)("Y", left)]
    assert [part for part, *_ in order] == sorted((part for part, *_ in order), key=lambda part: part != "test")
    lacking = [found for found in order if found[0] == "test"]
    last = cell(campaign, had)
    assert set(lacking[-lacking.count(last) :]) == {last}


@pytest.mark.parametrize("seed", [1, 2])
def test_it_makes_more_of_a_round_that_ends_early(store: Store, seed: int) -> None:
    campaign = offered(store, {"test_examples": 24}, 36)
    smallest = []
    for steering in (None, Steering(campaign, 1)):
        rng, left, have = Random(seed), hits_of(campaign), Counter[tuple[str, str, str]]()
        for number in range(len(left) * 2 // 3):
            [hit, *_] = left if steering is None else steering("w", left)
            left.remove(hit)
            wins = rng.random() < CHANCES[cell(campaign, hit)[1]]
            have[cell(campaign, hit)] += wins
            if steering is not None:
                write(campaign, hit, f"w{number}", wins=wins)
        smallest.append(min(have["test", label, genre] for label in CHANCES for genre in GENRES))
    assert smallest[1] > smallest[0]


def test_a_round_without_balance_keeps_its_order(store: Store) -> None:
    assert steering_of(offered(store, {"balanced": []}), 1) is None
