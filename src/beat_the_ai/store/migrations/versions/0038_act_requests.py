"""The requests for acts that pages sent, so that each act is done once."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    op.create_table(
        "act_requests",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("who", sa.String(length=80), nullable=False),
        sa.Column("request", sa.String(length=64), nullable=False),
        sa.Column("content", sa.String(length=64), nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.Column("report", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_act_requests_campaign_id"),
        sa.PrimaryKeyConstraint("campaign_id", "who", "request", name="pk_act_requests"),
    )
