"""The keys by which pages prove that a session is theirs, where no crowd vouches for anybody (the `mock` provider).

A browser draws a key and sends it with every registration. Whoever guesses the names of a worker and an assignment does
not have it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

from beat_the_ai.errors import Refused
from beat_the_ai.messages import said


class OpenElsewhere(Refused):
    """Another browser has registered this HIT."""

    code = "elsewhere"


class PageKeys:
    """The keys of pages by registration; only hashes are kept."""

    def __init__(self) -> None:
        self._digests: dict[str, str] = {}

    def check(self, page: Mapping[str, Any]) -> None:
        """Raises `OpenElsewhere` when another browser has registered before."""
        registration, digest = str(page["agent_registration_id"]), _digest(page.get("page_key"))
        if not hmac.compare_digest(self._digests.setdefault(registration, digest), digest):
            raise OpenElsewhere(said("refusals.open_elsewhere"))

    def digest(self, registration: str) -> str:
        return self._digests.get(registration, _digest(None))

    def restore(self, registration: str, digest: str) -> None:
        """As it was kept by an operator that died."""
        self._digests[registration] = digest

    def forget(self, registration: str) -> None:
        """Nothing came of a registration."""
        self._digests.pop(registration, None)


def _digest(key: object) -> str:
    """Pages that know of no keys all have the same one."""
    return hashlib.sha256(str(key or "").encode("utf-8", "replace")).hexdigest()
