"""Votes of simulated validators in a rehearsal."""

from __future__ import annotations

import pytest

from beat_the_ai.errors import InvalidInput, ProcessFailed, Refused
from beat_the_ai.rehearsal.campaign import check_vote


def test_a_vote_that_no_vote_can_be_ends_the_rehearsal() -> None:
    check_vote({"item_id": "i1", "vote": {"answer": None}})
    check_vote({"error": {"code": Refused.code, "message": "The time is over."}})
    with pytest.raises(ProcessFailed, match="no words of its own"):
        check_vote({"error": {"code": InvalidInput.code, "message": "The answer has no words of its own."}})
