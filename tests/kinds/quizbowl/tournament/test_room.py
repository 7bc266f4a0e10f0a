"""A match that is played: durable before it is seen, by one moderator, with models, whatever dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.kinds.quizbowl.tournament.events import Answered, Begun, Buzzed, Closed, Ended, Event, Read, Ruled
from beat_the_ai.kinds.quizbowl.tournament.log import Match, MatchLog, Tossup
from beat_the_ai.kinds.quizbowl.tournament.room import MAX_REFUSALS, MAX_STATEMENTS, Room
from tests.kinds.quizbowl.questions import ANSWERS, KILN, LOOM
from tests.kinds.quizbowl.tournament.matches import model

BOT = model("bot", loom=(6, "Loom"), kiln=(3, "Loom"))
LATE = model("late bot", loom=(9, "Loom"), kiln=(len(KILN.split()), "Kiln"))
TOSSUPS = [
    Tossup(id="loom", text=LOOM, answer=ANSWERS[0], adversarial=True),
    Tossup(id="kiln", text=KILN, answer=ANSWERS[1], adversarial=False),
]


def match(**changes: Any) -> Match:
    return Match(**{"room": "A", "teams": ["owls", "jays"], "models": [BOT, LATE], "tossups": TOSSUPS, **changes})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches" / "A.jsonl"


@pytest.fixture
def play(path: Path) -> Iterator[Callable[..., Room]]:
    """Opens the match's room, and creates the match if there is none, with `changes`; closes all at the end."""
    with ExitStack() as logs:

        def opened(**changes: Any) -> Room:
            log = MatchLog(path) if path.exists() else MatchLog.create(path, match(**changes))
            logs.callback(log.close)
            room = Room(log)
            room.take_chair("page 1")
            return room

        yield opened


@pytest.fixture
def room(play: Callable[..., Room]) -> Room:
    return play()


def moderate(room: Room, *events: Event, page: str = "page 1") -> None:
    for event in events:
        room.moderate(page, f"{page}-{event.model_dump_json()}"[:64], event)


def read(room: Room, words: int, tossup: int = 1, since: int = 0) -> None:
    for word in range(since + 1, words + 1):
        room.moderate("page 1", f"{tossup}-{word}", Read(tossup=tossup, words=word))


def buzz(team: str, tossup: int = 1) -> Buzzed:
    return Buzzed(tossup=tossup, team=team, player="Ada")


def test_each_team_has_refused_buzzes_and_statements_of_its_own_also_after_a_restart(
    play: Callable[..., Room], path: Path
) -> None:
    room = play()
    moderate(room, Begun(tossup=1))
    read(room, 1)
    room.play("owls", "first", buzz("owls"))
    for number in range(MAX_REFUSALS + 5):
        with pytest.raises(Refused):
            room.play("owls", f"o{number}", buzz("owls"))
    for number in range(MAX_STATEMENTS):
        room.play("owls", f"a{number}", Answered(tossup=1, team="owls", answer=f"Loom {number}"))
    for number in range(MAX_REFUSALS // 2):
        with pytest.raises(Refused):
            room.play("jays", f"j{number}", buzz("jays"))
    lines = len(path.read_bytes().splitlines())
    assert lines == 1 + 3 + MAX_REFUSALS + MAX_STATEMENTS + MAX_REFUSALS // 2
    room = play()
    with pytest.raises(Refused, match="was faster"):
        room.play("owls", "one more", buzz("owls"))
    with pytest.raises(Refused, match="answered and protested"):
        room.play("owls", "another", Answered(tossup=1, team="owls", answer="Kiln"))
    assert len(path.read_bytes().splitlines()) == lines


def test_people_come_before_models_and_models_by_how_early_they_are_sure(room: Room) -> None:
    moderate(room, Begun(tossup=1))
    read(room, 6)
    room.play("owls", "b1", buzz("owls"))
    moderate(room, Ruled(tossup=1, team="owls", correct=False))
    read(room, 7, since=6)  # the bot answers instead
    assert room.state.current is not None
    assert (room.state.current.words_read, room.state.current.over) == (6, True)
    assert room.state.scores() == {"owls": -5, "jays": 0, "bot": 15, "late bot": 0}


def test_a_model_that_is_wrong_leaves_the_tossup_to_others(room: Room) -> None:
    moderate(room, Begun(tossup=1), Closed(tossup=1), Begun(tossup=2))
    read(room, 4, tossup=2)
    assert room.state.scores()["bot"] == -5
    length = len(KILN.split())
    for word in range(4, length + 1):
        room.moderate("page 1", f"again-{word}", Read(tossup=2, words=word))
    moderate(room, Closed(tossup=2))  # the last chance of the other model
    assert room.state.scores() == {"owls": 0, "jays": 0, "bot": -5, "late bot": 10}


def test_a_word_that_is_sent_again_gives_no_model_its_turn(room: Room) -> None:
    moderate(room, Begun(tossup=1))
    read(room, 6)
    before = room.state
    read(room, 6, since=5)
    assert room.state == before
    read(room, 7, since=6)
    assert room.state.current is not None
    assert room.state.current.over


def test_the_same_key_again_changes_nothing(room: Room, path: Path) -> None:
    moderate(room, Begun(tossup=1))
    read(room, 2)
    first = room.play("owls", "b1", buzz("owls"))
    assert room.play("owls", "b1", buzz("owls")) == first
    assert room.play("owls", "b1", buzz("owls", tossup=2)) == first
    assert len(path.read_text("utf-8").splitlines()) == 1 + 4


def test_of_a_thousand_buzzes_in_one_moment_one_has_the_floor_and_all_are_in_the_log(
    path: Path, play: Callable[..., Room]
) -> None:
    teams = [f"team {number}" for number in range(1000)]
    room = play(teams=teams, models=[])
    moderate(room, Begun(tossup=1))
    read(room, 1)
    for team in reversed(teams):
        if team == teams[-1]:
            room.play(team, "b", buzz(team))
        else:
            with pytest.raises(Refused, match="Ada of team 999 was faster"):
                room.play(team, "b", buzz(team))
    with closing(MatchLog(path)) as log:
        entries = log.entries
    assert sum(isinstance(entry.event, Buzzed) for entry in entries) == 1000
    assert [entry.by for entry in entries if entry.refusal is None] == ["moderator", "moderator", "team 999"]
    assert [entry.number for entry in entries] == list(range(1, 1003))


def test_two_moderators_are_one_at_a_time(room: Room) -> None:
    moderate(room, Begun(tossup=1))
    room.take_chair("page 2")
    with pytest.raises(Refused, match="Somebody else moderates"):
        moderate(room, Read(tossup=1, words=1))
    moderate(room, Read(tossup=1, words=1), page="page 2")


@pytest.mark.parametrize(
    ("team", "event"),
    [
        ("owls", buzz("jays")),
        ("bot", buzz("bot")),
        ("owls", Ruled(tossup=1, team="owls", correct=True)),
        ("owls", Ended()),
    ],
    ids=str,
)
def test_a_team_speaks_for_itself_alone(room: Room, team: str, event: Event) -> None:
    moderate(room, Begun(tossup=1))
    read(room, 1)
    with pytest.raises(Refused):
        room.play(team, "k", event)


def test_a_moderator_does_not_buzz(room: Room) -> None:
    with pytest.raises(Refused, match="Only teams"):
        moderate(room, buzz("owls"))


def test_whoever_watches_is_told_of_every_change(room: Room) -> None:
    seen: list[int] = []
    stop = room.listen(lambda: seen.append(len(room.state.tossups)))
    moderate(room, Begun(tossup=1))
    stop()
    read(room, 1)
    assert seen == [1]


def test_a_match_is_taken_up_where_its_log_ends(room: Room, play: Callable[..., Room]) -> None:
    moderate(room, Begun(tossup=1))
    read(room, 3)
    entry = room.play("owls", "b1", buzz("owls"))
    again = play()
    assert again.state == room.state
    assert again.play("owls", "b1", buzz("owls")) == entry


@pytest.mark.parametrize("torn", [b'{"number": 4', b"\xff\xfe", b"{"])
def test_a_line_that_was_cut_short_is_dropped(room: Room, path: Path, play: Callable[..., Room], torn: bytes) -> None:
    moderate(room, Begun(tossup=1))
    read(room, 2)
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    again = play()
    assert again.state == room.state
    read(again, 3, since=2)
    assert path.read_bytes().startswith(whole)
    assert play().state == again.state


DIES = """
import os, signal, sys
from pathlib import Path
from beat_the_ai.kinds.quizbowl.tournament.events import Begun, Read
from beat_the_ai.kinds.quizbowl.tournament.log import MatchLog
from beat_the_ai.kinds.quizbowl.tournament.room import MAX_REFUSALS, MAX_STATEMENTS, Room
room = Room(MatchLog(Path(sys.argv[1])))
room.take_chair("m")
room.moderate("m", "begin", Begun(tossup=1))
for word in range(1, int(sys.argv[2]) + 1):
    room.moderate("m", str(word), Read(tossup=1, words=word))
    print(word, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_was_acknowledged_before_a_kill_is_there_after_it(path: Path, play: Callable[..., Room]) -> None:
    MatchLog.create(path, match()).close()
    died = subprocess.run([sys.executable, "-c", DIES, str(path), "5"], capture_output=True, text=True, check=False)
    assert died.returncode == -signal.SIGKILL, died.stderr
    assert died.stdout.split() == ["1", "2", "3", "4", "5"]
    state = play().state
    assert state.current is not None
    assert state.current.words_read == 5


def test_what_could_not_be_written_did_not_happen(
    room: Room, path: Path, play: Callable[..., Room], monkeypatch: pytest.MonkeyPatch
) -> None:
    moderate(room, Begun(tossup=1))
    before, state = path.read_bytes(), room.state
    write = os.write

    def half(descriptor: int, content: bytes) -> int:
        if len(content) < 10:
            raise OSError(28, "No space left on device")
        return write(descriptor, content[: len(content) // 2])

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(OSError, match="No space"):
        read(room, 1)
    monkeypatch.undo()
    assert (path.read_bytes(), room.state) == (before, state)
    read(room, 1)
    assert play().state == room.state


def test_a_match_has_one_file(path: Path) -> None:
    MatchLog.create(path, match()).close()
    with pytest.raises(InvalidInput, match="exists"):
        MatchLog.create(path, match())


@pytest.mark.parametrize("content", ["", "{}\n", "no match\n", '{"room": "A"}\n'])
def test_a_file_that_is_no_match_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "x.jsonl").write_text(content)
    with pytest.raises(InvalidInput, match=r"x\.jsonl"):
        MatchLog(tmp_path / "x.jsonl")


@pytest.mark.parametrize(
    "changes",
    [
        {"teams": [], "models": []},
        {"teams": ["owls", "owls"]},
        {"teams": ["bot"]},
        {"tossups": []},
        {"tossups": [TOSSUPS[0], TOSSUPS[0]]},
        {"power_share": 2.0},
        {"teams": ["x" * 81]},
    ],
    ids=str,
)
def test_a_match_that_nobody_can_play_is_refused(changes: dict[str, Sequence[object]]) -> None:
    with pytest.raises(ValidationError):
        match(**changes)
