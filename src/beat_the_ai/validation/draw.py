"""The draw of a validator's works: the least validated first, in an order that the seed decides; gold among them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from beat_the_ai.store import OpenWork
from beat_the_ai.store.validations import Chosen

LOT_DIGITS = 32

Identity = Callable[[Mapping[str, Any]], str]


def draw_works(ranked: Sequence[OpenWork], count: int, *, same_context: bool) -> list[OpenWork]:
    """Up to `count` of these works, which are given by their rank.

    They come context by context, so that each is read once. With `same_context` a context is taken as a whole, starting
    with the one of the least validated work.
    """
    drawn = _by_context(ranked)[:count] if same_context else ranked[:count]
    return _by_context(drawn)


def _by_context(ranked: Sequence[OpenWork]) -> list[OpenWork]:
    contexts: dict[str, list[OpenWork]] = {}
    for need in ranked:
        contexts.setdefault(need.context_id, []).append(need)
    return [need for together in contexts.values() for need in together]


def lot_of(seed: int, attempt_id: str) -> str:
    """The place of a work among those that have as many votes."""
    return _hash(seed, attempt_id).hex()[:LOT_DIGITS]


def draw_gold(
    references: Sequence[tuple[str, Mapping[str, Any]]],
    avoid: Collection[str],
    count: int,
    *,
    identity: Identity,
    seed: int,
    key: str,
) -> list[tuple[str, Mapping[str, Any]]]:
    """`count` of the (context, work) in `references`, fewer if there are no more, drawn by seed and key.

    Works whose key is in `avoid` (the worker saw it before, or it is in the HIT anyway) are passed over; `identity` is
    that of the kind of task.
    """
    drawn: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for place in _shuffled(len(references), f"{seed}/{key}"):
        if len(drawn) == count:
            break
        name, work = references[place]
        mark = gold_key(name, work, identity)
        if mark not in avoid:
            drawn.setdefault(mark, references[place])
    return list(drawn.values())


def _shuffled(length: int, key: str) -> Iterator[int]:
    """The numbers below `length` in an order that the key decides, found one by one (Fisher and Yates)."""
    rng, moved = random.Random(key), dict[int, int]()  # noqa: S311  # a draw that can be repeated, not a secret
    for last in range(length - 1, -1, -1):
        place = rng.randint(0, last)
        yield moved.get(place, place)
        moved[place] = moved.get(last, last)


def gold_key(context_id: str, work: Mapping[str, Any], identity: Identity) -> str:
    """Return the key of a work, which is the same whoever wrote it."""
    return f"{context_id}\x1f{identity(work)}"


def mixed(works: Sequence[OpenWork], gold: Sequence[tuple[str, Mapping[str, Any]]], *, key: str) -> list[Chosen]:
    """The works of a HIT in the order in which they are asked, with gold at places that the key decides."""
    chosen: list[Chosen] = [(need.context_id, need.attempt_id, None) for need in works]
    rng = random.Random(key)  # noqa: S311  # a draw that can be repeated, not a secret
    for context_id, work in gold:
        chosen.insert(rng.randint(0, len(chosen)), (context_id, None, work))
    return chosen


def _hash(seed: int, key: str) -> bytes:
    return hashlib.blake2b(key.encode(), key=hashlib.blake2b(str(seed).encode()).digest()).digest()
