"""The examples in a kind's files, as far as experiments need them: to draw some of them, and to write these down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True)
class Sample:
    """An example with its gold answer. `context` is a text, `document` what that is from, `content` the kind's own.

    `groups` are what its file says of it: `{"genre": "news"}`.
    """

    id: str
    document: str
    context: str
    content: Any
    groups: Mapping[str, str] = field(default_factory=dict)


class Samples(Protocol):
    """Files on which the kind's models are trained and measured."""

    @property
    def suffix(self) -> str:
        """Return the end of a file's name, with the dot."""

    def read(self, path: Path) -> list[Sample]:
        """In the order of the file. Raises `InvalidInput` that names the file and what is wrong there."""

    def text(self, samples: Sequence[Sample]) -> str:
        """The content of a file with these, as `read` reads it."""
