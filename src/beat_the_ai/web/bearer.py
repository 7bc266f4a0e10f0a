"""The token of a request: `Authorization: Bearer TOKEN`."""

from __future__ import annotations

from collections.abc import Mapping
from secrets import compare_digest


def is_bearer(headers: Mapping[str, str], token: str) -> bool:
    """Return whether the headers of a request carry the token, in a time that tells nothing of it."""
    return compare_digest(headers.get("authorization", "").encode(), f"Bearer {token}".encode())
