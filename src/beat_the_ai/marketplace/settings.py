"""The settings of a store, by their names: whatever is kept once, such as an address or a secret."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.tables import settings


def get(moment: Moment, name: str) -> Any:
    """Return the value of a setting; None where there is none."""
    return moment.connection.scalar(_value_of, {"of_name": name})


def put(moment: Moment, name: str, value: Any) -> None:
    """Keep a value in place of the one before."""
    remove(moment, name)
    moment.connection.execute(sa.insert(settings), {"name": name, "value": value})


def remove(moment: Moment, name: str) -> None:
    moment.connection.execute(sa.delete(settings).filter_by(name=name))


_value_of = sa.select(settings.c.value).filter_by(name=sa.bindparam("of_name"))  # built once: pages ask for it
