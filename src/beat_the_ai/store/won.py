"""The conditions of `Attempt.won` and its neighbours in queries: attempts that have beaten the model, or may yet."""

from __future__ import annotations

import sqlalchemy as sa

from beat_the_ai.store.tables import attempts

_BEATEN = sa.and_(attempts.c.fooled.is_(True), attempts.c.retracted_at.is_(None))
DOUBTED = attempts.c.doubts.is_not(None)
WON = sa.and_(_BEATEN, sa.or_(~DOUBTED, attempts.c.admitted.is_(True)))
ON_HOLD = sa.and_(_BEATEN, DOUBTED, attempts.c.admitted.is_(None))
