"""Which attempts have beaten the model, as a condition of queries: `Attempt.won`."""

from __future__ import annotations

import sqlalchemy as sa

from beat_the_ai.store.tables import attempts

WON = sa.and_(
    attempts.c.fooled.is_(True),
    attempts.c.retracted_at.is_(None),
    sa.or_(attempts.c.doubts.is_(None), attempts.c.admitted.is_(True)),
)
