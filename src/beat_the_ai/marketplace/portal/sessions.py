"""The portal's signatures: sessions, the tokens of forms, and the right to submit an assignment from another site.

A requester's page stands in a frame of another site and posts the answers from there, where browsers send no cookie. So
the address that it posts to carries a proof. The proof is made for one assignment, and only its worker's page knows it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import datetime

from itsdangerous import BadData, URLSafeSerializer

from beat_the_ai.marketplace import credentials, settings
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people.person import MAY_WORK, person_of

COOKIE = "worker_session"
SECRET = "portal_secret"  # noqa: S105 - the name of a row


@dataclass(frozen=True)
class Session:
    """`worker_id` is None until somebody signs in; `until` is in seconds since 1970.

    `browser` stays the same when another session follows in the same browser. `visit` is the study and the session at
    the recruiter of somebody whom a recruiter has sent: nothing but that visit is open to them.
    """

    nonce: str
    worker_id: str | None
    epoch: int
    until: float
    browser: str
    visit: Sequence[str] | None = None


class Seal:
    """Signs with a secret of the store's own, so that sessions outlive the process."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()
        self._sessions = URLSafeSerializer(secret, salt="worker session")

    @classmethod
    def of(cls, market: Market) -> Seal:
        with market.reading() as moment:
            secret = _stored(moment)
        if secret is None:
            with market.writing() as moment:
                secret = _stored(moment) or secrets.token_urlsafe(32)
                if _stored(moment) is None:
                    settings.put(moment, SECRET, secret)
        return cls(secret)

    def close(self, session: Session) -> str:
        return str(self._sessions.dumps(astuple(session)))

    def open(self, sealed: str) -> Session | None:
        """None for whatever was not sealed here."""
        try:
            return Session(*self._sessions.loads(sealed))
        except (BadData, TypeError):
            return None

    def form_token(self, session: Session) -> str:
        return self._sign("form", session.nonce)

    def proof(self, assignment_id: str, worker_id: str) -> str:
        return self._sign("submit", f"{assignment_id}:{worker_id}")

    def arrival(self, study: str, person: str, session: str, browser: str) -> str:
        """Return the proof that a browser has opened the link of a person and a session."""
        return self._sign("arrival", f"{study}:{person}:{session}:{browser}")

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.new(self._secret, f"{purpose}:{text}".encode(), hashlib.sha256).hexdigest()


def new_session(
    now: datetime,
    worker_id: str | None = None,
    epoch: int = 0,
    *,
    browser: str | None = None,
    visit: Sequence[str] | None = None,
) -> Session:
    until = (now + credentials.SESSION_LASTS).timestamp()
    return Session(secrets.token_urlsafe(18), worker_id, epoch, until, browser or secrets.token_urlsafe(18), visit)


def is_valid(moment: Moment, session: Session) -> bool:
    """Not over yet, and the worker may work, and has neither signed out nor been given another code since."""
    if moment.now.timestamp() > session.until:
        return False
    if session.worker_id is None:
        return True
    credential, person = credentials.find(moment, session.worker_id), person_of(moment, session.worker_id)
    may_work = person is None or person.state == MAY_WORK
    return may_work and credential is not None and credential.epoch == session.epoch


def _stored(moment: Moment) -> str | None:
    value = settings.get(moment, SECRET)
    return None if value is None else str(value)
