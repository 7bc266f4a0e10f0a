"""Campaigns, contexts, HITs, assignments, attempts."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "campaigns",
        sa.Column("id", sa.String(length=80), nullable=False),
        sa.Column("task", sa.String(length=40), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("pseudonym_key", sa.String(length=64), nullable=False),
        sa.Column("config", sa.JSON(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaigns")),
    )
    op.create_table(
        "contexts",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("private", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_contexts_campaign_id")),
        sa.PrimaryKeyConstraint("campaign_id", "id", name=op.f("pk_contexts")),
    )
    op.create_table(
        "hits",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("context_id", sa.String(length=255), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "context_id"],
            ["contexts.campaign_id", "contexts.id"],
            name=op.f("fk_hits_campaign_id_context_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hits")),
        sa.UniqueConstraint("campaign_id", "context_id", "slot", name=op.f("uq_hits_campaign_id_context_id_slot")),
    )
    op.create_table(
        "assignments",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("hit_id", sa.String(length=32), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("registration", sa.String(length=255), nullable=False),
        sa.Column("accepted_at", Utc(), nullable=False),
        sa.Column("submitted_at", Utc(), nullable=True),
        sa.Column("feedback", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["hit_id"], ["hits.id"], name=op.f("fk_assignments_hit_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
        sa.UniqueConstraint("hit_id", "registration", name=op.f("uq_assignments_hit_id_registration")),
    )
    op.create_index(op.f("ix_assignments_hit_id"), "assignments", ["hit_id"], unique=False)
    op.create_index(op.f("ix_assignments_worker"), "assignments", ["worker"], unique=False)
    op.create_table(
        "attempts",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("work", sa.JSON(), nullable=False),
        sa.Column("prediction", sa.JSON(), nullable=False),
        sa.Column("fooled", sa.Boolean(), nullable=False),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.Column("member", sa.String(length=80), nullable=False),
        sa.Column("model_name", sa.String(length=255), nullable=False),
        sa.Column("model_hash", sa.String(length=64), nullable=False),
        sa.Column("model_precision", sa.String(length=20), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column("retracted_at", Utc(), nullable=True),
        sa.Column("flag_reason", sa.String(length=40), nullable=True),
        sa.Column("flag_note", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name=op.f("fk_attempts_assignment_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempts")),
        sa.UniqueConstraint("assignment_id", "key", name=op.f("uq_attempts_assignment_id_key")),
        sa.UniqueConstraint("assignment_id", "ordinal", name=op.f("uq_attempts_assignment_id_ordinal")),
    )
