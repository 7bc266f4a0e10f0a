"""New ids in the shapes that the service model allows: capital letters and digits, workers and requesters with an A."""

from __future__ import annotations

import secrets
import string

ALPHABET = string.ascii_uppercase + string.digits
ENTITY_LENGTH = 30
PERSON_LENGTH = 14


def new_entity() -> str:
    """Return a new id of a HIT, an assignment or a type: 30 characters that start with 3, as MTurk's do [seen]."""
    return "3" + _random(ENTITY_LENGTH - 1)


def new_person() -> str:
    """Return a new id of a worker or a requester."""
    return "A" + _random(PERSON_LENGTH - 1)


def new_access_key() -> tuple[str, str]:
    """An access key's id and its secret."""
    return "BTAI" + _random(16), secrets.token_urlsafe(30)


def _random(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))
