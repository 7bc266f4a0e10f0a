"""The guests in the rooms of an event: sockets that have introduced themselves, and the state sent to each.

A state is sent in parts, and each guest gets only the parts that have changed since. On a bad connection, a guest who
is behind gets the newest state and no older one. Replies travel in the same message as the state that they led to.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Mapping
from hmac import compare_digest
from typing import Any, Literal

from beat_the_ai.errors import BeatTheAIError, Refused
from beat_the_ai.kinds.quizbowl.tournament.events import (
    MAX_ANSWER_CHARS,
    MAX_REASON_CHARS,
    Answered,
    Buzzed,
    Protested,
)
from beat_the_ai.kinds.quizbowl.tournament.folder import LETTERS, EventFolder, RoomKeys
from beat_the_ai.kinds.quizbowl.tournament.messages import (
    Buzz,
    Command,
    Happen,
    Hello,
    Join,
    Moderate,
    Ping,
    Protest,
    Say,
    TakeChair,
    Watch,
)
from beat_the_ai.kinds.quizbowl.tournament.pace import Pace
from beat_the_ai.kinds.quizbowl.tournament.room import Room
from beat_the_ai.kinds.quizbowl.tournament.saying import said
from beat_the_ai.kinds.quizbowl.tournament.views import People, PresentTeam, Reply, You, moderator_view, public_view
from beat_the_ai.messages import message_of, sent
from beat_the_ai.rules.text import check_key, clean_line

MAX_PLAYER_CHARS = 40
PACE_OF_SPECTATORS = (50.0, 1000.0)  # entries a second, and at once, of a room
PACE_OF_TEAM = (50.0, 400.0)  # commands and entries a second, and at once, of all its pages together
logger = logging.getLogger(__name__)


class Guest:
    """Somebody in a room. `news` is set when there is something to send."""

    def __init__(self, visited: VisitedRoom, hello: Hello, team: str | None = None, player: str | None = None) -> None:
        self.visited = visited
        self.hello = hello
        self.team = team
        self.player = player
        self.news = asyncio.Event()
        self._replies: list[dict[str, Any]] = []
        self._sent: dict[str, str] = {}

    @property
    def page(self) -> str | None:
        """Return the page of a moderator."""
        return self.hello.page if isinstance(self.hello, Moderate) else None

    def keep_pace(self) -> None:
        """Count a command of a team. Raise `Refused` where all its pages together send too many."""
        if self.team is not None:
            self.visited.paces[self.team].keep()

    def obey(self, command: Command) -> None:
        """Carry a command out, and reply."""
        error: str | None = None
        try:
            self._act(command)
        except BeatTheAIError as refusal:
            error = message_of(refusal)
        except OSError:
            logger.exception("What happened in room %s could not be saved.", self.visited.room.match.room)
            error = said("event_refusals.not_saved")
        self.reply(command.key, error)

    def reply(self, key: str, error: str | None) -> None:
        self._replies.append(Reply(key=key, error=error, said=() if error is None else tuple(sent(error))).sent())
        self.news.set()

    def message(self) -> str | None:
        """Return what this guest has not been sent, if anything: replies, and parts of the state, each as it is now."""
        self.news.clear()
        state = {**self.visited.parts(self), "you": self._introduction()}
        changed = {name: part for name, part in state.items() if self._sent.get(name) != part}
        self._sent.update(changed)
        replies, self._replies = self._replies, []
        if not (replies or changed):
            return None
        parts = ",".join(f"{json.dumps(name)}:{part}" for name, part in changed.items())
        return f'{{"replies":{json.dumps(replies)},"state":{{{parts}}}}}'

    def _introduction(self) -> str:
        room = self.visited.room
        chair: Literal["yours", "other", "nobody"] | None = None
        if self.page is not None:
            chair = "yours" if room.chair == self.page else "nobody" if room.chair is None else "other"
        you = You(role=self.hello.role, team=self.team, player=self.player, chair=chair)
        return json.dumps(you.sent())

    def _act(self, command: Command) -> None:
        room = self.visited.room
        match command:
            case Ping():
                return
            case Buzz() | Say() | Protest():
                assert self.team is not None, "others have no such command"
                room.play(self.team, command.key, self._event(command, self.team))
            case TakeChair():
                room.take_chair(self.page or "")
            case Happen():
                room.moderate(self.page or "", command.key, command.event)

    def _event(self, command: Buzz | Say | Protest, team: str) -> Buzzed | Answered | Protested:
        match command:
            case Buzz():
                return Buzzed(tossup=command.tossup, team=team, player=self.player or team)
            case Say():
                answer = clean_line("answer", command.answer, max_chars=MAX_ANSWER_CHARS)
                return Answered(tossup=command.tossup, team=team, answer=answer)
            case Protest():
                reason = clean_line("reason", command.reason, max_chars=MAX_REASON_CHARS, called="explanation")
                return Protested(tossup=command.tossup, team=team, against=command.against, reason=reason)


class VisitedRoom:
    """A room and its guests."""

    def __init__(self, room: Room, keys: RoomKeys) -> None:
        self.room = room
        self.keys = keys
        self.paces = {team: Pace(*PACE_OF_TEAM) for team in room.match.teams}
        self.pace_of_spectators = Pace(*PACE_OF_SPECTATORS)
        self._guests: set[Guest] = set()
        self._shown: dict[bool, dict[str, str]] = {}
        room.listen(self._tell)

    def enter(self, guest: Guest) -> None:
        self._guests.add(guest)
        guest.news.set()
        if isinstance(guest.hello, Moderate) and guest.hello.chair and self.room.chair is None:
            self.room.take_chair(guest.hello.page)
        self._tell_moderators()

    def leave(self, guest: Guest) -> None:
        self._guests.discard(guest)
        self._tell_moderators()

    def parts(self, guest: Guest) -> Mapping[str, str]:
        """Return what the guest may see, as JSON by part."""
        moderates = isinstance(guest.hello, Moderate)
        if moderates not in self._shown:
            view = {**public_view(self.room).sent(), **(self._moderators_view() if moderates else {})}
            self._shown[moderates] = {name: json.dumps(part, ensure_ascii=False) for name, part in view.items()}
        return self._shown[moderates]

    def _moderators_view(self) -> Mapping[str, Any]:
        players: dict[str, set[str]] = defaultdict(set)
        for guest in self._guests:
            if guest.team is not None and guest.player is not None:
                players[guest.team].add(guest.player)
        teams = tuple(
            PresentTeam(team=team, code=code, players=tuple(sorted(players[team])))
            for team, code in self.keys.teams.items()
        )
        spectators = sum(isinstance(guest.hello, Watch) for guest in self._guests)
        return moderator_view(self.room, People(teams=teams, spectators=spectators)).sent()

    def _tell_moderators(self) -> None:
        """Tell the moderators who is here."""
        self._shown.pop(True, None)
        for guest in self._guests:
            if guest.page is not None:
                guest.news.set()

    def _tell(self) -> None:
        self._shown.clear()
        for guest in self._guests:
            guest.news.set()


class Hall:
    """All rooms of an event that is being served."""

    def __init__(self, folder: EventFolder, rooms: Mapping[str, Room]) -> None:
        self.rooms = {name: VisitedRoom(room, folder.keys.rooms[name]) for name, room in rooms.items()}

    def admit(self, hello: Hello) -> Guest:
        """Raises `Refused` for whoever has no right to enter, and `InvalidInput` for a name that cannot be shown."""
        match hello:
            case Watch():
                visited = self._room(hello.room)
                visited.pace_of_spectators.keep()  # each entry is sent the whole state
                return Guest(visited, hello)
            case Moderate():
                visited = self._room(hello.room)
                check_key("page", hello.page)
                if not _same(visited.keys.moderator, hello.token):
                    raise Refused(said("event_refusals.link"))
                return Guest(visited, hello)
            case Join():
                visited, team = self._team(hello.code)
                player = clean_line("player", hello.player, max_chars=MAX_PLAYER_CHARS, called="name")
                guest = Guest(visited, hello, team, player)
                guest.keep_pace()  # each entry is sent the whole state
                return guest

    def _room(self, name: str) -> VisitedRoom:
        if name not in self.rooms:
            raise Refused(said("event_refusals.room"))
        return self.rooms[name]

    def _team(self, code: str) -> tuple[VisitedRoom, str]:
        typed = "".join(letter for letter in code.upper() if letter in LETTERS)
        teams = [
            (visited, team)
            for visited in self.rooms.values()
            for team, own in visited.keys.teams.items()
            if _same(own, typed)
        ]
        if not teams:
            raise Refused(said("event_refusals.code"))
        return teams[0]


def _same(secret: str, text: str) -> bool:
    return compare_digest(secret.encode(), text.encode("utf-8", "replace"))
