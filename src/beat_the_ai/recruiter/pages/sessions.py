"""The sessions of the pages. No password: a participant id is all that a local stand-in asks for."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import astuple, dataclass

from itsdangerous import BadData, URLSafeSerializer

COOKIE = "participant_session"
COOKIE_SECONDS = 90 * 86_400


@dataclass(frozen=True)
class Session:
    """A browser's session; `participant_id` is None until somebody signs in."""

    nonce: str
    participant_id: str | None = None


class Seal:
    """Signs with a secret of the store's own, so that sessions outlive the process."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()
        self._sessions = URLSafeSerializer(secret, salt="participant session")

    def close(self, session: Session) -> str:
        return str(self._sessions.dumps(astuple(session)))

    def open(self, sealed: str) -> Session | None:
        """Return the session, None for whatever was not sealed here."""
        try:
            return Session(*self._sessions.loads(sealed))
        except (BadData, TypeError):
            return None

    def form_token(self, session: Session) -> str:
        return hmac.new(self._secret, f"form:{session.nonce}".encode(), hashlib.sha256).hexdigest()


def new_session(participant_id: str | None = None) -> Session:
    """Return a session that no other one can be taken for."""
    return Session(secrets.token_urlsafe(18), participant_id)
