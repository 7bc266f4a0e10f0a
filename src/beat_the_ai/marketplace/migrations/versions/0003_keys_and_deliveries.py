"""Access keys can be revoked; event notifications wait for their delivery; a worker's pages are read by index."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc
from beat_the_ai.marketplace.tables import Number

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
    op.add_column("workers", sa.Column("bonus_cents", sa.BigInteger(), nullable=False, server_default="0"))
    op.execute(
        "UPDATE workers SET bonus_cents = coalesce("
        "(SELECT sum(bonuses.cents) FROM bonuses WHERE bonuses.worker_id = workers.id), 0)"
    )
    op.create_index(op.f("ix_assignments_worker_id_status_number"), "assignments", ["worker_id", "status", "number"])
    op.drop_index(op.f("ix_qualifications_worker_id"), "qualifications")
    op.create_index(
        op.f("ix_qualifications_worker_id_qualification_type_id"),
        "qualifications",
        ["worker_id", "qualification_type_id"],
    )
