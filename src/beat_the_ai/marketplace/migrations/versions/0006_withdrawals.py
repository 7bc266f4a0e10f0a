"""People who withdraw, the erasure of their data, and where campaigns keep their work."""

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0006"
down_revision = "0005"
IS_RENAMED = (
    "(NEW.COLUMN = OLD.COLUMN OR EXISTS (SELECT 1 FROM erasures WHERE "
    "OLD.COLUMN = 'worker:' || worker_id AND NEW.COLUMN = 'worker:' || pseudonym))"
)
REFUSAL = "transfers are never changed"


def upgrade() -> None:
    op.create_table(
        "withdrawals",
        sa.Column("worker_id", sa.String(length=64), nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.Column("erase_at", Utc, nullable=True),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_withdrawals_worker_id")),
        sa.PrimaryKeyConstraint("worker_id", name=op.f("pk_withdrawals")),
    )
    op.create_index(op.f("ix_withdrawals_erase_at"), "withdrawals", ["erase_at"])
    op.create_table(
        "erasures",
        sa.Column("pseudonym", sa.String(length=64), nullable=False),
        sa.Column("worker_id", sa.String(length=64), nullable=True),
        sa.Column("begun_at", Utc, nullable=False),
        sa.Column("erased_at", Utc, nullable=True),
        sa.Column("scrubbed_at", Utc, nullable=True),
        sa.PrimaryKeyConstraint("pseudonym", name=op.f("pk_erasures")),
        sa.UniqueConstraint("worker_id", name=op.f("uq_erasures_worker_id")),
    )
    op.create_table(
        "campaign_places",
        sa.Column("prefix", sa.String(length=255), nullable=False),
        sa.Column("place", sa.String(length=1000), nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.PrimaryKeyConstraint("prefix", "place", name=op.f("pk_campaign_places")),
    )
    for statement in _guards(op.get_bind().dialect.name):
        op.execute(sa.text(statement))


def _guards(dialect: str) -> Iterator[str]:
    """Yield the triggers that keep transfers from changes: an erased worker's account has another name, no more."""
    same = " AND ".join(f"NEW.{column} = OLD.{column}" for column in ("number", "at", "kind", "cents"))
    renamed = " AND ".join(IS_RENAMED.replace("COLUMN", column) for column in ("source", "target"))
    if dialect == "postgresql":
        yield (
            "CREATE OR REPLACE FUNCTION refuse_change_of_transfers() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF TG_OP = 'UPDATE' AND {same} AND NEW.subject IS NOT DISTINCT FROM OLD.subject AND {renamed} "
            f"THEN RETURN NEW; END IF; RAISE EXCEPTION '{REFUSAL}'; END $$"
        )
        return
    yield "DROP TRIGGER transfers_append_only_update"
    yield (
        f"CREATE TRIGGER transfers_append_only_update BEFORE UPDATE ON transfers "
        f"WHEN NOT ({same} AND NEW.subject IS OLD.subject AND {renamed}) "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    )
