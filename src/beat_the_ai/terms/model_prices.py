"""The prices of a pool's language models, and the check that a campaign may spend them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from beat_the_ai.adversary.language_models.tries import TRIES
from beat_the_ai.adversary.prices import Prices
from beat_the_ai.adversary.registry import language_model
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.adversary import MICROCENTS
from beat_the_ai.rules.protocol import Value

# Of a try that nobody has made yet: prompt, passage and question. What it takes in the end is counted.
TOKENS_IN_PER_TRY = 4_000


def prices_of(members: Sequence[str]) -> dict[str, Prices]:
    """Return the prices by member, of the members that are loaded here and cost money."""
    sources = {spec: language_model(spec) for spec in members}
    return {spec: source.prices for spec, source in sources.items() if source is not None and source.prices}


def microcents_per_try(members: Sequence[str], query_type: type[Value]) -> int:
    """Return the sum reserved for a try, by the dearest member: each answer may be as long as allowed."""
    parts = _most_parts(query_type)
    return max(
        (
            prices.microcents(TOKENS_IN_PER_TRY, parts * prices.max_answer_tokens)
            for prices in prices_of(members).values()
        ),
        default=0,
    )


def check_one_question(prices: Iterable[Prices], query_type: type[Value], limit_microcents: int) -> None:
    """Raises `InvalidInput` where a single question might not be asked: so much is kept free until it is answered."""
    parts = _most_parts(query_type)
    most = max(parts * TRIES * each.microcents(TOKENS_IN_PER_TRY) for each in prices)
    if most > limit_microcents:
        raise InvalidInput(
            "pay.cap_cents",
            f"pay.cap_cents leaves {limit_microcents / MICROCENTS:,.2f} cents to language models beside what people "
            f"may earn, and a single question may cost {most / MICROCENTS:,.2f} until it is answered: {parts} "
            f"{'call' if parts == 1 else 'calls'} of {TOKENS_IN_PER_TRY:,} tokens and the longest answer, each sent "
            f"{TRIES} times. Raise pay.cap_cents, or offer fewer HITs (round.max_hits).",
        )


def _most_parts(query_type: type[Value]) -> int:
    """Return the most calls of a language model that one of these queries takes (`ReadInParts`)."""
    return getattr(query_type, "most_parts", 1)


def check_cap(model: str, cap_cents: int) -> None:
    """Raises `InvalidInput` where nothing may be spent on a model that charges. `model` begins the error."""
    if not cap_cents:
        raise InvalidInput(
            "pay.cap_cents",
            f"{model} has a price, and pay.cap_cents=0 allows to spend nothing. Set pay.cap_cents to what the campaign "
            "may cost at most, people and models together.",
        )
