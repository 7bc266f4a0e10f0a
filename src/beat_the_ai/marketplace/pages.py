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
DEFAULT_SIZE = 10
MAX_SIZE = 100


@dataclass(frozen=True)
class Asked:
    """Which page: how many rows, and behind which one."""

    size: int = DEFAULT_SIZE
    after: int | str | None = None

    @classmethod
    def of(cls, max_results: int | None, next_token: str | None) -> Asked:
        """From the members that every list operation has. Raises when the token is none that was given out."""
        return cls(max_results or DEFAULT_SIZE, None if next_token is None else _read_token(next_token))


@dataclass(frozen=True)
class Page(Generic[ItemT]):
    items: Sequence[ItemT]
    next_token: str | None


def page_of(items: Sequence[ItemT], positions: Sequence[int | str]) -> Page[ItemT]:
    return Page(items, _write_token(positions[-1]) if items else None)


def fetch(
    moment: Moment, query: sa.Select[Any], column: sa.ColumnElement[Any], asked: Asked, *, newest_first: bool
) -> Sequence[sa.Row[Any]]:
    """The asked rows of a query, in the order of `column`."""
    if asked.after is not None:
        if isinstance(asked.after, str) != isinstance(column.type, sa.String):
            raise _not_given_out()
        query = query.where(column < asked.after if newest_first else column > asked.after)
    return moment.connection.execute(
        query.order_by(column.desc() if newest_first else column.asc()).limit(asked.size)
    ).all()


def _write_token(position: int | str) -> str:
    return base64.urlsafe_b64encode(json.dumps({"after": position}).encode()).decode()


def _read_token(token: str) -> int | str:
    try:
        position = json.loads(base64.b64decode(token.encode(), altchars=b"-_", validate=True))["after"]
    except (binascii.Error, ValueError, KeyError, TypeError):
        raise _not_given_out() from None
    if isinstance(position, bool) or not isinstance(position, int | str) or _too_large(position):
        raise _not_given_out()
    return position


def _too_large(position: int | str) -> bool:
    return isinstance(position, int) and not 0 <= position < 2**63


def _not_given_out() -> RequestFailed:
    return RequestFailed("InvalidParameterValue", "The NextToken is not one that this list gave out.")
