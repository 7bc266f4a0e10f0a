"""Sizes of dev and test in examples: the contexts that a part keeps, and the examples that are left over.

A context stays whole: the contexts of a part are taken in the order of the seed until it has its examples, and the
others go on to the next part. What the last one has too many of is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass

from beat_the_ai.dataset.balance import ranked


@dataclass(frozen=True)
class Eligible:
    """An example that might be in a part. `context` is the same for the same text."""

    id: str
    context: Hashable
    exclusive: bool


@dataclass(frozen=True)
class Fit:
    """The contexts that leave a part, and the ids of the examples of the others that it has too many of."""

    leaving: frozenset[Hashable] = frozenset()
    surplus: frozenset[str] = frozenset()


def fit(
    examples: Iterable[Eligible],
    contexts: Sequence[Hashable],
    wanted: int,
    *,
    most_exclusive: int | None,
    may_leave: Collection[Hashable],
    seed: int,
) -> Fit:
    """Choose `wanted` examples of a part, of which at most so many are by exclusive writers.

    `contexts` are those of the part in the order of the seed. Those that may not leave come first.
    """
    exclusive, others = list[str](), defaultdict[Hashable, list[str]](list)
    for one in examples:
        (exclusive if one.exclusive else others[one.context]).append(one.id)
    most = wanted if most_exclusive is None else min(wanted, most_exclusive)
    surplus = ranked(exclusive, seed)[most:]
    room = wanted - min(most, len(exclusive))
    leaving = set()
    for context in sorted(contexts, key=lambda each: each in may_leave):
        if not room and context in may_leave:
            leaving.add(context)
            continue
        mine = ranked(others[context], seed)
        surplus += mine[room:]
        room -= min(room, len(mine))
    return Fit(frozenset(leaving), frozenset(surplus))
