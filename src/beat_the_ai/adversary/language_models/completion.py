"""An answer as a server gave it: its text, the probabilities of its tokens where it tells them, what it took.

The shape is that of chat completions; whatever else a server sends is left aside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from beat_the_ai.errors import AdversaryError, first_fault

MAX_CONTENT_CHARS = 50_000
Logprob = Annotated[float, Field(allow_inf_nan=False)]


class Alternative(BaseModel):
    """A token that might have stood there. `logprob` is the natural logarithm of its probability."""

    token: str
    logprob: Logprob

    @property
    def probability(self) -> float:
        return math.exp(min(0.0, self.logprob))


class Token(Alternative):
    """A token of the answer, and the most probable ones in its place, mostly with itself."""

    top_logprobs: list[Alternative] = []


class _Logprobs(BaseModel):
    content: list[Token] | None = None


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


class Usage(BaseModel):
    """The numbers of tokens read and written, as the server claims them."""

    prompt_tokens: int = Field(ge=0)
    completion_tokens: int = Field(default=0, ge=0)


class _Body(BaseModel):
    model: str = ""
    choices: list[_Choice] = Field(min_length=1)
    usage: Usage | None = None


@dataclass(frozen=True)
class Completion:
    """`model` is the server's own name of who answered. `tokens` are empty where no probabilities are told.

    So many answers to the same question were `lost` on their way before it, and may be charged for.
    """

    content: str
    model: str
    tokens: Sequence[Token]
    usage: Usage | None
    is_cut: bool
    lost: int = 0

    def tokens_of(self, start: int, end: int) -> list[tuple[int, Token]]:
        """The tokens that hold the characters from `start` to before `end`, and where in the content each begins.

        None where the tokens are not the content: some servers leave characters out.
        """
        if "".join(token.token for token in self.tokens) != self.content:
            return []
        begins = accumulate((len(token.token) for token in self.tokens), initial=0)
        placed = zip(begins, self.tokens, strict=False)
        return [(begin, token) for begin, token in placed if begin < end and begin + len(token.token) > start]


def read_completion(body: bytes, lost: int = 0) -> Completion:
    """Raises `AdversaryError` for a body that is none."""
    try:
        reply = _Body.model_validate_json(body)
    except ValidationError as error:
        fault = first_fault(error, "the body")
        raise AdversaryError(f"What came back is no chat completion: {fault.place}: {fault.reason}.") from None
    first = reply.choices[0]
    content = first.message.content or ""
    if len(content) > MAX_CONTENT_CHARS:
        raise AdversaryError(f"The answer has {len(content):,} characters; at most {MAX_CONTENT_CHARS:,} are read.")
    tokens = (first.logprobs.content if first.logprobs else None) or []
    return Completion(content, reply.model, tokens, reply.usage, first.finish_reason == "length", lost)
