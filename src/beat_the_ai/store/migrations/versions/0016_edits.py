"""Writers' drafts on the way to an attempt, with the model's hints."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.create_table(
        "edits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("cause", sa.String(length=20), nullable=False),
        sa.Column("draft", sa.JSON(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.Column("prediction", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("member", sa.String(length=80), nullable=True),
        sa.Column("model_hash", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name=op.f("fk_edits_assignment_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_edits")),
        sa.UniqueConstraint("assignment_id", "key", name=op.f("uq_edits_assignment_id_key")),
        sa.UniqueConstraint("assignment_id", "ordinal", name=op.f("uq_edits_assignment_id_ordinal")),
    )
