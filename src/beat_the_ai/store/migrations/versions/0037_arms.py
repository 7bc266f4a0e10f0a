"""The arms of a round: the draw of each worker, and the arm of each assignment."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    op.add_column("assignments", sa.Column("arm", sa.String(length=40), nullable=True))
    op.create_table(
        "arm_draws",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("arm", sa.String(length=40), nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "round"],
            ["rounds.campaign_id", "rounds.number"],
            name="fk_arm_draws_campaign_id_round",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "round", "worker", name="pk_arm_draws"),
        sa.UniqueConstraint("campaign_id", "round", "position", name="uq_arm_draws_campaign_id_round_position"),
    )
