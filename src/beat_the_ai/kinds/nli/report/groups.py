"""The groups of the tables: each round, its genres, its exclusive writers, and all rounds together."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

ALL_ROUNDS = "all"
ALL_GENRES = "all genres"
EXCLUSIVE_WRITERS = "exclusive writers"  # whose work is in the test part alone ("Results")
LAST = (ALL_GENRES, EXCLUSIVE_WRITERS)
ThingT = TypeVar("ThingT")


class Group(NamedTuple):
    """`round` is a number as a text where it has one, `ALL_ROUNDS` or empty; `name` a genre or one of `LAST`."""

    round: str
    name: str

    @property
    def cells(self) -> tuple[str, str]:
        return self.round or "–", self.name.replace("_", " ") or "–"

    @property
    def label(self) -> str:
        number, name = self.cells
        return f"R{number}, {name}" if number.isdigit() else f"{number}, {name}"


class Marks(NamedTuple):
    """The marks by which a thing is grouped. A round may be "R1", "1" or any name."""

    round: str
    genre: str
    exclusive: bool


def grouped(marked: Iterable[tuple[Marks, ThingT]]) -> dict[Group, list[ThingT]]:
    """Return the things by group.

    A round with several genres also has a group of all genres, behind them. A group of exclusive writers follows.
    Several rounds have groups of all of them, at the end.
    """
    found: dict[Group, list[ThingT]] = defaultdict(list)
    for marks, thing in marked:
        together = (ALL_GENRES, *([EXCLUSIVE_WRITERS] if marks.exclusive else []))
        for name in (marks.genre, *together):
            found[Group(_numbered(marks.round), name)].append(thing)
        for name in together:
            found[Group(ALL_ROUNDS, name)].append(thing)
    genres = Counter(group.round for group in found if group.name not in LAST)
    genres[ALL_ROUNDS] = len(genres)
    shown = [
        group for group in found if genres[group.round] > 1 or (group.name != ALL_GENRES and group.round != ALL_ROUNDS)
    ]
    return {group: found[group] for group in sorted(shown, key=_place)}


def _numbered(name: str) -> str:
    number = re.fullmatch(r"[rR]?0*(\d+)", name)
    return name if number is None else number[1]


def _place(group: Group) -> tuple[bool, bool, int, str, int, str]:
    """Return the place of a group among others: rounds by number, then by name, then all of them."""
    number, name = group
    is_number = number.isdigit()
    last = LAST.index(name) if name in LAST else -1
    return number == ALL_ROUNDS, not is_number, int(number) if is_number else 0, number, last, name
