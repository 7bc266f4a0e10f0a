"""The fingerprint by which the same question is recognised."""

import unicodedata
from hashlib import blake2b

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("attempts", sa.Column("fingerprint", sa.String(length=64), nullable=True))
    op.create_index(op.f("ix_attempts_fingerprint"), "attempts", ["fingerprint"])
    attempts = sa.table(
        "attempts", sa.column("id", sa.String), sa.column("work", sa.JSON), sa.column("fingerprint", sa.String)
    )
    known = op.get_bind().execute(sa.select(attempts.c.id, attempts.c.work)).all()
    for attempt_id, work in known:
        if "question" in work:
            values = {"fingerprint": _of_question(work["question"])}
            op.execute(sa.update(attempts).where(attempts.c.id == attempt_id).values(values))


def _of_question(question: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", question).casefold())
    letters = "".join(char for char in folded if unicodedata.category(char)[0] not in "PZC")
    return blake2b(letters.encode(), digest_size=16).hexdigest()
