"""Erasures of people's data: tables that can only be added to lose rows in the transaction of an erasure."""

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0029"
down_revision = "0028"

ONLY_ADDED_TO = (
    "audit_log",
    "payment_events",
    "review_draws",
    "reviews",
    "revocation_outcomes",
    "revocation_proposals",
    "standing_answers",
    "standing_events",
)
IS_ERASING = "EXISTS (SELECT 1 FROM erasures WHERE at IS NULL)"  # nobody else sees such a row


def upgrade() -> None:
    op.create_table(
        "erasures",
        sa.Column("pseudonym", sa.String(length=80), nullable=False),
        sa.Column("at", Utc, nullable=True),
        sa.Column("scrubbed_at", Utc, nullable=True),
        sa.PrimaryKeyConstraint("pseudonym", name="pk_erasures"),
    )
    for statement in _guards(op.get_bind().dialect.name):
        op.execute(sa.text(statement))


def _guards(dialect: str) -> Iterator[str]:
    """Yield the triggers by which the database itself keeps rows from being changed or deleted."""
    if dialect != "sqlite":
        yield (
            "CREATE OR REPLACE FUNCTION only_added_to() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF TG_OP <> 'TRUNCATE' AND {IS_ERASING} THEN RETURN NULL; END IF; "
            "RAISE EXCEPTION '% can only be added to', TG_TABLE_NAME; END $$"
        )
        return
    for table in ONLY_ADDED_TO:
        for verb in ("UPDATE", "DELETE"):
            name = f"{table}_no_{verb.lower()}"
            yield f"DROP TRIGGER IF EXISTS {name}"
            yield (
                f"CREATE TRIGGER {name} BEFORE {verb} ON {table} WHEN NOT {IS_ERASING} "
                f"BEGIN SELECT RAISE(ABORT, '{table} can only be added to'); END"
            )
