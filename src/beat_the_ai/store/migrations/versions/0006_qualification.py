"""Screenings of newcomers, and what they answered."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "screenings",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("quiz", sa.String(length=64), nullable=False),
        sa.Column("started_at", Utc(), nullable=False),
        sa.Column("submitted_at", Utc(), nullable=True),
        sa.Column("outcome", sa.String(length=12), nullable=True),
        sa.CheckConstraint("outcome IN ('passed', 'failed', 'incomplete')", name="ck_screenings_outcome"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_screenings_campaign_id")),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name=op.f("fk_screenings_assignment_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_screenings")),
        sa.UniqueConstraint("campaign_id", "worker", name=op.f("uq_screenings_campaign_id_worker")),
        sa.UniqueConstraint("assignment_id", name=op.f("uq_screenings_assignment_id")),
    )
    op.create_table(
        "screening_responses",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("screening_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(length=80), nullable=False),
        sa.Column("work", sa.JSON(), nullable=False),
        sa.Column("mistake", sa.String(length=40), nullable=True),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["screening_id"], ["screenings.id"], name=op.f("fk_screening_responses_screening_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_screening_responses")),
        sa.UniqueConstraint("screening_id", "key", name=op.f("uq_screening_responses_screening_id_key")),
        sa.UniqueConstraint("screening_id", "ordinal", name=op.f("uq_screening_responses_screening_id_ordinal")),
    )
