"""Origins, as a Content-Security-Policy has them."""

from __future__ import annotations

from urllib.parse import urlsplit

LOOPBACK = ("127.0.0.1", "localhost")


def origins(address: str) -> tuple[str, ...]:
    """Return the origins of an address; this machine is known by two names."""
    parts = urlsplit(address)
    port = f":{parts.port}" if parts.port else ""
    names = LOOPBACK if parts.hostname in LOOPBACK else (parts.hostname,)
    return tuple(f"{parts.scheme}://{name}{port}" for name in names)
