"""The key that signs the addresses of secure studies: RS256, published as a JSON Web Key Set."""

from __future__ import annotations

import json
import secrets
from datetime import datetime, timedelta, timezone
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from jwt.algorithms import RSAAlgorithm

ISSUER = "https://www.prolific.com"
PARAMETER = "prolific_token"
VALID_FOR = timedelta(minutes=2)
KEY_BITS = 2048


def new_key() -> tuple[str, str]:
    """Return a new key's id, and the key in PEM."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return secrets.token_hex(8), pem.decode()


def public_keys(key_id: str, pem: str) -> dict[str, Any]:
    """Return the key set that verifies what the key signs."""
    key = load_pem_private_key(pem.encode(), None)
    assert isinstance(key, rsa.RSAPrivateKey), "the store's key is RSA"
    numbers = json.loads(RSAAlgorithm.to_jwk(key.public_key()))
    jwk = {"kty": "RSA", "kid": key_id, "alg": "RS256", "n": numbers["n"], "e": numbers["e"]}
    return {"keys": [{**jwk, "use": "sig", "key_ops": ["verify"]}]}


def signed(url: str, submission_id: str, workspace_id: str, key_id: str, pem: str) -> str:
    """Return the address with its `prolific_token`, which says the same as its parameters.

    It is dated by the time of day: a rehearsal's clock may be months ahead of the one that verifies it.
    """
    parts = urlsplit(url)
    issued = datetime.now(timezone.utc)
    claims = {
        "iss": ISSUER,
        "iat": int(issued.timestamp()),
        "exp": int((issued + VALID_FOR).timestamp()),
        "aud": url,
        "sub": submission_id,
        "prolific": {**dict(parse_qsl(parts.query, keep_blank_values=True)), "workspace_id": workspace_id},
    }
    token = jwt.encode(claims, pem, algorithm="RS256", headers={"kid": key_id})
    query = "&".join(filter(None, (parts.query, urlencode({PARAMETER: token}))))
    return urlunsplit(parts._replace(query=query))
