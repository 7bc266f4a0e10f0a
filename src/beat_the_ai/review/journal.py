"""Writing down what is done, before it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from beat_the_ai.errors import BeatTheAIError
from beat_the_ai.review.accounts import Reviewer
from beat_the_ai.store import Store, now


class Journal:
    """The log, as those who change something write to it."""

    def __init__(self, store: Store, clock: Callable[[], datetime] = now) -> None:
        self._store = store
        self._clock = clock

    @contextmanager
    def entry(
        self, who: Reviewer, action: str, subject: str = "", note: str = "", *, is_private: bool = False
    ) -> Iterator[None]:
        """Written before it is done, so that nothing is done unwritten; what was not done is written after it.

        The words of a failure that `is_private` may name people: its code alone is written.
        """
        self._add(who, action, subject, note)
        try:
            yield
        except BeatTheAIError as error:
            self._add(who, f"{action}_failed", subject, error.code if is_private else str(error))
            raise

    def refused(self, who: Reviewer, what: str, why: str) -> None:
        """Write down what somebody was not let do."""
        self._add(who, "not_allowed", what, why)

    def _add(self, who: Reviewer, action: str, subject: str, note: str) -> None:
        self._store.audit.add(self._clock(), who.name, action, subject, note, who.machine_user)
