"""The contexts of a round: a seeded draw that does not change when the file gets longer at its end.

The same text is the same context, whatever its id.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from beat_the_ai.rules.protocol import Context


class Identified(Protocol):
    """Anything with an id: a context, or its text alone."""

    @property
    def id(self) -> str: ...


IdentifiedT = TypeVar("IdentifiedT", bound=Identified)


def same_text(text: str) -> str:
    """Return a key that texts share if they differ only in case, spacing and the form of characters (NFKC)."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def draw_contexts(contexts: Sequence[IdentifiedT], seed: int, count: int) -> list[IdentifiedT]:
    """`count` contexts (all, if there are fewer), those with the smallest keyed hashes, in the order of that hash."""
    key = hashlib.blake2b(str(seed).encode()).digest()
    ranked = sorted(contexts, key=lambda context: hashlib.blake2b(context.id.encode(), key=key).digest())
    return ranked[:count]


def draw_in_balance(
    contexts: Sequence[Context], seed: int, count: int, group: Callable[[Context], str]
) -> list[Context]:
    """As `draw_contexts`, but every prefix of the draw holds each group in proportion, up to rounding."""
    ranked = draw_contexts(contexts, seed, len(contexts))
    groups: dict[str, list[Context]] = defaultdict(list)
    for context in ranked:
        groups[group(context)].append(context)
    place = {
        context.id: (number + 0.5) / len(members)
        for members in groups.values()
        for number, context in enumerate(members)
    }
    return sorted(ranked, key=lambda context: place[context.id])[:count]
