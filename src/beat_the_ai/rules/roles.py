"""The roles of accounts, and the rights of each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Role(str, Enum):
    """The role of an account."""

    REQUESTER = "requester"
    LEAD = "lead"
    REVIEWER = "reviewer"
    OBSERVER = "observer"

    def may(self, right: Right) -> bool:
        """Return whether the role has a right."""
        return right in RIGHTS[self]

    @property
    def rights(self) -> tuple[Right, ...]:
        """Return all rights of the role."""
        return tuple(right for right in Right if self.may(right))


class Right(str, Enum):
    """A right of some roles. Whoever may not judge learns of nobody by name or worker id."""

    ACT = "act"
    DECIDE = "decide"
    JUDGE = "judge"
    START = "start"
    WATCH = "watch"

    @property
    def sentence(self) -> str:
        """Return who has the right."""
        roles = [role.value for role in Role if role.may(self)]
        who = " or ".join(filter(None, (", ".join(roles[:-1]), roles[-1])))
        return f"{DONE[self]} takes the role {who}."


RIGHTS: Mapping[Role, frozenset[Right]] = {
    Role.REQUESTER: frozenset(Right),
    Role.LEAD: frozenset({Right.DECIDE, Right.JUDGE, Right.WATCH}),
    Role.REVIEWER: frozenset({Right.JUDGE}),
    Role.OBSERVER: frozenset({Right.WATCH}),
}
DONE: Mapping[Right, str] = {
    Right.ACT: "Acting on a campaign",
    Right.DECIDE: "Deciding about workers, their work and their pay",
    Right.JUDGE: "Judging HITs",
    Right.START: "Starting a campaign",
    Right.WATCH: "Watching a campaign in the console",
}
