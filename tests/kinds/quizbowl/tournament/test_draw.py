"""What is played where."""

from __future__ import annotations

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.quizbowl.collection import Question
from beat_the_ai.kinds.quizbowl.tournament.draw import Candidate, Draw

PAGES = [f"page_{number}" for number in range(8)]


def candidates() -> list[Candidate]:
    """Of two categories, a regular and an adversarial question on each of four answers."""
    return [
        Candidate(
            f"{page}-{adversarial}",
            Question(text=f"A question on {page}?", page=page, answer=page, category="AB"[number % 2]),
            page,
            adversarial,
        )
        for number, page in enumerate(PAGES)
        for adversarial in (False, True)
    ]


def test_each_room_has_half_of_each_kind_no_answer_twice_and_no_question_of_another() -> None:
    rooms = Draw(candidates(), {}, seed=1).rooms(3, 4)
    played = [tossup.id for room in rooms for tossup in room]
    assert len(set(played)) == len(played) == 12
    for room in rooms:
        assert sum(tossup.adversarial for tossup in room) == 2
        assert len({tossup.answer.page for tossup in room}) == 4
        assert {tossup.category for tossup in room} == {"A", "B"}


def test_the_same_seed_draws_the_same_and_the_rest_is_left() -> None:
    first, again, other = (Draw(candidates(), {}, seed=seed) for seed in (1, 1, 2))
    room = first.rooms(1, 4)
    assert room == again.rooms(1, 4) != other.rooms(1, 4)
    drawn = {tossup.id.removeprefix("regular-").removeprefix("adversarial-") for tossup in room[0]}
    assert {candidate.id for candidate in first.left} == {one.id for one in candidates()} - drawn


def test_too_few_questions_are_told_for_all_rooms_together() -> None:
    with pytest.raises(
        InvalidInput, match=r"20 tossups .* 4 in each of 5 rooms, and there are questions for 1[2-6]:"
    ) as error:
        Draw(candidates(), {}, seed=1).rooms(5, 4)
    assert error.value.field == "--tossups"
