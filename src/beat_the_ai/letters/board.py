"""The leader board as one worker sees it: names that workers chose, verified wins, streaks, and the worker's own."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from threading import Lock

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.letters.saying import said
from beat_the_ai.rules.text import clean_line, folded
from beat_the_ai.rules.wins import WinRecord, ranks, win_record
from beat_the_ai.store import BoardName
from beat_the_ai.store.board import NOT_LISTED
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import AdjudicatedWorks

MIN_CHARS, MAX_CHARS = 2, 24
MOST_ROWS = 50
KEPT_SECONDS = 60
NO_BOARD = "This project has no board."
MOST_MARKS = 2  # on one letter
TOGETHER = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"}  # alphabets that people write together with any other


def clean_name(text: str) -> str:
    """Return a name for the board as it is kept. Raises `InvalidInput` with words for its owner."""
    name = clean_line("name", text, max_chars=MAX_CHARS)
    if len(folded(name)) < MIN_CHARS:
        raise InvalidInput("name", said("letters_refusals.board.short", least=MIN_CHARS))
    if len(_alphabets(name) - TOGETHER) > 1:
        raise InvalidInput("name", said("letters_refusals.board.mixed"))
    if _most_marks(name) > MOST_MARKS:
        raise InvalidInput("name", said("letters_refusals.board.piled"))
    return name


def _alphabets(name: str) -> set[str]:
    """Return the alphabets of a name by the first words of its letters' names: LATIN, CYRILLIC."""
    letters = [char for char in unicodedata.normalize("NFKC", name) if unicodedata.category(char) in ("Lu", "Ll", "Lo")]
    return {unicodedata.name(letter, "").partition(" ")[0] for letter in letters}


def _most_marks(name: str) -> int:
    """Return the number of marks on the letter that has most."""
    marks = groupby(unicodedata.category(char)[0] == "M" for char in name)
    return max((len(list(run)) for is_mark, run in marks if is_mark), default=0)


@dataclass(frozen=True)
class BoardRow:
    """A row of the board."""

    rank: int
    name: str
    record: WinRecord
    is_own: bool


@dataclass(frozen=True)
class BoardPage:
    """The board with at most `MOST_ROWS` rows, the worker's own among them, and the worker's own record and name.

    `may_join` is false for those who may not work, and for those whose name was taken off.
    """

    record: WinRecord
    name: str | None
    rows: tuple[BoardRow, ...]
    may_join: bool
    is_taken_off: bool


@dataclass
class Records:
    """The records of the workers on the board of one campaign, kept for `KEPT_SECONDS`: everybody's page asks."""

    clock: Callable[[], float] = time.monotonic
    _kept: dict[str, WinRecord] = field(default_factory=dict)
    _until: float = float("-inf")
    _lock: Lock = field(default_factory=Lock)

    def of(self, campaign: BoundCampaign, workers: Collection[str]) -> Mapping[str, WinRecord]:
        """Return the records of these workers, and perhaps of more; one thread at a time reads what is missing."""
        with self._lock:
            if self.clock() >= self._until:
                self._kept, self._until = {}, self.clock() + KEPT_SECONDS
            if missing := [worker for worker in workers if worker not in self._kept]:
                self._kept = {**self._kept, **current_records(campaign, missing)}
            return self._kept


def current_records(campaign: BoundCampaign, workers: Collection[str]) -> dict[str, WinRecord]:
    """Return the records of these workers by the votes of this moment."""
    results = AdjudicatedWorks(campaign).results(workers)
    return {worker: win_record(results.get(worker, ())) for worker in workers}


class Board:
    """The board of one campaign. `withdrawn` returns the workers who take part no more: their names are deleted."""

    def __init__(
        self,
        campaign: BoundCampaign,
        records: Records | None = None,
        withdrawn: Callable[[], Collection[str]] = tuple,
    ) -> None:
        self._campaign = campaign
        self._names = campaign.store.board
        self._records = records or Records()
        self._withdrawn = withdrawn

    def page(self, worker: str) -> BoardPage:
        """Return the board as a worker sees it. Their own record is of this moment."""
        gone = self._forget_withdrawn()
        known = self._names.of_worker(self._campaign.id, worker)
        own = current_records(self._campaign, [worker])[worker]
        is_taken_off = known is not None and known.name is None
        may_work = worker not in gone and not self._is_shut_out(worker)
        return BoardPage(
            record=own,
            name=None if known is None else known.name,
            rows=self._rows(worker, own) if may_work else (),
            may_join=may_work and not is_taken_off,
            is_taken_off=is_taken_off,
        )

    def choose(self, worker: str, text: str, at: datetime) -> None:
        """Put a worker on the board by a name, or change it.

        Raises `InvalidInput` for a name that is not allowed, and `Refused` for one that is taken, or a worker who may
        not work.
        """
        if not self._campaign.review_terms.shows_board:
            raise InvalidInput("kind", NO_BOARD)
        name = clean_name(text)
        if worker in self._withdrawn() or self._is_shut_out(worker):
            raise Refused(said("letters_refusals.board.not_you"))
        self._names.choose(self._campaign.id, worker, name, at)

    def leave(self, worker: str) -> None:
        """Take a worker off the board at once; nothing happens to one who is not on it."""
        self._names.leave(self._campaign.id, [worker])

    def names(self) -> list[tuple[BoardName, WinRecord]]:
        """Return everybody's name or removal with their records, for the requester. Who has withdrawn is not there."""
        self._forget_withdrawn()
        names = self._names.of_campaign(self._campaign.id)
        records = current_records(self._campaign, [one.worker for one in names])
        return [(one, records[one.worker]) for one in names]

    def _rows(self, worker: str, own: WinRecord) -> tuple[BoardRow, ...]:
        names = self._names.listed(self._campaign.id)
        kept = self._records.of(self._campaign, names)
        records = {name: own if name == worker else kept[name] for name in names}
        rows = [BoardRow(rank, names[each], records[each], each == worker) for each, rank in ranks(records).items()]
        if any(row.is_own for row in rows[MOST_ROWS:]):
            return (*rows[: MOST_ROWS - 1], next(row for row in rows if row.is_own))
        return tuple(rows[:MOST_ROWS])

    def _forget_withdrawn(self) -> Collection[str]:
        """Delete the names of those who have withdrawn, and return who has."""
        gone = self._withdrawn()
        if gone and any(one.worker in gone for one in self._names.of_campaign(self._campaign.id) if one.name):
            self._names.leave(self._campaign.id, gone)
        return gone

    def _is_shut_out(self, worker: str) -> bool:
        last = self._campaign.store.standings.last(self._campaign.id, worker)
        return last is not None and last.standing in NOT_LISTED
