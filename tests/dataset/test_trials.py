"""Attempts that are trials, by the columns of an export."""

from __future__ import annotations

import pytest

from beat_the_ai.dataset.names import BY_REVIEWER, BY_VOTES, DISCARDED
from beat_the_ai.dataset.trials import is_trial


@pytest.mark.parametrize(
    ("in_part", "dropped", "discarded_by", "expected"),
    [
        (True, None, None, True),
        (True, "model_right", None, True),
        (False, DISCARDED, BY_VOTES, True),
        (False, DISCARDED, BY_REVIEWER, False),
        (True, None, BY_REVIEWER, False),
        (False, "set_aside", None, False),
        (False, "set_aside", BY_VOTES, False),
        (False, "not_handed_in", BY_VOTES, False),
    ],
)
def test_what_counts_and_no_reviewer_has_revoked_is_a_trial(
    in_part: bool, dropped: str | None, discarded_by: str | None, expected: bool
) -> None:
    def found(*, retracted: bool) -> bool:
        return is_trial(retracted=retracted, in_part=in_part, dropped=dropped, discarded_by=discarded_by)

    assert found(retracted=False) is expected
    assert found(retracted=True) is False
