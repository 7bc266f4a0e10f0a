"""The signature on a transcript (Ed25519). Keys and signatures are hexadecimal digits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_HEX = re.compile(r"[0-9a-f]+")


def public_key(signing_key: str) -> str:
    """Return the public key that belongs to a private one, of 32 bytes."""
    return _private(signing_key).public_key().public_bytes_raw().hex()


def signed(text: str, signing_key: str) -> str:
    """Return the signature on a text."""
    return _private(signing_key).sign(text.encode()).hex()


def is_signed(text: str, signature: str, key: str) -> bool:
    """Return whether a signature on a text is by the owner of that public key, whatever these are."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if not (_HEX.fullmatch(signature) and _HEX.fullmatch(key)):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def _private(signing_key: str) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(signing_key))
