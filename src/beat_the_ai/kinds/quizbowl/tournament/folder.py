"""A people's event on disk: a match for each room, and who may do what in it. All of it is its owner's alone.

EVENT/keys.json            written last: an event that has it is whole
EVENT/matches/ROOM.jsonl   see `log`
"""

from __future__ import annotations

import fcntl
import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from beat_the_ai.errors import InvalidInput, Refused, first_fault
from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.files.permissions import private_files
from beat_the_ai.kinds.quizbowl.tournament.log import Match, MatchLog
from beat_the_ai.kinds.quizbowl.tournament.room import Room
from beat_the_ai.rules.protocol import Value

KEYS, MATCHES, LOCK = "keys.json", "matches", "lock"
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels, so no words; none is like a digit
CODE_LETTERS = 8  # 20^8 codes: nobody guesses one, at one guess a connection


class RoomKeys(Value):
    """The keys of a room: a long token for the moderator, and codes for teams that can be typed on a phone."""

    moderator: str
    teams: dict[str, str]


class Keys(Value):
    """The keys of all rooms."""

    rooms: dict[str, RoomKeys]


@dataclass(frozen=True)
class EventFolder:
    """An event that is whole."""

    path: Path
    keys: Keys

    @classmethod
    def create(cls, path: Path, matches: Sequence[Match]) -> EventFolder:
        """Raises `InvalidInput` for a folder that holds something already."""
        with private_files():
            cls.check_new(path)
            path.mkdir(parents=True, exist_ok=True)
            for match in matches:
                MatchLog.create(match_path(path, match.room), match).close()
            keys = Keys(rooms={match.room: _keys_of(match) for match in matches})
            with replacing(path / KEYS) as file:
                file.write(json.dumps(keys.model_dump(), indent=1).encode())
        return cls(path, keys)

    @staticmethod
    def check_new(path: Path) -> None:
        """Raises `InvalidInput` for a folder that holds something already."""
        if path.is_dir() and any(path.iterdir()):
            raise InvalidInput("EVENT", f"{path} is not empty. Each event needs a folder of its own.")

    @classmethod
    def open(cls, path: Path) -> EventFolder:
        """Raises `InvalidInput` where there is none."""
        try:
            return cls(path, Keys.model_validate_json((path / KEYS).read_bytes()))
        except FileNotFoundError:
            raise InvalidInput("EVENT", f"{path} holds no event. `new` makes one.") from None
        except ValidationError as error:
            fault = first_fault(error, "the file")
            raise InvalidInput("EVENT", f"{path / KEYS}: {fault.place}: {fault.reason}.") from None

    def matches(self) -> Iterator[tuple[str, Path]]:
        """Each room's name, and its match's file."""
        return ((room, match_path(self.path, room)) for room in self.keys.rooms)

    @contextmanager
    def rooms(self) -> Iterator[dict[str, Room]]:
        """To be played, by one process at a time. Raises `Refused` while another one has them."""
        with ExitStack() as files, private_files():
            lock = files.enter_context((self.path / LOCK).open("ab"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Refused(f"{self.path} is being served already. End that server first.") from None
            rooms = {}
            for room, path in self.matches():
                log = MatchLog(path)
                files.callback(log.close)
                rooms[room] = Room(log)
            yield rooms


def match_path(event: Path, room: str) -> Path:
    return event / MATCHES / f"{room}.jsonl"


def _keys_of(match: Match) -> RoomKeys:
    codes = {team: "".join(secrets.choice(LETTERS) for _ in range(CODE_LETTERS)) for team in match.teams}
    return RoomKeys(moderator=secrets.token_urlsafe(24), teams=codes)
