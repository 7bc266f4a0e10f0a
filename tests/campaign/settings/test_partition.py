"""Shares divide a round: every context is of one of them, for good, and each may be served by one process."""

from __future__ import annotations

from pathlib import Path

import pytest

from beat_the_ai.campaign.money.cost import cost_of
from beat_the_ai.campaign.service.hits import create_hits
from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.partition import WHOLE, Partition, share_of, shared
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import open_store
from tests.cli.launching import TASK

SHARES = [Partition(number, 4) for number in range(1, 5)]


def settings(out: Path, *options: str) -> Settings:
    return read_settings(TASK, ["round.max_hits=50", "round.hits_per_context=2", *options], out=out)


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "1/0", "a/b", "1/65", "-1/2", "1/2/3", "١/٢"])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="the second of four operators"):
        Partition.read(text)


def test_a_share_reads_as_it_is_written() -> None:
    assert (Partition.read("2/4"), str(Partition(2, 4)), Partition.read("1/1")) == (Partition(2, 4), "2/4", WHOLE)
    assert (WHOLE.folder("writing"), Partition(2, 4).folder("writing")) == ("writing", "writing-2-of-4")


def test_every_hit_is_of_one_share_and_all_of_a_context_of_the_same(store_url: str, tmp_path: Path) -> None:
    store, chosen = open_store(store_url), settings(tmp_path)
    begin_or_resume(PlannedRound(store, chosen))
    whole = create_hits(PlannedRound(store, chosen)).hits()
    parts = [create_hits(PlannedRound(store, chosen), share).hits() for share in SHARES]
    assert sorted(hit for part in parts for hit in part) == sorted(whole)
    contexts = [set(part.values()) for part in parts]
    assert sum(map(len, contexts)) == len(set().union(*contexts))
    assert all(contexts)
    for share, part in zip(SHARES, parts, strict=True):
        assert list(part) == [hit for hit in whole if hit in part]  # in the order of the whole
        assert cost_of(Stage.WRITING, PlannedRound(store, chosen), share).hits == len(part)
    store.close()


def test_more_hits_leave_every_context_where_it_is(store_url: str, tmp_path: Path) -> None:
    store, chosen = open_store(store_url), settings(tmp_path, "round.max_hits=20")
    begin_or_resume(PlannedRound(store, chosen))
    before = create_hits(PlannedRound(store, chosen), SHARES[0]).hits()
    more = settings(tmp_path, "round.max_hits=60")
    begin_or_resume(PlannedRound(store, more))
    after = create_hits(PlannedRound(store, more), SHARES[0]).hits()
    assert before.items() < after.items()
    store.close()


def test_an_operator_says_which_of_several_it_is(tmp_path: Path) -> None:
    divided = shared(settings(tmp_path, "store.url=postgresql+psycopg://u@/d"), Partition(2, 4))
    assert divided.round.shares == 4
    assert share_of(divided, Stage.WRITING, Partition(2, 4)) == Partition(2, 4)
    assert share_of(divided, Stage.VALIDATION, None) == WHOLE
    with pytest.raises(InvalidInput, match="--share 1/4"):
        share_of(divided, Stage.WRITING, None)
    with pytest.raises(InvalidInput, match="one operator serves all of the validation"):
        share_of(divided, Stage.VALIDATION, Partition(1, 4))


def test_a_store_that_others_cannot_reach_is_served_by_one(tmp_path: Path) -> None:
    alone = settings(tmp_path)
    with pytest.raises(InvalidInput, match="store=postgresql"):
        share_of(shared(alone, Partition(1, 2)), Stage.WRITING, Partition(1, 2))
    assert share_of(shared(alone, WHOLE), Stage.WRITING, WHOLE) == WHOLE
