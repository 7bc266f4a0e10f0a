"""The time that the model took for an attempt, and what went wrong with the servers of models."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    op.add_column("attempts", sa.Column("answer_ms", sa.Integer(), nullable=True))
    op.create_table(
        "model_servers",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("member", sa.String(length=80), nullable=False),
        sa.Column("asked_by", sa.String(length=120), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("away_since", Utc, nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_model_servers_campaign_id"),
        sa.PrimaryKeyConstraint("campaign_id", "member", "asked_by", name="pk_model_servers"),
    )
