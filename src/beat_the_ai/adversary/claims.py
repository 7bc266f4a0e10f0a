"""Checks of the costs that a server claims, against the most that its answers can cost."""

from __future__ import annotations

import logging
import threading

from beat_the_ai.errors import AdversaryError

MOST_FALSE_CLAIMS = 3
LARGEST_SHOWN = 10**15

log = logging.getLogger(__name__)


class Claims:
    """The claims of one server, `false` of them false. Safe to use from threads.

    Amounts are millionths of a US cent.
    """

    def __init__(self, server: str) -> None:
        """`server` names it in warnings and errors."""
        self._server = server
        self.false = 0
        self._lock = threading.Lock()

    def check(self) -> None:
        """Raise `AdversaryError`, which cost nothing, once a few claims were false."""
        if self.false >= MOST_FALSE_CLAIMS:
            refusal = AdversaryError(
                f"{self._server} has claimed impossible costs for {self.false} answers, and is not asked any more. "
                "Correct its prices or its count of tokens, or choose another server, and restart."
            )
            refusal.microcents = 0
            raise refusal

    def believed(self, claimed: int, most: int, *, is_possible: bool) -> int:
        """Return what counts as the cost of an answer: the claim, or `most` where it is impossible."""
        if is_possible:
            return claimed
        with self._lock:
            self.false += 1
        log.warning(
            "%s claims an impossible cost for an answer: %d millionths of a cent. Its worst case is counted: %d.",
            self._server,
            min(claimed, LARGEST_SHOWN),
            most,
        )
        return most
