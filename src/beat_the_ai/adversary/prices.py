"""Prices of language models."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal
from math import ceil
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Price = Annotated[Decimal, Field(ge=0, le=10_000_000, allow_inf_nan=False)]


MOST_WORDS_PER_TOKEN = 4  # on average over a text
PROMPT_TOKENS = 2_000  # more than those of any prompt and of the marks of a chat


def fewest_tokens(text: str) -> int:
    """Return how many tokens a text has at least, whatever the tokenizer.

    Repetitions are left out, since some tokenizers have a token for a long run of the same signs.
    """
    return ceil(len(set(text.split())) / MOST_WORDS_PER_TOKEN)


class Prices(BaseModel):
    """In US cents per million tokens, and so in millionths of a cent per token."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cents_per_million_tokens_in: Price
    cents_per_million_tokens_out: Price
    max_answer_tokens: int = Field(ge=1)

    def microcents(self, tokens_in: int, tokens_out: int | None = None) -> int:
        """Return the cost of these tokens in millionths of a US cent; without `tokens_out`, with the longest answer."""
        tokens_out = self.max_answer_tokens if tokens_out is None else tokens_out
        cost = tokens_in * self.cents_per_million_tokens_in + tokens_out * self.cents_per_million_tokens_out
        return int(cost.to_integral_value(ROUND_CEILING))

    def most_tokens_in(self, content: bytes) -> int:
        """Return the most tokens that a call about this JSON can have: no token is shorter than a byte."""
        longer = sum(5 * content.count(char) for char in (b"<", b">", b"[", b"]"))  # how a question writes them: \u003c
        return PROMPT_TOKENS + len(content) + longer

    def most_microcents(self, content: bytes) -> int:
        """Return the most that a call about this JSON can cost."""
        return self.microcents(self.most_tokens_in(content))
