"""The proof of a worker's identity: an access code, told once and kept as a scrypt hash.

Codes are drawn here, never chosen by people, and hold 100 random bits; no list of stolen passwords opens anything.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.tables import worker_credentials
from beat_the_ai.marketplace.workers import get_worker
from beat_the_ai.web import hashing

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # 32 signs that nobody takes for another
GROUPS, GROUP_CHARACTERS = 5, 4
MAX_CODE_CHARACTERS = 80
SESSION_LASTS = timedelta(hours=12)


@dataclass(frozen=True)
class Credential:
    """A row of `worker_credentials`."""

    worker_id: str
    salt: str
    digest: str
    epoch: int
    issued_at: datetime


def issue(moment: Moment, worker_id: str) -> str:
    """A new access code in place of the one before, which ends its sessions. Raises WorkerDoesNotExist."""
    get_worker(moment, worker_id)
    known = find(moment, worker_id)
    groups = ("".join(secrets.choice(ALPHABET) for _ in range(GROUP_CHARACTERS)) for _ in range(GROUPS))
    code, salt = "-".join(groups), hashing.new_salt()
    made = Credential(worker_id, salt, hashing.digest(_plain(code), salt), known.epoch + 1 if known else 1, moment.now)
    moment.connection.execute(sa.delete(worker_credentials).filter_by(worker_id=worker_id))
    moment.connection.execute(sa.insert(worker_credentials).values(made.__dict__))
    return code


def begin(moment: Moment, worker_id: str) -> None:
    """Let a worker have sessions who signs in without an access code; one who has a code keeps it."""
    if find(moment, worker_id) is None:
        nobodys = Credential(worker_id, hashing.new_salt(), hashing.no_digest(), 1, moment.now)
        moment.connection.execute(sa.insert(worker_credentials), nobodys.__dict__)


def find(moment: Moment, worker_id: str) -> Credential | None:
    row = moment.connection.execute(_credentials_of, {"of_worker": worker_id}).one_or_none()
    return None if row is None else Credential(**row._mapping)


def matches(credential: Credential | None, code: str) -> bool:
    """Slow on purpose, and equally slow for a worker that does not exist. Case and hyphens do not matter."""
    kept = None if credential is None else (credential.salt, credential.digest)
    return hashing.matches(_plain(code[:MAX_CODE_CHARACTERS]), kept)


def end_sessions(moment: Moment, worker_id: str) -> None:
    """The worker signs out, wherever it is signed in."""
    here = sa.update(worker_credentials).filter_by(worker_id=worker_id)
    moment.connection.execute(here.values(epoch=worker_credentials.c.epoch + 1))


def _plain(code: str) -> str:
    return "".join(code.split()).replace("-", "").upper()


_credentials_of = sa.select(worker_credentials).filter_by(worker_id=sa.bindparam("of_worker"))
