"""One transaction at one time: what every rule of the marketplace is given to work with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa


@dataclass(frozen=True)
class Moment:
    """`now` does not move while the transaction lasts."""

    connection: sa.Connection
    now: datetime
