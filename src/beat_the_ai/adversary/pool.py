"""The pool: the models a campaign plays against, of which one is drawn for each attempt (Nie et al. 2019, §2.1).

The draw depends on the seed, the key of the attempt and the names in the pool alone, so it can be computed again from
what is recorded. It is the highest of one keyed hash per member (rendezvous hashing): the order in which members are
configured does not matter, and one more member takes its share of the keys without reshuffling the others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from beat_the_ai.errors import InvalidInput


@dataclass(frozen=True)
class Member:
    """A model of the pool: its name on the server that serves it, that server's address, and what it asks for."""

    name: str
    base_url: str
    token: str | None = field(default=None, repr=False)


class Pool:
    """Named members and the seeded draw among them."""

    def __init__(self, members: Iterable[Member], seed: int) -> None:
        self.members = tuple(members)
        self._hash_key = hashlib.blake2b(str(seed).encode()).digest()
        names = [member.name for member in self.members]
        if not names:
            raise InvalidInput("pool", "The pool is empty. Name at least one model.")
        if repeated := sorted({name for name in names if names.count(name) > 1}):
            raise InvalidInput("pool", f"{repeated[0]!r} stands in the pool twice. Each member needs its own name.")

    def draw(self, key: str, among: Collection[str] = ()) -> Member:
        """The member that answers the attempt `key`; each is equally likely, of all or of those `among` some names."""
        members = [member for member in self.members if member.name in among] if among else self.members
        return max(members, key=lambda member: self._rank(key, member.name))

    def _rank(self, key: str, name: str) -> bytes:
        return hashlib.blake2b(json.dumps([key, name]).encode(), key=self._hash_key).digest()
