"""Lists in pages. A token stands behind the last row that was shown, so what is added meanwhile shifts nothing.

As Mephisto relies on for ListHITs [seen: mturk_utils.get_outstanding_hits], every page that holds something carries a
token, and the last page is empty and carries none.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import sqlalchemy as sa

from beat_the_ai.marketplace.errors import RequestFailed
from beat_the_ai.marketplace.moment import Moment

ItemT = TypeVar("ItemT")
Position = int | str | tuple[int, ...]
DEFAULT_SIZE = 10
MAX_SIZE = 100


@dataclass(frozen=True)
class PageRequest:
    """A request for a page: the number of rows, and the position behind which they begin."""

    size: int = DEFAULT_SIZE
    after: Position | None = None

    @classmethod
    def of(cls, max_results: int | None, next_token: str | None) -> PageRequest:
        """From the members that every list operation has. Raises when the token is none that was given out."""
        return cls(max_results or DEFAULT_SIZE, None if next_token is None else _read_token(next_token))


@dataclass(frozen=True)
class Page(Generic[ItemT]):
    items: Sequence[ItemT]
    next_token: str | None


def page_of(items: Sequence[ItemT], positions: Sequence[Position]) -> Page[ItemT]:
    return Page(items, _write_token(positions[-1]) if items else None)


def fetch(
    moment: Moment, query: sa.Select[Any], column: sa.ColumnElement[Any], asked: PageRequest, *, newest_first: bool
) -> Sequence[sa.Row[Any]]:
    """The asked rows of a query, in the order of `column`."""
    if asked.after is not None:
        if isinstance(asked.after, tuple) or isinstance(asked.after, str) != isinstance(column.type, sa.String):
            raise _not_given_out()
        query = query.where(column < asked.after if newest_first else column > asked.after)
    return moment.connection.execute(
        query.order_by(column.desc() if newest_first else column.asc()).limit(asked.size)
    ).all()


def fetch_largest(
    moment: Moment, query: sa.Select[Any], columns: Sequence[sa.ColumnElement[int]], asked: PageRequest
) -> Sequence[sa.Row[Any]]:
    """The asked rows with the largest first, by these columns in turn; the last of them is another for every row."""
    if asked.after is not None:
        if not isinstance(asked.after, tuple) or len(asked.after) != len(columns):
            raise _not_given_out()
        query = query.where(sa.tuple_(*columns) < sa.tuple_(*asked.after))
    return moment.connection.execute(query.order_by(*(column.desc() for column in columns)).limit(asked.size)).all()


def _write_token(position: Position) -> str:
    return base64.urlsafe_b64encode(json.dumps({"after": position}).encode()).decode()


def _read_token(token: str) -> Position:
    try:
        position = json.loads(base64.b64decode(token.encode(), altchars=b"-_", validate=True))["after"]
    except (binascii.Error, ValueError, KeyError, TypeError):
        raise _not_given_out() from None
    if isinstance(position, str):
        return position
    numbers = position if isinstance(position, list) else [position]
    if not all(type(number) is int and 0 <= number < 2**63 for number in numbers):
        raise _not_given_out()
    return tuple(numbers) if isinstance(position, list) else int(position)


def _not_given_out() -> RequestFailed:
    return RequestFailed("InvalidParameterValue", "The NextToken is not one that this list gave out.")
