"""Error rates, tries and seconds by round and genre, on figures that are worked out by hand."""

from __future__ import annotations

import pytest

from beat_the_ai.analysis.cells import clustered_cell, clustered_mean_cell
from beat_the_ai.kinds.nli.report.errors import error_sections, model_errors
from beat_the_ai.kinds.nli.report.groups import Group, Marks, grouped
from beat_the_ai.rules.dataset import Trial
from beat_the_ai.statistics.clustered import Clustered
from tests.kinds.nli.premises import premise


def trial(
    assignment: str,
    ordinal: int,
    *,
    fooled: bool = False,
    confirmed: bool | None = None,
    number: int = 1,
    checked: bool = True,
    name: str = "attic",
    exclusive: bool = False,
    discarded: bool = False,
    tries: int | None = 5,
) -> Trial:
    left = None if tries is None else tries - ordinal
    seconds = 10.0 * ordinal
    return Trial(
        premise(name),
        number,
        assignment,
        ordinal,
        seconds,
        fooled,
        confirmed,
        checked,
        exclusive,
        discarded,
        left,
        assignment,
    )


TRIALS = [
    *(trial("a", 1), trial("a", 2), trial("a", 3, fooled=True, confirmed=True)),
    trial("b", 1, fooled=True, confirmed=False, name="night-ferry"),
    *(trial("c", 1, name="hearing"), trial("c", 2, fooled=True, confirmed=True, name="hearing")),
    trial("d", 1, name="hearing"),
    trial("open", 1, fooled=True, name="hearing"),
    trial("unchecked", 1, fooled=True, checked=False, name="hearing"),
    trial("later", 1, fooled=True, confirmed=True, number=2),
]


def test_each_round_has_its_genres_and_itself_and_all_rounds_follow() -> None:
    groups = model_errors(TRIALS)
    counts = {group: (found.attempts, found.errors, found.decided, found.verified) for group, found in groups.items()}
    assert list(counts.items()) == [
        (("1", "fiction"), (4, 2, 4, 1)),
        (("1", "spoken"), (5, 3, 3, 1)),
        (("1", "all genres"), (9, 5, 7, 2)),
        (("2", "fiction"), (1, 1, 1, 1)),
        (("all", "all genres"), (10, 6, 8, 3)),
    ]
    of_first = groups[Group("1", "all genres")]
    assert (of_first.tries, of_first.seconds) == ([3, 2], [30.0, 20.0])
    assert len(groups[Group("1", "fiction")].premises) == 2


def test_premises_are_those_of_the_hypotheses_beside_them() -> None:
    """A writer who is discarded for others' votes has none among the hypotheses."""
    trials = [trial("a", 1), trial("b", 1, discarded=True, name="night-ferry")]
    [found] = model_errors(trials).values()
    assert (found.attempts, len(found.premises)) == (1, 1)


def test_rounds_stand_by_number_and_those_without_one_behind_them() -> None:
    marks = [Marks(number, "news", False) for number in ("R10", "R2", "pilot", "2")]
    assert [group.round for group in grouped((each, each) for each in marks)] == ["2", "10", "pilot", "all"]


def test_the_work_of_exclusive_writers_is_told_apart() -> None:
    own = [trial("own", 1, fooled=True, confirmed=True, exclusive=True), trial("lost", 1, number=2, exclusive=True)]
    groups = model_errors([*TRIALS, *own])
    assert list(groups) == [
        *(("1", "fiction"), ("1", "spoken"), ("1", "all genres"), ("1", "exclusive writers")),
        *(("2", "fiction"), ("2", "exclusive writers")),
        *(("all", "all genres"), ("all", "exclusive writers")),
    ]
    found = groups[Group("1", "exclusive writers")]
    assert (found.attempts, found.errors, found.decided, found.verified, found.tries) == (1, 1, 1, 1, [1])
    assert groups[Group("1", "all genres")].attempts == 10
    assert groups[Group("all", "exclusive writers")].attempts == 2


TRIES, SECONDS = (
    clustered_mean_cell(Clustered({"a": (2 * scale, 1), "c": (3 * scale, 1)}), digits)
    for scale, digits in ((1, 2), (10, 1))
)


def test_the_tables_have_shares_and_means_and_medians_with_intervals() -> None:
    more = [trial(f"more{tries}", tries, number=2, fooled=True, confirmed=True) for tries in (1, 2, 2, 3, 9)]
    rates, _, effort = error_sections([*TRIALS, *more])
    row = next(row for row in rates.table.rows if row[:2] == ("1", "all genres"))
    tried = {"a": (1, 3), "b": (1, 1), "c": (1, 2), "d": (0, 1), "open": (1, 1), "unchecked": (1, 1)}
    decided = {"a": (1, 3), "b": (0, 1), "c": (1, 2), "d": (0, 1)}
    shares = [clustered_cell(Clustered(writers)) for writers in (tried, decided)]
    assert row == ("1", "all genres", "3", "9", shares[0], "7", shares[1])
    assert "95% intervals by a jackknife of the 11 writers" in rates.text
    rows = {row[:2]: row[2:] for row in effort.table.rows}
    assert rows["1", "all genres"] == ("2", TRIES, "2.5", SECONDS, "25.0")
    assert [rows["2", "fiction"][place] for place in (0, 2, 4)] == ["6", "2.0", "20.0"]
    assert "95% intervals by a jackknife of the 7 writers" in effort.text
    assert rates.plot is not None


def test_a_hit_ran_out_of_tries_when_its_last_one_did_not_beat_the_model() -> None:
    hits = [
        *(trial("out", 1, tries=2), trial("out", 2, tries=2)),
        *(trial("won", 1, tries=2), trial("won", 2, fooled=True, confirmed=True, tries=2)),
        trial("given up", 1, tries=2),
        trial("discarded", 2, tries=2, discarded=True),
        trial("nobody knows", 2, tries=None),
    ]
    [found] = model_errors(hits).values()
    assert (found.ran_out.of, found.ran_out.found) == (3, 1)
    assert (found.ended.tries, found.ended.seconds) == ([2, 2], [20.0, 20.0])
    [row] = error_sections(hits)[1].table.rows
    assert row[2:] == (
        "3",
        clustered_cell(Clustered({"out": (1, 1), "won": (0, 1), "given up": (0, 1)})),
        "2",
        "2.00",
        "2.0",
        "20.0",
        "20.0",
    )
    assert error_sections([trial("unknown", 1, tries=None)])[1].table.rows[0][2:4] == ("0", "–")


def test_without_attempts_there_is_nothing_to_tell() -> None:
    assert error_sections([]) == []


@pytest.mark.parametrize("confirmed", [True, False, None])
def test_what_nobody_is_asked_about_is_in_no_verified_rate(confirmed: bool | None) -> None:
    [found] = model_errors([trial("a", 1, fooled=True, confirmed=confirmed, checked=False)]).values()
    assert (found.errors, found.decided, found.verified, found.tries) == (1, 0, 0, [])
