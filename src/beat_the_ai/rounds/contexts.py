"""Which contexts a round uses: a seeded draw that does not change when the file gets longer at its end."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from beat_the_ai.rules.protocol import Context


def draw_contexts(contexts: Sequence[Context], seed: int, count: int) -> list[Context]:
    """`count` contexts (all, if there are fewer), those with the smallest keyed hashes, in the order of that hash."""
    key = hashlib.blake2b(str(seed).encode()).digest()
    ranked = sorted(contexts, key=lambda context: hashlib.blake2b(context.id.encode(), key=key).digest())
    return ranked[:count]
