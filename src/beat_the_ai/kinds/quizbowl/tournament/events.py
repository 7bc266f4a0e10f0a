"""The events of a match, as its log keeps them: the one truth from which standings, scores and figures follow."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from beat_the_ai.rules.protocol import Value

MODERATOR = "moderator"
MAX_ANSWER_CHARS = 200
MAX_REASON_CHARS = 500
Name = Annotated[str, Field(min_length=1, max_length=80)]


class Begun(Value):
    """The moderator begins with the next tossup, counted from 1."""

    event: Literal["begun"] = "begun"
    tossup: int = Field(ge=1)


class Read(Value):
    """So many words of the tossup have been read."""

    event: Literal["read"] = "read"
    tossup: int = Field(ge=1)
    words: int = Field(ge=1)


class Buzzed(Value):
    """A player interrupts, or answers at the end. Of several at once the first that is kept has the floor."""

    event: Literal["buzzed"] = "buzzed"
    tossup: int = Field(ge=1)
    team: Name
    player: Name
    answer: str | None = Field(default=None, max_length=MAX_ANSWER_CHARS, description="a model's, or typed")


class Answered(Value):
    """The typed answer of the player who has the floor."""

    event: Literal["answered"] = "answered"
    tossup: int = Field(ge=1)
    team: Name
    answer: str = Field(max_length=MAX_ANSWER_CHARS)


class Ruled(Value):
    """The moderator's ruling on a team's answer. A later one on the same answer takes its place."""

    event: Literal["ruled"] = "ruled"
    tossup: int = Field(ge=1)
    team: Name
    correct: bool


class Closed(Value):
    """The tossup is over, and nobody may buzz any more."""

    event: Literal["closed"] = "closed"
    tossup: int = Field(ge=1)


class Protested(Value):
    """A team does not agree with a ruling. A later protest of theirs against the same one takes its place."""

    event: Literal["protested"] = "protested"
    tossup: int = Field(ge=1)
    team: Name = Field(description="that protests")
    against: Name = Field(description="the team whose answer was ruled on")
    reason: str = Field(min_length=1, max_length=MAX_REASON_CHARS)


class Settled(Value):
    """The outcome of a protest: whether the answer was correct after all."""

    event: Literal["settled"] = "settled"
    tossup: int = Field(ge=1)
    against: Name
    correct: bool


class Ended(Value):
    """The match is over; only protests are settled after it."""

    event: Literal["ended"] = "ended"


Event = Annotated[
    Begun | Read | Buzzed | Answered | Ruled | Closed | Protested | Settled | Ended, Field(discriminator="event")
]
