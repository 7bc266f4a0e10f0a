"""The base of all parts of the configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict


class ConfigGroup(BaseModel):
    """A part of the configuration; a key that it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of nested settings by their dotted keys; an empty mapping is a value."""
    for name, value in tree.items():
        if isinstance(value, Mapping) and value:
            yield from leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value
