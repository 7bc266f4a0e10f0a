"""The secret part of a link: drawn at random, told once, and kept as a hash."""

from __future__ import annotations

import hashlib
import secrets

TOKEN_BYTES = 20


def new_token() -> str:
    """Return 160 random bits in hexadecimal digits."""
    return secrets.token_hex(TOKEN_BYTES)


def digest(token: str) -> str:
    """Return the hash under which a token is kept. A random token needs no slow one."""
    return hashlib.sha256(token.encode()).hexdigest()
