"""Access keys can be revoked; event notifications wait for their delivery."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.marketplace.tables import Number
from beat_the_ai.store.tables import Utc

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("access_keys", sa.Column("revoked_at", Utc, nullable=True))
    op.create_index(op.f("ix_access_keys_requester_id_created_at"), "access_keys", ["requester_id", "created_at"])
    op.create_table(
        "deliveries",
        sa.Column("outbox_number", Number, nullable=False),
        sa.Column("transport", sa.String(length=20), nullable=False),
        sa.Column("due_at", Utc, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["outbox_number"], ["outbox.number"], name=op.f("fk_deliveries_outbox_number")),
        sa.PrimaryKeyConstraint("outbox_number", name=op.f("pk_deliveries")),
    )
    op.create_index(op.f("ix_deliveries_transport_due_at"), "deliveries", ["transport", "due_at"])
