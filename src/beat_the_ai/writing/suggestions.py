"""Suggestions of a model to writers, after the generative assistants of Bartolo et al. 2022 ("Models in the Loop").

They were made beforehand. The server decides which are shown, in an order that the seed and the HIT decide, keeps each
before it is shown, and finds out itself what an attempt was made of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.messages import said
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.kind import Suggestions, Writing
from beat_the_ai.rules.protocol import TaskItem, Value
from beat_the_ai.store import Assignment, ShownSuggestion, Store, now

MOST_SHOWN = 10_000  # in one assignment


@dataclass(frozen=True)
class Suggested:
    """A suggestion on a context, with the fields of a work that it has."""

    id: str
    model: str
    content: Value


@dataclass(frozen=True)
class SuggestionPool:
    """The suggestions of an arm, by context."""

    by_context: Mapping[str, Sequence[Suggested]]
    rules: Suggestions

    def fitting(self, task_item: TaskItem) -> list[Suggested]:
        """Return the suggestions for what a HIT asks for."""
        found = self.by_context.get(task_item.context.id, ())
        return [one for one in found if self.rules.suits(one.content, task_item)]


@dataclass(frozen=True)
class SuggestionsSoFar:
    """The suggestions that were shown in an assignment, in their order, and whether there are `more`."""

    shown: Sequence[ShownSuggestion]
    more: bool


@dataclass(frozen=True)
class Origin:
    """The suggestion that an attempt was made of.

    `edited`: something that it said differs. `distance` is the edit distance of the text that was typed, in characters
    (Levenshtein).
    """

    id: str
    model: str
    edited: bool
    distance: int


class SuggestionDesk:
    """The desk for suggestions: one for a campaign, shared by all its sessions and safe to use from threads."""

    def __init__(
        self, store: Store, writing: Writing[Any, Any, Any], pools: Mapping[str, SuggestionPool], seed: int
    ) -> None:
        """`pools` are those of the arms that have suggestions, by name."""
        self._store = store
        self._writing = writing
        self._pools = pools
        self._seed = seed

    def show(self, assignment_id: str, ordinal: object) -> SuggestionsSoFar:
        """Return all suggestions that were shown in an assignment, with one more if this is the next ordinal, from 1.

        That one is kept before it is shown; the same ordinal again shows no other. Raises `InvalidInput`, `Refused`.
        """
        number = _checked(ordinal)
        assignment = self._store.assignments.get(assignment_id)
        pool = self._pool(assignment)
        shown = self._store.suggestions.of_assignment(assignment_id)
        if number == len(shown) + 1 and (left := self._left(pool, assignment, shown)):
            new = left[0]
            self._store.suggestions.show(
                ShownSuggestion(assignment_id, number, new.id, new.model, new.content.model_dump(), now())
            )
            shown = self._store.suggestions.of_assignment(assignment_id)
        return SuggestionsSoFar(shown, bool(self._left(pool, assignment, shown)))

    def take(self, assignment_id: str, ordinal: object) -> None:
        """Keep that the writer took a suggestion into the form. Raises `InvalidInput`, `Refused`."""
        self._pool(self._store.assignments.get(assignment_id))
        self._store.suggestions.take(assignment_id, _checked(ordinal), now())

    def origin(self, assignment: Assignment, work: Value) -> Origin | None:
        """Return the suggestion that a work was made of; None for a work of the writer's own.

        It is one that was shown, and that the work repeats, or that was taken into the form and of whose text no more
        than half was changed. Of several it is the closest, then the latest.
        """
        if assignment.arm not in self._pools:
            return None
        fields = work.model_dump()
        text = self._writing.typed(fields)
        found = []
        for one in self._store.suggestions.of_assignment(assignment.id):
            suggested = self._writing.typed(one.content)
            edited = any(fields[name] != value for name, value in one.content.items() if value is not None)
            distance = edit_distance(suggested, text)
            if not edited or (one.taken_at is not None and 2 * distance <= max(len(suggested), len(text))):
                found.append((distance, edited, -one.ordinal, Origin(one.name, one.model, edited, distance)))
        return min(found, key=lambda each: each[:3])[3] if found else None

    def _pool(self, assignment: Assignment) -> SuggestionPool:
        pool = self._pools.get(assignment.arm or "")
        if pool is None:
            raise Refused(said("refusals.no_suggestions"))
        return pool

    def _left(self, pool: SuggestionPool, assignment: Assignment, shown: Sequence[ShownSuggestion]) -> list[Suggested]:
        """Return the suggestions that were not shown in an assignment, in their order."""
        names = {one.name for one in shown}
        fitting = pool.fitting(self._store.campaigns.hit(assignment.hit).task_item)
        left = [one for one in fitting if one.id not in names]
        return sorted(left, key=lambda one: short_hash(self._seed, "suggestion", assignment.hit, one.id))


def _checked(ordinal: object) -> int:
    """Raises `InvalidInput` for what numbers no suggestion."""
    if type(ordinal) is not int or not 1 <= ordinal <= MOST_SHOWN:
        given = str(ordinal)[:40]
        raise InvalidInput("ordinal", f"ordinal={given!r} was given; the number of a suggestion, 1 to {MOST_SHOWN}.")
    return ordinal


def origin_fields(origin: Origin | None) -> dict[str, Any] | None:
    """Return an origin as the store keeps it."""
    return None if origin is None else asdict(origin)


def edit_distance(one: str, other: str) -> int:
    """Return how many characters are inserted, deleted or replaced from one text to the other, at least."""
    import numpy as np  # it takes a tenth of a second, where nobody has suggestions

    columns = np.arange(len(other) + 1)
    codes = np.array([ord(char) for char in other], dtype=np.int64)
    row = columns
    for number, char in enumerate(one, start=1):
        replaced = row[:-1] + (codes != ord(char))
        best = np.concatenate(([number], np.minimum(row[1:] + 1, replaced)))
        row = np.minimum.accumulate(best - columns) + columns  # and insertions
    return int(row[-1])
