"""Since when a campaign is paused."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.add_column("campaigns", sa.Column("paused_at", Utc, nullable=True))
