"""Which works beat another model, too: in all and by group."""

from __future__ import annotations

from beat_the_ai.analysis.cells import clustered_cell
from beat_the_ai.analysis.rescoring import ALL, BEAT, CONFIRMED, DID_NOT, RescoredWork, rescoring_sections, shares
from beat_the_ai.statistics.clustered import Clustered
from tests.reading_comprehension import WORDS


def judged(then: bool | None, now: bool, confirmed: bool = False, **groups: str) -> RescoredWork:
    return RescoredWork(then, now, confirmed, groups.get("writer", "alone"), groups)


WORKS = [
    judged(True, True, True, round="1", writer="w1"),
    judged(True, True, round="1", writer="w2"),
    judged(True, False, True, round="2", writer="w2"),
    judged(False, True, round="2", writer="w1"),
    judged(False, False, round="2", writer="w1"),
]


def test_groups_are_of_the_works_that_beat_the_model_then() -> None:
    found = {(share.works, share.division, share.group): (share.beaten, share.total) for share in shares(WORKS)}
    assert found == {
        (BEAT, "", ""): (2, 3),
        (CONFIRMED, "", ""): (1, 2),
        (DID_NOT, "", ""): (1, 2),
        (ALL, "", ""): (3, 5),
        (BEAT, "round", "1"): (2, 2),
        (BEAT, "round", "2"): (0, 1),
        (BEAT, "writer", "w1"): (1, 1),
        (BEAT, "writer", "w2"): (1, 2),
    }


def test_where_nobody_knows_what_beat_a_model_groups_are_of_all() -> None:
    found = shares([judged(None, True, part="dev"), judged(None, False, part="dev"), judged(None, True, part="test")])
    assert [(share.works, share.division, share.group, share.beaten, share.total) for share in found] == [
        (ALL, "", "", 2, 3),
        (ALL, "part", "dev", 1, 2),
        (ALL, "part", "test", 1, 1),
    ]
    assert found[0].interval is None  # of one cluster


def test_a_report_has_a_picture_of_each_and_writers_apart() -> None:
    whole, divided, writers = rescoring_sections("bert", WORDS, "writers", shares(WORKS), (4, 5))
    assert whole.title == "Looking back with bert"
    assert "Of the 5 that this very model judged then, 4 have the same verdict." in whole.text
    assert whole.table.rows[0] == (BEAT, "3", clustered_cell(Clustered({"w1": (1, 1), "w2": (1, 2)})))
    assert "95% intervals by a jackknife of the 2 writers" in whole.text
    assert writers.table.rows[0][2] == "50.0% (9.5% to 90.5%), 1"  # Wilson's
    assert [row[:3] for row in divided.table.rows] == [("round", "1", "2"), ("round", "2", "1")]
    assert [row[:2] for row in writers.table.rows] == [("w2", "2"), ("w1", "1")]
    assert all(section.plot and "<svg" in section.plot for section in (whole, divided, writers))


def test_a_division_with_one_group_says_nothing_new() -> None:
    works = [judged(True, True, round="1", writer="w1"), judged(True, False, round="1", writer="w1")]
    [whole] = rescoring_sections("bert", WORDS, "writers", shares(works), (0, 0))
    assert "same verdict" not in whole.text
