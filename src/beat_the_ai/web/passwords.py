"""Passwords that people choose, kept as scrypt hashes. Length is the only rule, as in NIST SP 800-63B."""

from __future__ import annotations

import unicodedata

from beat_the_ai.errors import InvalidInput
from beat_the_ai.messages import said
from beat_the_ai.web import hashing

MIN_CHARACTERS, MAX_CHARACTERS = 12, 200


def hashed(password: str, name: str) -> tuple[str, str]:
    """Return (salt, digest). Raises `InvalidInput` for a password that is too short, too long, or the name."""
    plain = _plain(password)
    if not MIN_CHARACTERS <= len(plain) <= MAX_CHARACTERS:
        limits = {"least": MIN_CHARACTERS, "most": MAX_CHARACTERS}
        raise InvalidInput("password", said("elsewhere.password.length", count=len(plain), **limits))
    if plain.casefold() == name.casefold():
        raise InvalidInput("password", said("elsewhere.password.name"))
    salt = hashing.new_salt()
    return salt, hashing.digest(plain, salt)


def matches(password: str, kept: tuple[str, str] | None) -> bool:
    """Return whether the password was kept as (salt, digest). The check takes as long if nothing was kept (None)."""
    return hashing.matches(_plain(password), kept)


def _plain(password: str) -> str:
    """Keyboards differ in how they write the same letter."""
    return unicodedata.normalize("NFKC", password[: MAX_CHARACTERS + 1])
