"""The crowd's confirmations of submissions, persons' decisions about pay, and another chance at a screening.

Newcomers who lost no screening may still take one. Earlier submissions count: they were counted then, and nobody asks
the crowd again.
"""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0008"
down_revision = "0007"

LIVE = sa.text("set_aside_at IS NULL")


def upgrade() -> None:
    for table in ("assignments", "validation_assignments"):
        op.add_column(table, sa.Column("confirmed_at", Utc(), nullable=True))
        op.add_column(table, sa.Column("set_aside_at", Utc(), nullable=True))
        op.add_column(table, sa.Column("set_aside_reason", sa.String(length=80), nullable=True))
        op.execute(f"UPDATE {table} SET confirmed_at = submitted_at")  # noqa: S608  # a constant
    if op.get_bind().dialect.name == "sqlite":
        _rebuild_screenings()
    else:
        op.add_column("screenings", sa.Column("set_aside_at", Utc(), nullable=True))
        op.drop_constraint("uq_screenings_campaign_id_worker", "screenings", type_="unique")
    op.create_index(
        "ix_screenings_one_for_each_worker",
        "screenings",
        ["campaign_id", "worker"],
        unique=True,
        sqlite_where=LIVE,
        postgresql_where=LIVE,
    )
    op.create_table(
        "pay_decisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("pays", sa.Boolean(), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pay_decisions")),
    )
    op.create_index(op.f("ix_pay_decisions_assignment_id"), "pay_decisions", ["assignment_id"])


def _rebuild_screenings() -> None:
    """SQLite drops no constraint, and no table that another one points at: both are made anew."""
    op.rename_table("screenings", "screenings_before")
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
        sa.Column("set_aside_at", Utc(), nullable=True),
        sa.CheckConstraint("outcome IN ('passed', 'failed', 'incomplete')", name="ck_screenings_outcome"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_screenings_campaign_id")),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name=op.f("fk_screenings_assignment_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_screenings")),
        sa.UniqueConstraint("assignment_id", name=op.f("uq_screenings_assignment_id")),
    )
    op.execute("INSERT INTO screenings SELECT *, NULL FROM screenings_before")
    op.rename_table("screening_responses", "screening_responses_before")
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
    op.execute("INSERT INTO screening_responses SELECT * FROM screening_responses_before")
    op.drop_table("screening_responses_before")
    op.drop_table("screenings_before")
