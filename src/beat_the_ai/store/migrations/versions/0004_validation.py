"""Validation: who took which HIT, which questions it held, and every vote."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "validation_assignments",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("hit", sa.String(length=80), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("registration", sa.String(length=255), nullable=False),
        sa.Column("accepted_at", Utc(), nullable=False),
        sa.Column("submitted_at", Utc(), nullable=True),
        sa.Column("released_at", Utc(), nullable=True),
        sa.Column("feedback", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_validation_assignments_campaign_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_validation_assignments")),
        sa.UniqueConstraint(
            "campaign_id", "hit", "registration", name=op.f("uq_validation_assignments_campaign_id_hit_registration")
        ),
    )
    op.create_index(op.f("ix_validation_assignments_worker"), "validation_assignments", ["worker"], unique=False)
    op.create_table(
        "validation_items",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("context_id", sa.String(length=255), nullable=False),
        sa.Column("attempt_id", sa.String(length=32), nullable=True),
        sa.Column("gold", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint("(attempt_id IS NULL) <> (gold IS NULL)", name="ck_validation_items_kind"),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["validation_assignments.id"], name=op.f("fk_validation_items_assignment_id")
        ),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.id"], name=op.f("fk_validation_items_attempt_id")),
        sa.ForeignKeyConstraint(
            ["campaign_id", "context_id"],
            ["contexts.campaign_id", "contexts.id"],
            name=op.f("fk_validation_items_campaign_id_context_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_validation_items")),
        sa.UniqueConstraint("assignment_id", "position", name=op.f("uq_validation_items_assignment_id_position")),
    )
    op.create_index(op.f("ix_validation_items_attempt_id"), "validation_items", ["attempt_id"], unique=False)
    op.create_table(
        "validation_votes",
        sa.Column("item_id", sa.String(length=32), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("vote", sa.JSON(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["validation_items.id"], name=op.f("fk_validation_votes_item_id")),
        sa.PrimaryKeyConstraint("item_id", "ordinal", name=op.f("pk_validation_votes")),
        sa.UniqueConstraint("item_id", "key", name=op.f("uq_validation_votes_item_id_key")),
    )
