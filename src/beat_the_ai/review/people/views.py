"""The records of people that the page is sent, and those that it sends. Tokens are in `Link` and `Invited` alone."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from beat_the_ai.marketplace.people import invitations
from beat_the_ai.marketplace.people.changes import Change, GroupChange
from beat_the_ai.marketplace.people.person import MAX_EMAIL_CHARS, MAX_NAME_CHARS, State
from beat_the_ai.rules.protocol import Moment, Value, View

MOST_AT_ONCE = 100
WorkerId = Annotated[str, Field(pattern=r"^[A-Za-z0-9]{1,64}$")]
Workers = Annotated[tuple[WorkerId, ...], Field(min_length=1, max_length=MOST_AT_ONCE)]
Days = Annotated[int, Field(ge=1, le=invitations.MAX_DAYS)]
Places = Annotated[int, Field(ge=1, le=invitations.MAX_PLACES)]


class Person(View):
    """A person of the crowd. `recruited`: a recruiter sent them, and nobody here invites them.

    `changes` are those that their state allows; `may_get_link` says whether a link to sign in can be made.
    """

    worker: str
    name: str | None
    email: str | None
    state: State
    groups: tuple[str, ...]
    recruited: bool
    mailed_at: Moment | None
    withdrawn_at: Moment | None
    erase_at: Moment | None
    changes: tuple[Change, ...]
    may_get_link: bool


class PeoplePage(View):
    """A page of people. `left` more come after it: `after` asks for the next page where there are any."""

    people: tuple[Person, ...]
    left: int
    after: str | None


class GroupSize(View):
    """A group, and how many are in it."""

    name: str
    people: int


class StateSize(View):
    """A state, and how many people have it."""

    state: State
    people: int


class OpenLink(View):
    """A link by which several people can join. Its token is not kept; `id` names it."""

    id: str
    joined: int
    places: int
    expires_at: Moment
    domain: str | None
    needs_approval: bool
    group: str | None


class Crowd(View):
    """All people in numbers, and the open links. `mails`: letters can be sent from here."""

    states: tuple[StateSize, ...]
    groups: tuple[GroupSize, ...]
    links: tuple[OpenLink, ...]
    mails: bool


class Link(View):
    """A link that is shown once."""

    link: str


class Invited(View):
    """The person who was invited. `link` is null where it went out by e-mail."""

    worker: str
    name: str
    link: str | None


class LineFault(View):
    """A line of a list that cannot be used, and the reason."""

    line: int
    reason: str


class ListedPerson(View):
    """A person as a list has them."""

    name: str
    email: str | None
    groups: tuple[str, ...]


class ListPreview(View):
    """A list before it is imported: how many would be added, the first of them all, and the first faults."""

    added: int
    here: int
    repeated: int
    first: tuple[ListedPerson, ...]
    faults: tuple[LineFault, ...]
    more_faults: int


class Imported(View):
    """The outcome of an import."""

    added: int
    here: int
    repeated: int


class Invitation(Value):
    """An invitation of `who`: a worker id, an e-mail address or a name. Somebody new is added, with the `name`."""

    who: str = Field(max_length=MAX_EMAIL_CHARS)
    name: str = Field(default="", max_length=MAX_NAME_CHARS)
    days: Days
    by_mail: bool = False


class OpenLinkTerms(Value):
    """The terms of a link for several people."""

    places: Places
    days: Days
    domain: str = Field(default="", max_length=MAX_EMAIL_CHARS)
    needs_approval: bool = False
    group: str = ""


class ClosedLink(Value):
    """The link that nobody can use any more, by its id."""

    id: str


class SentList(Value):
    """A file with people. `content` is in base64; `group` is for everybody on it."""

    file: str = Field(max_length=255)
    content: str
    group: str = ""


class GroupMembers(Value):
    """Workers who join or leave a group."""

    workers: Workers
    change: GroupChange
    group: str


class StateChange(Value):
    """A change of state. `confirmation` is the worker's id once more: a removal has to be typed."""

    workers: Workers
    change: Change
    confirmation: str = ""


class LinkFor(Value):
    """The worker who gets a link to sign in."""

    worker: WorkerId
