"""Payments and their events, which the database itself keeps from being changed or deleted."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "payments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("purpose", sa.String(length=40), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("assignment", sa.String(length=255), nullable=False),
        sa.Column("cents", sa.Integer(), nullable=False),
        sa.Column("fee_cents", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column("sent_at", Utc(), nullable=True),
        sa.Column("confirmed_at", Utc(), nullable=True),
        sa.Column("token_spent_at", Utc(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.CheckConstraint("cents >= 0 AND fee_cents >= 0", name="ck_payments_amounts"),
        sa.CheckConstraint("state IN ('intent', 'sent', 'confirmed', 'unknown')", name="ck_payments_state"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_payments_campaign_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payments")),
        sa.UniqueConstraint(
            "campaign_id",
            "purpose",
            "worker",
            "assignment",
            name=op.f("uq_payments_campaign_id_purpose_worker_assignment"),
        ),
        sa.UniqueConstraint("token", name=op.f("uq_payments_token")),
    )
    op.create_table(
        "payment_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("payment_id", sa.Integer(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["payment_id"], ["payments.id"], name=op.f("fk_payment_events_payment_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment_events")),
    )
    op.create_index(op.f("ix_payment_events_payment_id"), "payment_events", ["payment_id"], unique=False)
    for statement in _ONLY_ADDED_TO[op.get_bind().dialect.name]:
        op.execute(statement)


_ONLY_ADDED_TO = {
    "sqlite": [
        f"CREATE TRIGGER payment_events_no_{verb.lower()} BEFORE {verb} ON payment_events "
        "BEGIN SELECT RAISE(ABORT, 'payment events can only be added to'); END"
        for verb in ("UPDATE", "DELETE")
    ],
    "postgresql": [
        "CREATE FUNCTION payment_events_only_added_to() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'payment events can only be added to'; END $$",
        "CREATE TRIGGER payment_events_only_added_to BEFORE UPDATE OR DELETE ON payment_events "
        "FOR EACH STATEMENT EXECUTE FUNCTION payment_events_only_added_to()",
    ],
}
