"""A sample event for a preview of its pages: rooms in several moments of a match, which can be played on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.applications import Starlette

from beat_the_ai.kinds.quizbowl.answers import Answer
from beat_the_ai.kinds.quizbowl.tournament.app import build_app
from beat_the_ai.kinds.quizbowl.tournament.buzzing import BuzzRule, Plan
from beat_the_ai.kinds.quizbowl.tournament.events import (
    Answered,
    Begun,
    Buzzed,
    Closed,
    Event,
    Protested,
    Read,
    Ruled,
)
from beat_the_ai.kinds.quizbowl.tournament.folder import EventFolder
from beat_the_ai.kinds.quizbowl.tournament.hall import Hall
from beat_the_ai.kinds.quizbowl.tournament.log import Match, ModelTeam, Tossup
from beat_the_ai.kinds.quizbowl.tournament.room import Room
from beat_the_ai.kinds.quizbowl.tournament.saying import event_words
from beat_the_ai.kinds.quizbowl.tournament.server import PAGE
from beat_the_ai.rules.page_samples import SampleEvent

OWLS, JAYS = "Owls", "Jays"
TEXT = "This continent, where a lamp was first lit in 1899, has no capital. For ten points, name the coldest continent."
READ = 5


@contextmanager
def sample_event() -> Iterator[SampleEvent]:
    """Yield an event in a folder that is gone afterwards."""
    with TemporaryDirectory() as folder:
        event = EventFolder.create(Path(folder) / "event", [_match(room) for room in ("Begin", "Floor", "Over")])
        with event.rooms() as rooms:
            for room, played in (("Floor", _floor()), ("Over", [*_floor(), *_rest()])):
                _play(rooms[room], played)
            keys = event.keys.rooms
            links = {
                "the lobby": "#/",
                "a player": f"#/join/{keys['Floor'].teams[JAYS]}",
                "a player, the match is not over": f"#/join/{keys['Over'].teams[OWLS]}",
                "a wrong code": "#/join/BBBBBBBB",
                "a spectator, nothing has begun": "#/rooms/Begin",
                "a spectator": "#/rooms/Over",
                "the moderator, nothing has begun": f"#/rooms/Begin/moderate/{keys['Begin'].moderator}",
                "the moderator, a ruling is due": f"#/rooms/Floor/moderate/{keys['Floor'].moderator}",
                "the moderator, a protest": f"#/rooms/Over/moderate/{keys['Over'].moderator}",
            }
            yield SampleEvent(partial(_app, Hall(event, rooms)), links)


def _app(hall: Hall, languages: Sequence[str], own: Path | None) -> Starlette:
    return build_app(hall, PAGE, event_words(languages, own))


def _match(room: str) -> Match:
    answer = Answer(page="Antarctica", name="Antarctica", aliases=["South Pole"])
    tossups = [
        Tossup(id=f"t{number}", text=TEXT, answer=answer, category="Geography", adversarial=number == 1)
        for number in (1, 2)
    ]
    rule = BuzzRule(threshold=0.5, earliest=10)
    buzzes = {"t1": Plan(READ, "Antigua"), "t2": Plan(READ, "Antarctica")}
    model = ModelTeam(name="Model", model="sample", hash="0" * 64, rule=rule, buzzes=buzzes)
    return Match(room=room, teams=[OWLS, JAYS], models=[model], tossups=tossups)


def _floor() -> list[tuple[str, Event]]:
    read: list[tuple[str, Event]] = [("", Read(tossup=1, words=word)) for word in range(1, READ)]
    buzz = Buzzed(tossup=1, team=OWLS, player="Ada")
    return [("", Begun(tossup=1)), *read, (OWLS, buzz), (OWLS, Answered(tossup=1, team=OWLS, answer="South Pole"))]


def _rest() -> list[tuple[str, Event]]:
    protest = Protested(tossup=1, team=OWLS, against=OWLS, reason="It is called so.")
    return [("", Ruled(tossup=1, team=OWLS, correct=False)), ("", Closed(tossup=1)), (OWLS, protest)]


def _play(room: Room, played: Sequence[tuple[str, Event]]) -> None:
    """Play events: of a team where one is named, else of the moderator."""
    room.take_chair("preview")
    for number, (team, event) in enumerate(played):
        if team:
            room.play(team, str(number), event)
        else:
            room.moderate("preview", str(number), event)
    room.chair = None
