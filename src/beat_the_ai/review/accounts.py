"""The reviewers: accounts with passwords, and sessions, for each of which a browser holds a random token.

The store keeps scrypt hashes of passwords and SHA-256 hashes of tokens: nobody who reads it can sign in with them.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.rules.roles import Right, Role
from beat_the_ai.rules.text import clean_line
from beat_the_ai.store import Account, AccountSession, Store, now
from beat_the_ai.web import passwords
from beat_the_ai.web.throttle import Throttle

LASTS = timedelta(hours=12)
MAX_NAME_CHARS = 80
WRONG = "There is no reviewer with this name and password. Check both."
TOO_OFTEN = "Too many wrong passwords. Please try again in a quarter of an hour."


class NotSignedIn(Refused):
    """The session is over or never was, or the name and the password do not fit."""

    code = "not_signed_in"


class NotAllowed(Refused):
    """The role of an account does not have the right that is needed."""

    code = "not_allowed"


class TooOften(Refused):
    """Too many wrong passwords from one place."""

    code = "too_often"


@dataclass(frozen=True)
class Reviewer:
    """The person who acts, with their role.

    `machine_user` is the account on the machine for an act on the command line; on the page it is empty.
    """

    name: str
    role: Role
    machine_user: str = ""

    def may(self, right: Right) -> bool:
        """Return whether this person's role has a right."""
        return self.role.may(right)

    def check(self, right: Right) -> None:
        """Raise `NotAllowed` unless this person's role has the right."""
        if not self.may(right):
            raise NotAllowed(f"{self.name} has the role {self.role.value}. {right.sentence}")


def new_account(
    store: Store, name: str, password: str, clock: Callable[[], datetime] = now, *, role: Role = Role.REVIEWER
) -> Account:
    """Raises `InvalidInput` for a name or password that cannot be used, `Refused` for a name that is taken."""
    cleaned = check_name(name)
    account = Account(cleaned, *passwords.hashed(password, cleaned), role, clock())
    store.accounts.add(account)
    return account


def new_password(store: Store, name: str, password: str) -> None:
    """In place of the one before, which ends all sessions; lets a removed reviewer in again. Raises `UnknownName`."""
    store.accounts.set_password(name, *passwords.hashed(password, name))


def is_password(password: str, account: Account | None) -> bool:
    """Return whether the password lets the account's holder in. A missing or removed account takes as long."""
    open_ = account if account is not None and account.removed_at is None else None
    return passwords.matches(password, None if open_ is None else (open_.salt, open_.digest))


def check_name(name: str) -> str:
    return clean_line("name", name, max_chars=MAX_NAME_CHARS)


@dataclass(frozen=True)
class SignedIn:
    """A reviewer with a session. `form_token` has to come with every change; other sites cannot know it."""

    reviewer: Reviewer
    sees_all: bool
    session_id: str
    form_token: str


class Door:
    """Signing in and out."""

    def __init__(self, store: Store, clock: Callable[[], datetime] = now) -> None:
        self._store = store
        self._clock = clock
        self._throttle = Throttle()

    def enter(self, name: str, password: str, address: str, token: str = "") -> str:
        """Return a new session's token, or begin the session of a token. Raises `NotSignedIn` and `TooOften`.

        Every try is in the log.
        """
        at = self._clock()
        try:
            known = check_name(name)
        except InvalidInput:
            known = ""
        if not self._throttle.admit(address, known, at):
            raise TooOften(TOO_OFTEN)
        account = self._store.accounts.get(known)
        if not is_password(password, account) or account is None:
            # An unknown name is not written down: it may be a password that was typed into the wrong field.
            self._store.audit.add(at, account.name if account else "", "sign_in_failed", note=f"from {address}")
            raise NotSignedIn(WRONG)
        self._throttle.succeeded(address, known, at)
        token = token or secrets.token_urlsafe(32)
        self._store.audit.add(at, known, "sign_in", note=f"from {address}")
        if not self._store.accounts.begin(AccountSession(_id(token), known, at + LASTS), account, at):
            self._store.audit.add(
                at, known, "sign_in_failed", note=f"from {address}: the account was changed meanwhile"
            )
            raise NotSignedIn(WRONG)
        return token

    def who(self, token: str) -> SignedIn | None:
        """None for whatever no session is of."""
        session = self._store.accounts.session(_id(token), self._clock())
        if session is None:
            return None
        form_token = hmac.new(token.encode(), b"form", hashlib.sha256).hexdigest()
        return SignedIn(Reviewer(session.reviewer, session.role), session.sees_all, session.id, form_token)

    def knows(self, visitor: SignedIn) -> bool:
        """Return whether a session is one of this store."""
        return self._store.accounts.session(visitor.session_id, self._clock()) is not None

    def leave(self, visitor: SignedIn) -> None:
        self._store.audit.add(self._clock(), visitor.reviewer.name, "sign_out")
        self._store.accounts.end(visitor.session_id)


def _id(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
