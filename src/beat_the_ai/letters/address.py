"""The address of a worker's page: a secret that names the worker, and that only the campaign can make."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

from beat_the_ai.store import Campaign

PATH = "/letters"
MAX_TOKEN_CHARS = 600  # a worker id has at most 255
_PURPOSE = b"letters 1"


def token_of(campaign: Campaign, worker: str) -> str:
    """Return the last part of the address of a worker's page."""
    name = base64.urlsafe_b64encode(worker.encode()).rstrip(b"=").decode()
    return f"{name}.{_signature(campaign, worker)}"


def worker_of(campaign: Campaign, token: str) -> str | None:
    """Return whose page a token opens; None for one that the campaign has not made."""
    name, _, signature = token.partition(".")
    if len(token) > MAX_TOKEN_CHARS or not token.isascii():
        return None
    try:
        worker = base64.b64decode(name + "=" * (-len(name) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return worker if hmac.compare_digest(signature, _signature(campaign, worker)) else None


def address_of(campaign: Campaign, worker: str, base: str) -> str:
    """Return the address of a worker's page on the campaign's server."""
    return f"{base.rstrip('/')}{PATH}/{token_of(campaign, worker)}"


def _signature(campaign: Campaign, worker: str) -> str:
    key = hmac.digest(campaign.pseudonym_key.encode(), _PURPOSE, hashlib.sha256)
    return hmac.new(key, f"{campaign.id}\n{worker}".encode(), hashlib.sha256).hexdigest()
