"""Ids that follow from what they name."""

from __future__ import annotations

import hashlib


def short_hash(*parts: object) -> str:
    """Return a stable id of 24 hexadecimal digits, the same for the same parts in every run."""
    text = "\x1f".join(str(part) for part in parts)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
