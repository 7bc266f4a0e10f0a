"""What the language models of a pool charge that are loaded here."""

from __future__ import annotations

from collections.abc import Sequence

from beat_the_ai.adversary.prices import Prices
from beat_the_ai.adversary.registry import language_model

# Of a try that nobody has made yet: prompt, passage and question. What it takes in the end is counted.
TOKENS_IN_PER_TRY = 4_000


def prices_of(members: Sequence[str]) -> dict[str, Prices]:
    """By member, of those that cost money."""
    sources = {spec: language_model(spec) for spec in members}
    return {spec: source.prices for spec, source in sources.items() if source is not None and source.prices}


def microcents_per_try(members: Sequence[str]) -> int:
    """What is set aside for a try, by the dearest of the members."""
    return max((prices.microcents(TOKENS_IN_PER_TRY) for prices in prices_of(members).values()), default=0)
