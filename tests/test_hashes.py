"""Passwords as they are kept outside of tests, which share one salt."""

from __future__ import annotations

from beat_the_ai.web.hashing import SALT_BYTES, digest
from tests.hashes import NEW_SALT


def test_each_salt_is_another_and_gives_another_digest() -> None:
    salts = {NEW_SALT() for _ in range(20)}
    assert len(salts) == 20
    assert {len(bytes.fromhex(salt)) for salt in salts} == {SALT_BYTES}
    one, other = sorted(salts)[:2]
    assert digest("correct horse battery", one) != digest("correct horse battery", other)
