"""Access keys can be revoked."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.store.tables import Utc

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("access_keys", sa.Column("revoked_at", Utc, nullable=True))
    op.create_index(op.f("ix_access_keys_requester_id_created_at"), "access_keys", ["requester_id", "created_at"])
