"""One sign-in to several stores: a session in each that has an account of this name with this password."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from beat_the_ai.console.growing import Growing
from beat_the_ai.errors import StoreAway
from beat_the_ai.review import Door, Reviewer
from beat_the_ai.review.accounts import WRONG, NotSignedIn, SignedIn, TooOften
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import Store, now

SCRIPT = "a script"
AWAY_SECONDS = 10.0  # for which a store is not asked again
SOME_AWAY = "Some campaigns do not answer at the moment. If yours is one of them, try again later."

AnswerT = TypeVar("AnswerT")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Guest:
    """Somebody who has signed in, with the session in each store that knows them."""

    sessions: Mapping[Store, SignedIn]

    @property
    def name(self) -> str:
        return self._any.reviewer.name

    @property
    def form_token(self) -> str:
        """The same in all stores: it follows from the one token of all sessions."""
        return self._any.form_token

    def role(self, store: Store) -> Role | None:
        """Return the role in a store; None where the store does not know this person."""
        session = self.sessions.get(store)
        return None if session is None else session.reviewer.role

    @property
    def _any(self) -> SignedIn:
        return next(iter(self.sessions.values()))


class Doors:
    """Signing in to all stores, and out of them. `look` adds those that have appeared, before somebody signs in.

    A store that does not answer is left out for some seconds: the others let people in meanwhile.
    """

    def __init__(
        self, stores: Iterable[Store], clock: Callable[[], datetime] = now, look: Callable[[], object] = lambda: None
    ) -> None:
        self._look = look
        self._clock = clock
        self._doors = Growing({store: Door(store, clock) for store in stores})
        self._away_until: dict[Store, float] = {}

    @property
    def away(self) -> list[Store]:
        """The stores that did not answer when they were last asked."""
        return [store for store in self._doors if self._is_away(store)]

    def add(self, store: Store) -> None:
        """Let people into one store more, unless they are let in."""
        if store not in self._doors:
            self._doors.add(store, Door(store, self._clock))

    def enter(self, name: str, password: str, address: str) -> str:
        """Return a token of the sessions in all stores that let this person in.

        Raises `NotSignedIn` and `TooOften` if none does.
        """
        self._look()
        token = secrets.token_urlsafe(32)

        def refused(door: Door) -> NotSignedIn | TooOften | None:
            try:
                door.enter(name, password, address, token)
            except (NotSignedIn, TooOften) as refusal:
                return refusal
            return None

        answers = self._asked(refused).values()
        if all(answers):
            often = next((each for each in answers if isinstance(each, TooOften)), None)
            raise often or NotSignedIn(f"{WRONG} {SOME_AWAY}" if self.away else WRONG)
        return token

    def who(self, token: str) -> Guest | None:
        """Return None for whatever no session is of."""
        answers = self._asked(lambda door: door.who(token))
        found = {store: visitor for store, visitor in answers.items() if visitor is not None}
        return Guest(found) if found else None

    def leave(self, visitor: Guest) -> None:
        """End the sessions in all stores."""
        self.end(next(iter(visitor.sessions.values())))

    def end(self, session: SignedIn) -> None:
        """End the sessions of one token in all stores that answer."""
        self._asked(lambda door: door.leave(session) if door.knows(session) else None)

    def script(self) -> Guest:
        """Return the guest that a script with the token is: an observer of everything, who never signed in."""
        form_token = secrets.token_hex(32)
        seen = SignedIn(Reviewer(SCRIPT, Role.OBSERVER), sees_all=False, session_id="", form_token=form_token)
        return Guest(dict.fromkeys(self._doors, seen))

    def of(self, store: Store) -> OneOfThem:
        """Return the door of one store, through which one enters all."""
        return OneOfThem(self, store)

    def _asked(self, ask: Callable[[Door], AnswerT]) -> Mapping[Store, AnswerT]:
        """Return the answers of all stores but those that do not answer."""
        answers: dict[Store, AnswerT] = {}
        for store, door in self._doors.items():
            if not self._is_away(store):
                try:
                    answers[store] = ask(door)
                except StoreAway as error:
                    log.warning("%s: %s", store.database.shown_url, error)
                    self._away_until[store] = time.monotonic() + AWAY_SECONDS
        return answers

    def _is_away(self, store: Store) -> bool:
        return time.monotonic() < self._away_until.get(store, 0.0)


class OneOfThem:
    """The door of one store, for the page of its reviewers: whoever signs in or out there does so everywhere."""

    def __init__(self, doors: Doors, store: Store) -> None:
        self._doors = doors
        self._store = store

    def enter(self, name: str, password: str, address: str) -> str:
        """As `Doors.enter`. Raises `NotSignedIn` if this store does not let the person in."""
        token = self._doors.enter(name, password, address)
        guest = self._doors.who(token)
        if guest is None or self._store not in guest.sessions:
            if guest is not None:
                self._doors.leave(guest)
            raise NotSignedIn(WRONG)
        return token

    def who(self, token: str) -> SignedIn | None:
        """Return who has a session in this store."""
        guest = self._doors.who(token)
        return None if guest is None else guest.sessions.get(self._store)

    def leave(self, visitor: SignedIn) -> None:
        """End the sessions in all stores."""
        self._doors.end(visitor)
