"""Ids in the shape of Prolific's: 24 hexadecimal digits."""

from __future__ import annotations

import re
import secrets

SHAPE = re.compile(r"[0-9a-f]{24}", re.ASCII)


def new_id() -> str:
    """Return a new id of anything."""
    return secrets.token_hex(12)


def is_id(text: str) -> bool:
    """Return whether a text has the shape of an id."""
    return SHAPE.fullmatch(text) is not None
