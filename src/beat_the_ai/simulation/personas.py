"""The personas of simulated writers, which every kind of task knows, and how many writers have which."""

from __future__ import annotations

import random
from collections.abc import Mapping

from beat_the_ai.errors import InvalidInput, UnknownName

GOOD, SLOPPY, COPYING, MALICIOUS = PERSONAS = ("good", "sloppy", "copying", "malicious")


def mix(writers: int, shares: Mapping[str, float], seed: int) -> list[str]:
    """The persona of each writer: as many of each as the shares say, in an order that the seed decides.

    Shares are parts of 1; whatever is left is good. What does not divide goes to the largest remainders.
    """
    for name in shares:
        if name not in PERSONAS:
            raise UnknownName("persona", name, PERSONAS)
    if min(shares.values(), default=0.0) < 0 or sum(shares.values()) > 1 + 1e-9:
        raise InvalidInput("shares", f"{dict(shares)} was given; shares must not be negative and add up to at most 1.")
    parts = {**shares, GOOD: shares.get(GOOD, 0.0) + max(0.0, 1 - sum(shares.values()))}
    exact = {name: share * writers for name, share in parts.items()}
    counts = {name: int(number + 1e-9) for name, number in exact.items()}
    by_remainder = sorted(exact, key=lambda name: (counts[name] - exact[name], name))
    for name in by_remainder[: writers - sum(counts.values())]:
        counts[name] += 1
    personas = [name for name in sorted(counts) for _ in range(counts[name])]
    random.Random(f"mix/{seed}").shuffle(personas)  # noqa: S311  # a simulation, not a secret
    return personas
