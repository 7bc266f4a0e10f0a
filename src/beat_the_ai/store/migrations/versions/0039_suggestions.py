"""The suggestions that writers were shown, and those that attempts were made of.

And how often an arm may stand in a block of draws: once in the rounds that began before there were bigger blocks.
"""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    op.add_column("arm_draws", sa.Column("most_in_block", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("attempts", sa.Column("suggestion", sa.JSON(none_as_null=True), nullable=True))
    op.create_table(
        "suggestions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("model", sa.String(length=255), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.Column("taken_at", Utc, nullable=True),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name="fk_suggestions_assignment_id"),
        sa.PrimaryKeyConstraint("id", name="pk_suggestions"),
        sa.UniqueConstraint("assignment_id", "ordinal", name="uq_suggestions_assignment_id_ordinal"),
    )
