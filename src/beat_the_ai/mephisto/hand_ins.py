"""The course of a stage's submissions, as the crowd's side of the suite sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from beat_the_ai.store import Assignment


@dataclass(frozen=True)
class HandInDesk:
    """`waiting()` are those that the crowd has yet to confirm; what is confirmed or set aside stays so.

    `confirm(assignment)` and `set_aside(assignment, reason)` take the engine's id and may be repeated, and so may
    `keep_unseen(worker, registration, submitted_at)`: what the crowd has and no page has handed in. Whether it is new.
    """

    waiting: Callable[[], list[Assignment]]
    confirm: Callable[[str], None]
    set_aside: Callable[[str, str], None]
    keep_unseen: Callable[[str, str, datetime], bool]


NO_HAND_INS = HandInDesk(
    waiting=list,
    confirm=lambda _assignment: None,
    set_aside=lambda _assignment, _reason: None,
    keep_unseen=lambda _worker, _registration, _submitted_at: False,
)
"""Of a stage where every hand-in counts at once: nobody has to confirm it."""
