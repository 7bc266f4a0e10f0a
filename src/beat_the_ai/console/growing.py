"""A mapping that grows while other threads look at it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from threading import Lock
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


class Growing(Mapping[KeyT, ValueT], Generic[KeyT, ValueT]):
    """A mapping to which entries are added. Whoever goes through it has it as it was at the beginning."""

    def __init__(self, content: Mapping[KeyT, ValueT]) -> None:
        self._content: Mapping[KeyT, ValueT] = dict(content)
        self._lock = Lock()

    def add(self, key: KeyT, value: ValueT) -> None:
        with self._lock:
            self._content = {**self._content, key: value}

    def __getitem__(self, key: KeyT) -> ValueT:
        return self._content[key]

    def __iter__(self) -> Iterator[KeyT]:
        return iter(self._content)

    def __len__(self) -> int:
        return len(self._content)
