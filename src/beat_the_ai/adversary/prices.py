"""What a language model charges."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Price = Annotated[Decimal, Field(ge=0, le=10_000_000, allow_inf_nan=False)]


class Prices(BaseModel):
    """In US cents per million tokens, and so in millionths of a cent per token."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cents_per_million_tokens_in: Price
    cents_per_million_tokens_out: Price
    max_answer_tokens: int = Field(ge=1)

    def microcents(self, tokens_in: int, tokens_out: int | None = None) -> int:
        """What so many tokens cost, or so many and the longest answer, in millionths of a US cent."""
        tokens_out = self.max_answer_tokens if tokens_out is None else tokens_out
        cost = tokens_in * self.cents_per_million_tokens_in + tokens_out * self.cents_per_million_tokens_out
        return int(cost.to_integral_value(ROUND_CEILING))
