"""How fast commands may come in, from a page and from all pages of a team."""

from __future__ import annotations

from pathlib import Path

import pytest

from beat_the_ai.errors import Refused
from beat_the_ai.kinds.quizbowl.tournament.hall import PACE_OF_SPECTATORS, PACE_OF_TEAM, Hall
from beat_the_ai.kinds.quizbowl.tournament.messages import Join, Watch
from beat_the_ai.kinds.quizbowl.tournament.pace import Pace
from tests.kinds.quizbowl.tournament.matches import event, match


def test_a_pace_is_kept_after_a_rest() -> None:
    now = [0.0]
    pace = Pace(2, 3, lambda: now[0])
    for _ in range(3):
        pace.keep()
    with pytest.raises(Refused, match="Too many commands"):
        pace.keep()
    now[0] = 0.5
    pace.keep()
    with pytest.raises(Refused):
        pace.keep()
    now[0] = 100.0
    for _ in range(3):
        pace.keep()
    with pytest.raises(Refused):
        pace.keep()


def enter(hall: Hall, code: str, times: int) -> None:
    for _ in range(times):
        hall.admit(Join(role="team", code=code, player="Eve"))


def test_a_team_that_connects_again_and_again_is_refused_and_others_are_not(tmp_path: Path) -> None:
    folder = event(tmp_path / "e", match("A"))
    with folder.rooms() as rooms:
        hall, codes = Hall(folder, rooms), folder.keys.rooms["A"].teams
        per_second, at_once = PACE_OF_TEAM
        with pytest.raises(Refused, match="Too many commands"):
            enter(hall, codes["Owls"], int(at_once + 60 * per_second))  # within a minute
        assert hall.admit(Join(role="team", code=codes["Jays"], player="Ada")).team == "Jays"


def watch(hall: Hall, room: str, times: int) -> None:
    for _ in range(times):
        hall.admit(Watch(role="spectator", room=room))


def test_spectators_who_connect_again_and_again_are_refused_and_teams_and_other_rooms_are_not(tmp_path: Path) -> None:
    folder = event(tmp_path / "e", match("A"), match("B"))
    with folder.rooms() as rooms:
        hall = Hall(folder, rooms)
        per_second, at_once = PACE_OF_SPECTATORS
        with pytest.raises(Refused, match="spectators"):
            watch(hall, "A", int(at_once + 60 * per_second))
        enter(hall, folder.keys.rooms["A"].teams["Jays"], 1)
        watch(hall, "B", 1)
