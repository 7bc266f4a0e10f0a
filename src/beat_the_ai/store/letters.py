"""Letters of workers to the requester: messages, and appeals of a rejected HIT or of a refusal; and their answers.

A letter never changes, and is answered once. At most one appeal is about the same thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.messages import said
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.tables import assignments, letter_answers, letter_pages, letters, standing_events

MESSAGE, REJECTION, STANDING = "message", "rejection", "standing"
MOST_OPEN = 5
MOST_A_DAY = 20
ANSWERED = "Somebody has answered this meanwhile. Reload the page."


@dataclass(frozen=True)
class LetterAnswer:
    """The answer to a letter. `upheld` is the decision on an appeal; None for a message.

    `done_at` is when the decision had taken effect, and the worker had been told as far as the crowd takes messages
    (`told`).
    """

    by: str
    text: str
    upheld: bool | None
    at: datetime
    done_at: datetime | None = None
    told: bool = False


@dataclass(frozen=True)
class Letter:
    """A letter of a worker.

    `kind` is message, rejection (`subject` is the assignment) or standing (`subject` is the id of the event that shut
    the worker out). It is to be answered until `due_at`.
    """

    id: str
    campaign_id: str
    worker: str
    kind: str
    subject: str
    text: str
    at: datetime
    due_at: datetime
    answer: LetterAnswer | None = None

    @property
    def is_appeal(self) -> bool:
        return self.kind != MESSAGE

    @property
    def is_open(self) -> bool:
        """Return whether anything is left to do: an answer, or what follows from it."""
        return self.answer is None or self.answer.done_at is None


class Letters:
    """Queries on letters and their answers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self, letter: Letter) -> Letter:
        """Keep a letter and return it; the same id again returns what is kept. Raises `Refused` for too many."""

        def write(connection: sa.Connection) -> Letter:
            lock_campaign(connection, letter.campaign_id)
            mine = _read(connection, _of(letter.campaign_id, letter.worker))
            for known in mine:
                if known.id == letter.id:
                    return known
            _check_number(mine, letter)
            connection.execute(sa.insert(letters).values(**_row(letter)))
            return letter

        return self._database.write(write)

    def is_known(self, campaign_id: str, worker: str) -> bool:
        """Return whether the worker has done anything here, or has a standing: nobody else writes."""
        tables = (assignments, standing_events)
        here = [sa.exists().where(each.c.worker == worker, _is_of(each, campaign_id)) for each in tables]
        with self._database.reading() as connection:
            return bool(connection.scalar(sa.select(sa.or_(*here))))

    def get(self, campaign_id: str, letter_id: str) -> Letter:
        """Return a letter. Raises `UnknownName`."""
        with self._database.reading() as connection:
            found = _read(connection, sa.and_(letters.c.campaign_id == campaign_id, letters.c.id == letter_id))
        if not found:
            raise UnknownName("letter", letter_id, [])
        return found[0]

    def of_worker(self, campaign_id: str, worker: str) -> list[Letter]:
        """Return a worker's letters, the oldest first."""
        with self._database.reading() as connection:
            return _read(connection, _of(campaign_id, worker))

    def of_campaign(self, campaign_id: str) -> list[Letter]:
        """Return everybody's letters, those with the earliest deadline first."""
        with self._database.reading() as connection:
            return sorted(_read(connection, letters.c.campaign_id == campaign_id), key=lambda one: one.due_at)

    def waiting(self, campaign_id: str) -> list[Letter]:
        """Return the open letters, those with the earliest deadline first."""
        is_open = sa.and_(letters.c.campaign_id == campaign_id, letter_answers.c.done_at.is_(None))
        with self._database.reading() as connection:
            return sorted(_read(connection, is_open), key=lambda one: one.due_at)

    def is_upheld(self, campaign_id: str, kind: str, subject: str) -> bool:
        """Return whether an appeal about this was upheld."""
        query = sa.select(letters.c.id).join(letter_answers).where(letter_answers.c.upheld)
        with self._database.reading() as connection:
            found = connection.scalar(query.filter_by(campaign_id=campaign_id, kind=kind, subject=subject))
        return found is not None

    def answer(self, letter: Letter, answer: LetterAnswer) -> Letter:
        """Keep the answer. Raises `Refused` where there is one."""

        def keep(connection: sa.Connection) -> None:
            lock_campaign(connection, letter.campaign_id)
            if connection.scalar(sa.select(letter_answers.c.letter_id).filter_by(letter_id=letter.id)) is not None:
                raise Refused(ANSWERED)
            connection.execute(sa.insert(letter_answers).values(letter_id=letter.id, **vars(answer)))

        self._database.write(keep)
        return self.get(letter.campaign_id, letter.id)

    def finish(self, letter: Letter, at: datetime, *, told: bool) -> Letter:
        """Note that everything has followed from the answer."""
        done = sa.update(letter_answers).filter_by(letter_id=letter.id).values(done_at=at, told=told)
        self._database.write(lambda connection: connection.execute(done).rowcount)
        return self.get(letter.campaign_id, letter.id)

    def keep_address(self, campaign_id: str, address: str) -> None:
        """Keep where workers reach the campaign's pages, for links in messages."""

        def keep(connection: sa.Connection) -> None:
            lock_campaign(connection, campaign_id)
            connection.execute(sa.delete(letter_pages).filter_by(campaign_id=campaign_id))
            connection.execute(sa.insert(letter_pages).values(campaign_id=campaign_id, address=address))

        self._database.write(keep)

    def address(self, campaign_id: str) -> str | None:
        """Return where workers reach the campaign's pages, if they were ever served."""
        query = sa.select(letter_pages.c.address).filter_by(campaign_id=campaign_id)
        with self._database.reading() as connection:
            return connection.scalar(query)


def _check_number(mine: Iterable[Letter], letter: Letter) -> None:
    """Raise `Refused` for a second appeal about the same, and for more letters than anybody needs."""
    if letter.is_appeal:
        if any((one.kind, one.subject) == (letter.kind, letter.subject) for one in mine):
            raise Refused(said("elsewhere.letters.appealed"))
        return
    messages = [one for one in mine if not one.is_appeal]
    if sum(one.answer is None for one in messages) >= MOST_OPEN:
        raise Refused(said("elsewhere.letters.open", count=MOST_OPEN))
    if sum(one.at > letter.at - timedelta(days=1) for one in messages) >= MOST_A_DAY:
        raise Refused(said("elsewhere.letters.a_day", count=MOST_A_DAY))


def _of(campaign_id: str, worker: str) -> sa.ColumnElement[bool]:
    return sa.and_(letters.c.campaign_id == campaign_id, letters.c.worker == worker)


def _is_of(table: sa.Table, campaign_id: str) -> sa.ColumnElement[bool]:
    is_of: sa.ColumnElement[bool] = table.c.campaign_id == campaign_id
    return is_of


def _read(connection: sa.Connection, which: sa.ColumnElement[bool]) -> list[Letter]:
    """Return letters with their answers, the oldest first."""
    written = [letters.c[name] for name in Letter.__dataclass_fields__ if name != "answer"]
    said = [letter_answers.c[name].label(f"answer_{name}") for name in LetterAnswer.__dataclass_fields__]
    query = sa.select(*written, *said).join_from(letters, letter_answers, isouter=True).where(which)
    rows = connection.execute(query.order_by(letters.c.at, letters.c.id))
    return [_letter(row._asdict()) for row in rows]


def _letter(row: Mapping[str, object]) -> Letter:
    fields = {name: value for name, value in row.items() if not name.startswith("answer_")}
    answer = {name.removeprefix("answer_"): value for name, value in row.items() if name.startswith("answer_")}
    given = None if answer["by"] is None else LetterAnswer(**answer)  # type: ignore[arg-type]  # the columns
    return Letter(**fields, answer=given)  # type: ignore[arg-type]  # the columns are the fields


def _row(letter: Letter) -> dict[str, object]:
    return {name: value for name, value in vars(letter).items() if name != "answer"}
