"""Campaigns can be closed."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("campaigns", sa.Column("closed_at", Utc()))
