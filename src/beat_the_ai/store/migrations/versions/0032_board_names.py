"""Names that workers chose for the leader board."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    op.create_table(
        "board_names",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("name", sa.String(length=24), nullable=True),
        sa.Column("folded", sa.Text(), nullable=True),
        sa.Column("at", Utc, nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_board_names_campaign_id"),
        sa.PrimaryKeyConstraint("campaign_id", "worker", name="pk_board_names"),
        sa.UniqueConstraint("campaign_id", "folded", name="uq_board_names_campaign_id_folded"),
        sa.CheckConstraint("(name IS NULL) = (folded IS NULL)", name="ck_board_names_folded"),
    )
