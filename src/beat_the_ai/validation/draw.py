"""Which works a validator gets: the least validated first, in an order that the seed decides; gold among them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from beat_the_ai.store.validations import Chosen
from beat_the_ai.validation.need import Need

Identity = Callable[[Mapping[str, Any]], str]


def draw_works(needs: Iterable[Need], worker: str, count: int, *, seed: int, same_context: bool) -> list[Need]:
    """Up to `count` works that this worker may check.

    They come context by context, so that each is read once. With `same_context` a context is taken as a whole, starting
    with the one of the least validated work.
    """
    ranked = sorted(
        (need for need in needs if need.open_to(worker)),
        key=lambda need: (need.votes + need.pending, _hash(seed, need.candidate.attempt_id)),
    )
    drawn = _by_context(ranked)[:count] if same_context else ranked[:count]
    return _by_context(drawn)


def _by_context(ranked: Sequence[Need]) -> list[Need]:
    contexts: dict[str, list[Need]] = {}
    for need in ranked:
        contexts.setdefault(need.candidate.context_id, []).append(need)
    return [need for together in contexts.values() for need in together]


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
    usable = [(name, work) for name, work in references if gold_key(name, work, identity) not in avoid]
    usable.sort(key=lambda reference: _hash(seed, f"{key}/{gold_key(reference[0], reference[1], identity)}"))
    return usable[:count]


def gold_key(context_id: str, work: Mapping[str, Any], identity: Identity) -> str:
    """By which a work is known again, whoever wrote it."""
    return f"{context_id}\x1f{identity(work)}"


def mixed(works: Sequence[Need], gold: Sequence[tuple[str, Mapping[str, Any]]], *, key: str) -> list[Chosen]:
    """The works of a HIT in the order in which they are asked, with gold at places that the key decides."""
    chosen: list[Chosen] = [(need.candidate.context_id, need.candidate.attempt_id, None) for need in works]
    chance = random.Random(key)  # noqa: S311  # a draw that can be repeated, not a secret
    for context_id, work in gold:
        chosen.insert(chance.randint(0, len(chosen)), (context_id, None, work))
    return chosen


def _hash(seed: int, key: str) -> bytes:
    return hashlib.blake2b(key.encode(), key=hashlib.blake2b(str(seed).encode()).digest()).digest()
