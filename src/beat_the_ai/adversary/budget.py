"""A model that charges, asked within what its user is ready to spend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from beat_the_ai.adversary.claims import Claims
from beat_the_ai.adversary.language_models.tries import TRIES
from beat_the_ai.adversary.prices import Prices, fewest_tokens
from beat_the_ai.adversary.protocol import Adversary, Billed, ReadInParts
from beat_the_ai.adversary.registry import language_model
from beat_the_ai.errors import AdversaryError, InvalidInput, Refused
from beat_the_ai.rules.adversary import MICROCENTS
from beat_the_ai.rules.protocol import Value


def most_microcents(prices: Prices, query: Value) -> int:
    """Return the most that a query can cost: lost answers may be charged, too."""
    parts = query.parts if isinstance(query, ReadInParts) else 1
    return parts * TRIES * prices.most_microcents(query.model_dump_json().encode())


def believed_microcents(claims: Claims, prices: Prices, query: Value, microcents: int, *, is_new: bool) -> int:
    """Return what an answer from a model server counts as.

    One that is not new may cost nothing, and so may one to a query whose parts are remembered.
    """
    least, most = 0, most_microcents(prices, query)
    if is_new and not isinstance(query, ReadInParts):
        least = prices.microcents(fewest_tokens(query.model_dump_json()), 0)
    return claims.believed(microcents, most, is_possible=least <= microcents <= most)


def failed_microcents(claims: Claims, prices: Prices, query: Value, error: AdversaryError) -> int:
    """Return what a failed request to a model server counts as: the most where the server does not say it."""
    most = most_microcents(prices, query)
    if error.microcents is None:
        return most
    return claims.believed(error.microcents, most, is_possible=error.microcents <= most)


@runtime_checkable
class CoversCosts(Protocol):
    """An adversary that knows what may be spent on it."""

    def check_covers(self, queries: Sequence[Value]) -> None:
        """Raise `Refused` where these may cost more than is left."""


class Budgeted:
    """An adversary that is asked as long as the worst case of what is asked is within the rest of `cents`."""

    def __init__(self, model: Adversary[Any, Any], prices: Prices, cents: int) -> None:
        self.identity, self.query_type = model.identity, model.query_type
        self.microcents = 0
        self.prices = prices
        self._model = model
        self._cents = cents
        self._left_microcents = cents * MICROCENTS

    @property
    def told(self) -> str:
        """Return in words how much the model's answers have cost so far."""
        spent = self._cents - self._left_microcents / MICROCENTS
        return f"its answers cost {spent:,.2f} of {self._cents:,} cents"

    def predict(self, queries: Sequence[Value]) -> Sequence[Any]:
        """Raises `Refused` before anything is asked that the budget does not cover."""
        self.check_covers(queries)
        assert isinstance(self._model, Billed), "it has prices"
        try:
            return self._model.predict(queries)
        finally:
            self.microcents = self._model.microcents
            self._left_microcents -= self.microcents

    def check_covers(self, queries: Sequence[Value]) -> None:
        """Raises `Refused` where these may cost more than is left."""
        worst = sum(most_microcents(self.prices, query) for query in queries)
        if worst > self._left_microcents:
            asked = "The next answer" if len(queries) == 1 else f"{len(queries):,} answers"
            raise Refused(
                f"{asked} may cost {worst / MICROCENTS:,.2f} cents, each sent {TRIES} times and as long as allowed, "
                f"and {self._left_microcents / MICROCENTS:,.2f} of --max-cents are left. Give more, or ask less."
            )


def within_budget(model: Adversary[Any, Any], max_cents: int | None) -> Adversary[Any, Any]:
    """As it is, unless it charges. Raises `InvalidInput` for one that does, where nothing may be spent."""
    if not isinstance(model, Billed) or model.prices is None:
        return model
    return Budgeted(model, model.prices, _checked_budget(max_cents))


def check_budget(spec: str, max_cents: int | None) -> None:
    """Before a model is loaded, which asks a language model an example. Raises as `within_budget`."""
    source = language_model(spec)
    if source is not None and source.prices is not None:
        _checked_budget(max_cents)


def _checked_budget(max_cents: int | None) -> int:
    """Return the budget of a model that charges. Raises `InvalidInput` where there is none."""
    if max_cents is None:
        raise InvalidInput(
            "--max-cents",
            "The model has a price, and nothing says what its answers may cost. Give --max-cents to a command that "
            "takes it; others ask only models that cost nothing.",
        )
    return max_cents


def check_covered(model: Adversary[Any, Any], queries: Sequence[Value]) -> None:
    """Check the budget of answers that are useful only together. Raises `Refused` before the first one is paid for."""
    if isinstance(model, CoversCosts):
        model.check_covers(queries)
