"""Workers sign in: what their access codes are checked against."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "worker_credentials",
        sa.Column("worker_id", sa.String(length=64), nullable=False),
        sa.Column("salt", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("issued_at", Utc, nullable=False),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_worker_credentials_worker_id")),
        sa.PrimaryKeyConstraint("worker_id", name=op.f("pk_worker_credentials")),
    )
