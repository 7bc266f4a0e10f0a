"""A slow hash of the same password is computed once in a process of tests: salts are all alike there.

Its digests are what every program computes, so accounts that a test makes open the pages of real processes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from beat_the_ai.web import hashing

SALT, NEW_SALT = "5a" * hashing.SALT_BYTES, hashing.new_salt


@pytest.fixture(autouse=True, scope="session")
def hashed_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing, "digest", cache(hashing.digest))
        patch.setattr(hashing, "new_salt", lambda: SALT)
        yield
