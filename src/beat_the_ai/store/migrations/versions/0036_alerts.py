"""Alerts, each from its beginning to its end."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    op.create_table(
        "alerts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=120), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("began_at", Utc, nullable=False),
        sa.Column("ended_at", Utc, nullable=True),
        sa.Column("told", sa.String(length=5), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("due_at", Utc, nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_alerts_campaign_id"),
        sa.PrimaryKeyConstraint("id", name="pk_alerts"),
    )
    op.create_index(
        "ix_alerts_open",
        "alerts",
        ["campaign_id", "name", "subject"],
        unique=True,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
