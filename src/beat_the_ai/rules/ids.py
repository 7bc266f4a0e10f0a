"""Ids that follow from what they name."""

from __future__ import annotations

import hashlib
import hmac
import secrets


def short_hash(*parts: object) -> str:
    """Return a stable id of 24 hexadecimal digits, the same for the same parts in every run."""
    text = "\x1f".join(str(part) for part in parts)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def keyed_hash(name: str, key: str) -> str:
    """Return 16 hexadecimal digits that stand for a name, of no use to anybody without the key."""
    return hmac.new(key.encode(), name.encode(), hashlib.sha256).hexdigest()[:16]


def worker_pseudonym(worker: str, key: str) -> str:
    """Return a worker's stand-in in all that leaves a campaign, by the campaign's key."""
    return f"w-{keyed_hash(worker, key)}"


def new_pseudonym() -> str:
    """Return a random stand-in for an erased person, in the form of a crowd's worker id. Nobody is found by it."""
    return f"AFORGOTTEN{secrets.token_hex(16).upper()}"
