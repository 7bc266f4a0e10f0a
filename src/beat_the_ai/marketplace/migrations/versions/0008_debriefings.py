"""The notices that people read when they withdraw from a campaign."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "debriefings",
        sa.Column("prefix", sa.String(length=255), nullable=False),
        sa.Column("notices", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("prefix", name="pk_debriefings"),
    )
