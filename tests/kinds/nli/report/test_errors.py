"""Error rates, tries and seconds by round and genre, on figures that are worked out by hand."""

from __future__ import annotations

import pytest

from beat_the_ai.kinds.nli.report.errors import error_sections, model_errors
from beat_the_ai.rules.dataset import Trial
from beat_the_ai.statistics.intervals import wilson
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
) -> Trial:
    return Trial(premise(name), number, assignment, ordinal, 10.0 * ordinal, fooled, confirmed, checked, exclusive)


TRIALS = [
    *(trial("a", 1), trial("a", 2), trial("a", 3, fooled=True, confirmed=True)),
    trial("b", 1, fooled=True, confirmed=False, name="night-ferry"),
    *(trial("c", 1, name="hearing"), trial("c", 2, fooled=True, confirmed=True, name="hearing")),
    trial("d", 1, name="hearing"),
    trial("open", 1, fooled=True, name="hearing"),
    trial("unchecked", 1, fooled=True, checked=False, name="hearing"),
    trial("later", 1, fooled=True, confirmed=True, number=2),
]


def test_each_round_has_its_genres_and_itself() -> None:
    groups = model_errors(TRIALS)
    assert list(groups) == [(1, "fiction"), (1, "spoken"), (1, "all genres"), (2, "fiction")]
    counts = {group: (found.attempts, found.errors, found.decided, found.verified) for group, found in groups.items()}
    assert counts == {
        (1, "fiction"): (4, 2, 4, 1),
        (1, "spoken"): (5, 3, 3, 1),
        (1, "all genres"): (9, 5, 7, 2),
        (2, "fiction"): (1, 1, 1, 1),
    }
    assert (groups[1, "all genres"].tries, groups[1, "all genres"].seconds) == ([3, 2], [30.0, 20.0])
    assert len(groups[1, "fiction"].premises) == 2


def test_the_work_of_exclusive_writers_is_told_apart() -> None:
    own = [trial("own", 1, fooled=True, confirmed=True, exclusive=True), trial("lost", 1, number=2, exclusive=True)]
    groups = model_errors([*TRIALS, *own])
    assert list(groups) == [
        *((1, "fiction"), (1, "spoken"), (1, "all genres"), (1, "exclusive writers")),
        *((2, "fiction"), (2, "exclusive writers")),
    ]
    found = groups[1, "exclusive writers"]
    assert (found.attempts, found.errors, found.decided, found.verified, found.tries) == (1, 1, 1, 1, [1])
    assert groups[1, "all genres"].attempts == 10


def test_the_tables_have_shares_with_intervals_and_means_beside_medians() -> None:
    rates, effort = error_sections(TRIALS)
    row = next(row for row in rates.table.rows if row[:2] == ("1", "all genres"))
    low, high = wilson(2, 7)
    assert row == (
        *("1", "all genres", "3", "9", "55.6% (26.7% to 81.1%), 5", "7"),
        f"28.6% ({low:.1%} to {high:.1%}), 2",
    )
    row = next(row for row in effort.table.rows if row[:2] == ("1", "all genres"))
    assert row == ("1", "all genres", "2", "2.50 (2.00 to 3.00)", "2.5", "25.0 (20.0 to 30.0)", "25.0")
    assert rates.plot is not None


def test_without_attempts_there_is_nothing_to_tell() -> None:
    assert error_sections([]) == []


@pytest.mark.parametrize("confirmed", [True, False, None])
def test_what_nobody_is_asked_about_is_in_no_verified_rate(confirmed: bool | None) -> None:
    [found] = model_errors([trial("a", 1, fooled=True, confirmed=confirmed, checked=False)]).values()
    assert (found.errors, found.decided, found.verified, found.tries) == (1, 0, 0, [])
