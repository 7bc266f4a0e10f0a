"""Slow hashes of passwords and access codes: scrypt (RFC 7914), a few at a time."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from threading import BoundedSemaphore

COST, BLOCK_SIZE = 2**14, 8  # 16 MiB and some tens of milliseconds a hash
SALT_BYTES, DIGEST_BYTES = 16, 32
_TURNS = BoundedSemaphore(4)


def new_salt() -> str:
    """In hexadecimal digits, as all of this is stored."""
    return secrets.token_hex(SALT_BYTES)


def digest(plain: str, salt: str) -> str:
    with _TURNS:
        hashed = hashlib.scrypt(
            plain.encode("utf-8", "replace"), salt=bytes.fromhex(salt), n=COST, r=BLOCK_SIZE, p=1, dklen=DIGEST_BYTES
        )
    return hashed.hex()


def no_digest() -> str:
    """Return a digest that nothing has."""
    return "-" * DIGEST_BYTES


def matches(plain: str, kept: tuple[str, str] | None) -> bool:
    """Return whether `plain` was kept as (salt, digest). The check takes as long if nothing was kept (None)."""
    salt, expected = kept or ("00" * SALT_BYTES, "00" * DIGEST_BYTES)
    return hmac.compare_digest(digest(plain, salt), expected) and kept is not None
