"""The messages of pages: first an introduction, then one command after the other, each under a key of its own."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.kinds.quizbowl.tournament.events import Begun, Closed, Ended, Name, Read, Ruled, Settled
from beat_the_ai.kinds.quizbowl.tournament.saying import said
from beat_the_ai.rules.protocol import Value


class Watch(Value):
    """A spectator."""

    role: Literal["spectator"]
    room: str


class Join(Value):
    """A player of the team that the code is for."""

    role: Literal["team"]
    code: str
    player: str


class Moderate(Value):
    """A page of the moderator's; `chair`: it takes the chair if nobody has it."""

    role: Literal["moderator"]
    room: str
    token: str
    page: str
    chair: bool


class Ping(Value):
    """Is anybody there?"""

    act: Literal["ping"]
    key: str


class Buzz(Value):
    act: Literal["buzz"]
    key: str
    tossup: int = Field(ge=1)


class Say(Value):
    """The answer of the player who has the floor."""

    act: Literal["say"]
    key: str
    tossup: int = Field(ge=1)
    answer: str


class Protest(Value):
    act: Literal["protest"]
    key: str
    tossup: int = Field(ge=1)
    against: Name
    reason: str


class TakeChair(Value):
    act: Literal["take_chair"]
    key: str


class Happen(Value):
    """An event of the moderator's."""

    act: Literal["happen"]
    key: str
    event: Annotated[Begun | Read | Ruled | Closed | Settled | Ended, Field(discriminator="event")]


MessageT = TypeVar("MessageT")
Hello = Watch | Join | Moderate
Command = Ping | Buzz | Say | Protest | TakeChair | Happen
HELLO: TypeAdapter[Hello] = TypeAdapter(Annotated[Hello, Field(discriminator="role")])
COMMANDS: dict[type[Hello], TypeAdapter[Command]] = {
    Watch: TypeAdapter(Ping),
    Join: TypeAdapter(Annotated[Ping | Buzz | Say | Protest, Field(discriminator="act")]),
    Moderate: TypeAdapter(Annotated[Ping | TakeChair | Happen, Field(discriminator="act")]),
}


def read_hello(text: str) -> Hello:
    """Raises `InvalidInput` that quotes nothing of what was sent."""
    return _read(HELLO, text)


def read_command(text: str, sender: Hello) -> Command:
    """Read one of the commands that the sender may give. Raises `InvalidInput`."""
    return _read(COMMANDS[type(sender)], text)


def _read(adapter: TypeAdapter[MessageT], text: str) -> MessageT:
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        fault = first_fault(error, "message")
        raise InvalidInput(fault.place[:80], said("event_refusals.unexpected")) from None
