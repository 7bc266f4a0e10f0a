"""Signed links: the token with which Prolific says who arrives, and the keys that it is checked with.

Source: `is_external_study_url_secure` in Prolific's OpenAPI document. A token is a JWT (RS256); `exp` is two minutes
after `iat`, `aud` the study's address, `sub` the session, and the claim `prolific` has the parameters of the link.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import jwt
from jwt.types import Options

from beat_the_ai.errors import PaymentError, Refused, Unanswered

ISSUER = "https://www.prolific.com"
PARAMETER = "prolific_token"
KEPT_FOR = timedelta(days=1)
BETWEEN_RENEWALS = timedelta(seconds=30)  # for keys that are not known: strangers can invent them
LEEWAY_SECONDS = 10  # between two clocks
MAX_CHARACTERS = 8_000
# Times are checked by the marketplace's clock, and the address without its parameters.
OPTIONS: Options = {
    "require": ["iss", "iat", "exp", "aud", "sub"],
    "verify_exp": False,
    "verify_iat": False,
    "verify_aud": False,
    "verify_sub": False,
}
NOT_SIGNED = "This link is not signed by Prolific. Open the study from Prolific's page, not from a copy of its address."
TOO_OLD = "This link is too old: it holds for two minutes. Open the study from Prolific's page again."
OF_ANOTHER = "This link was signed for another study or person. Open the study from Prolific's page."
NO_KEYS = "Prolific's keys cannot be read at the moment. Please reload this page in a minute."


class KeySet:
    """Prolific's public keys: kept for a day, and read anew for a key that is unknown.

    While they cannot be read, the last ones stay good.
    """

    def __init__(self, read: Callable[[], Any]) -> None:
        self._read = read
        self._keys: dict[str, jwt.PyJWK] = {}
        self._read_at: datetime | None = None
        self._tried_at: datetime | None = None
        self._lock = Lock()

    def key(self, kid: str, now: datetime) -> jwt.PyJWK | None:
        """Return a key by its id. Raises `PaymentError` where the keys cannot be read."""
        with self._lock:
            is_old = self._read_at is None or now - self._read_at >= KEPT_FOR
            may_try = self._tried_at is None or now - self._tried_at >= BETWEEN_RENEWALS
            if may_try and (is_old or kid not in self._keys):
                self._tried_at = now
                self._renew(now)
            if self._read_at is None:
                raise Unanswered("Prolific's keys could not be read a moment ago.")
            return self._keys.get(kid)

    def _renew(self, now: datetime) -> None:
        try:
            published = self._read()
        except PaymentError:
            if self._read_at is None:
                raise
            return
        self._keys = {one.key_id: one for one in jwt.PyJWKSet.from_dict(published).keys if one.key_id}
        self._read_at = now


def check_token(keys: KeySet, token: str, asked: Mapping[str, str], address: str, session: str, now: datetime) -> None:
    """Check that Prolific signed this link, for this address and session, less than two minutes ago.

    `asked` are the parameters of the link that the token has to repeat, with the workspace. Raises `Refused`.
    """
    try:
        header = jwt.get_unverified_header(token[:MAX_CHARACTERS])
        key = keys.key(str(header.get("kid")), now)
        if key is None or header.get("alg") != "RS256":
            raise Refused(NOT_SIGNED)
        claims = jwt.decode(
            token,
            key,
            algorithms=["RS256"],
            issuer=ISSUER,
            options=OPTIONS,
        )
    except jwt.PyJWTError as error:
        raise Refused(NOT_SIGNED) from error
    except PaymentError as error:
        raise Refused(NO_KEYS) from error
    _check_time(claims, now)
    said = claims.get("prolific")
    if not isinstance(said, dict) or any(said.get(name) != value for name, value in asked.items()):
        raise Refused(OF_ANOTHER)
    if claims["sub"] != session or _place(claims["aud"]) != _place(address):
        raise Refused(OF_ANOTHER)


def _check_time(claims: Mapping[str, Any], now: datetime) -> None:
    try:
        begins, ends = float(claims["iat"]), float(claims["exp"])
    except (TypeError, ValueError) as error:
        raise Refused(NOT_SIGNED) from error
    if not begins - LEEWAY_SECONDS <= now.timestamp() <= ends + LEEWAY_SECONDS:
        raise Refused(TOO_OLD)


def _place(address: Any) -> tuple[str, str]:
    """Return the site and the path of an address."""
    parts = urlsplit(str(address))
    return f"{parts.scheme}://{parts.netloc}".lower(), parts.path
