"""Changes of people's states and groups by the requester: which are possible, and carrying them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people.person import (
    MAY_WORK,
    Person,
    State,
    check_group,
    clean_group,
    join_groups,
    leave_groups,
    restore,
    set_state,
)

Change = Literal["approve", "suspend", "restore", "remove"]
GroupChange = Literal["add", "remove"]
CHANGES: tuple[Change, ...] = get_args(Change)
BEFORE: Mapping[Change, tuple[State, ...]] = {
    "approve": ("waiting", "unconfirmed"),
    "suspend": ("invited", "unconfirmed", "waiting", "active"),
    "restore": ("suspended",),
    "remove": ("invited", "unconfirmed", "waiting", "active", "suspended"),
}


def possible(person: Person) -> tuple[Change, ...]:
    """Return the changes for somebody in this state."""
    return tuple(change for change in CHANGES if person.state in BEFORE[change])


def change_states(moment: Moment, chosen: Sequence[Person], change: Change) -> None:
    """Change the state of all these people, or raise `InvalidInput` and change nobody's."""
    for person in chosen:
        if change not in possible(person):
            allowed = " or ".join(BEFORE[change])
            raise InvalidInput("who", f"{person.shown_name} is {person.state}; `{change}` is for whoever is {allowed}.")
    after: dict[Change, State] = {"approve": MAY_WORK, "suspend": "suspended", "remove": "removed"}
    for person in chosen:
        if change == "restore":
            restore(moment, person)
        else:
            set_state(moment, person, after[change])


def change_groups(moment: Moment, chosen: Sequence[Person], change: GroupChange, group: str) -> None:
    """Put people into a group, or take them out. Raises `InvalidInput`, also for somebody who is removed."""
    name = clean_group(group)
    if change == "remove":
        check_group(moment, name)
    elif removed := [person.worker_id for person in chosen if person.state == "removed"]:
        raise InvalidInput("who", f"{removed[0]} is removed, and in no group any more.")
    for person in chosen:
        act = join_groups if change == "add" else leave_groups
        act(moment, person.worker_id, [name])
