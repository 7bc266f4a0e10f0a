"""A match on disk: one file, its teams and tossups in the first line, and every event in one of its own.

An entry is on disk before anybody hears of it. A line that a crash cut short was never acknowledged, and is dropped.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field, ValidationError, model_validator

from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.kinds.quizbowl.answers import Answer
from beat_the_ai.kinds.quizbowl.tournament.buzzing import BuzzRule, Plan
from beat_the_ai.kinds.quizbowl.tournament.events import MODERATOR, Event, Name
from beat_the_ai.kinds.quizbowl.tournament.match import Scoring
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.messages import Said, Sentence
from beat_the_ai.rules.protocol import Value

ROOM_NAME = r"^[A-Za-z0-9_-]{1,40}$"  # of a file, too
RecordT = TypeVar("RecordT", bound=BaseModel)


class Tossup(Value):
    """A question that is read. `adversarial`: it was written against a model; others are the comparison (§4.1).

    `answer_line` is what its collection says of the answer: what else to accept, and what to ask more about.
    """

    id: str
    text: str = Field(pattern=r"\S")
    answer: Answer
    answer_line: str = ""
    category: str = ""
    adversarial: bool

    @property
    def length(self) -> int:
        """In words."""
        return len(words(self.text))


class ModelTeam(Value):
    """A model that plays: what it is, when it buzzes, and what follows from that for each tossup, by its id."""

    name: Name
    model: str = Field(description="as a campaign names it: backend:source")
    hash: str = Field(description="SHA-256 (hex) of its files")
    rule: BuzzRule
    buzzes: dict[str, Plan] = Field(strict=False)

    @classmethod
    def unasked(cls, name: str, model: str) -> ModelTeam:
        """Return a model that has answered nothing yet."""
        return cls(name=name, model=model, hash="", rule=BuzzRule(threshold=1, earliest=1), buzzes={})


class Match(Value):
    """A match and its players. Teams are people; models are teams of their own. `levels` says how good teams are."""

    room: str = Field(pattern=ROOM_NAME)
    teams: list[Name]
    models: list[ModelTeam]
    tossups: list[Tossup] = Field(min_length=1)
    power: int = 15
    correct: int = 10
    interrupt: int = -5
    power_share: float = Field(default=0.5, ge=0, le=1)
    levels: dict[str, Name] = Field(default_factory=dict, description="of teams by name, as in expert")

    @model_validator(mode="after")
    def _check_names(self) -> Match:
        names = self.sides
        if not names or len(set(names)) < len(names) or MODERATOR in names:
            raise ValueError(f"a match needs a team, and each team and model a name of its own that is not {MODERATOR}")
        if unknown := [team for team in self.levels if team not in self.teams]:
            raise ValueError(f"{unknown[0]} has a level and is no team")
        if len({tossup.id for tossup in self.tossups}) < len(self.tossups):
            raise ValueError("each tossup needs an id of its own")
        return self

    @property
    def sides(self) -> list[str]:
        """Teams and models by name."""
        return [*self.teams, *(model.name for model in self.models)]

    @property
    def scoring(self) -> Scoring:
        return Scoring(self.power, self.correct, self.interrupt, self.power_share)


class Entry(Value):
    """An event as it was kept: the `number`-th of the log, `at` a time, under the `key` that whoever sent it gave it.

    `refusal` is why an event changed nothing, in English, and `said` are its messages: a buzz that came too late is in
    the log, too.
    """

    number: int = Field(ge=1)
    at: datetime = Field(strict=False)
    key: str
    by: str
    event: Event
    refusal: str | None = None
    said: tuple[Sentence, ...] = Field(default=(), strict=False)

    @property
    def reason(self) -> str:
        """Return the refusal with the messages that it was made of."""
        return Said(self.refusal or "", self.said) if self.said else self.refusal or ""


class MatchLog:
    """The file of a match, for one writer at a time."""

    def __init__(self, path: Path) -> None:
        """Open a match that was created. Raises `InvalidInput` for a file that is none."""
        lines = _whole_lines(path)
        self.match, self.entries = _parsed(lines, path)
        self._file = path.open("r+b")
        self._file.truncate(sum(map(len, lines)))
        self._file.seek(0, os.SEEK_END)

    @classmethod
    def create(cls, path: Path, match: Match) -> MatchLog:
        """Raises `InvalidInput` where a match is kept already."""
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("xb") as file:
                _write(file.fileno(), match)
        except FileExistsError:
            raise InvalidInput("match", f"{path} exists. Each match has a file of its own.") from None
        return cls(path)

    def add(self, entries: Sequence[Entry]) -> None:
        """On disk when it returns; all of them or, after a crash, those that were whole."""
        _write(self._file.fileno(), *entries)
        self.entries += entries

    def close(self) -> None:
        self._file.close()


def read_match(path: Path) -> tuple[Match, list[Entry]]:
    """Read a match from disk, also while it is being played. Raises `InvalidInput` for a file that is no match."""
    return _parsed(_whole_lines(path), path)


def _parsed(lines: Sequence[bytes], path: Path) -> tuple[Match, list[Entry]]:
    if not lines:
        raise InvalidInput("match", f"{path} is empty; a match's first line says who plays what.")
    entries = [_read(Entry, line, path, number) for number, line in enumerate(lines[1:], start=2)]
    return _read(Match, lines[0], path, 1), entries


def _write(descriptor: int, *records: BaseModel) -> None:
    content = b"".join(record.model_dump_json().encode() + b"\n" for record in records)
    start = os.lseek(descriptor, 0, os.SEEK_CUR)
    try:
        while content:
            content = content[os.write(descriptor, content) :]
        os.fsync(descriptor)
    except OSError:  # a full disk: what is there of it must not stand before the next entry
        os.ftruncate(descriptor, start)
        os.lseek(descriptor, start, os.SEEK_SET)
        raise


def _whole_lines(path: Path) -> list[bytes]:
    try:
        with path.open("rb") as file:
            return [line for line in file if line.endswith(b"\n")]
    except OSError as error:
        raise InvalidInput("match", f"{path} cannot be read: {error}") from error


def _read(record_type: type[RecordT], line: bytes, path: Path, number: int) -> RecordT:
    try:
        return record_type.model_validate_json(line)
    except ValidationError as error:
        fault = first_fault(error, "the line")
        raise InvalidInput("match", f"{path}, line {number}: {fault.place}: {fault.reason}.") from None
