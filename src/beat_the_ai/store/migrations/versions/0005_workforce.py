"""Standings, the review sample, reviews and telemetry; the database itself keeps history from being changed."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0005"
down_revision = "0004"

ONLY_ADDED_TO = ("standing_events", "standing_answers", "review_draws", "reviews")


def upgrade() -> None:
    op.create_table(
        "standing_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("standing", sa.String(length=12), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("registration", sa.String(length=255), nullable=True),
        sa.Column("at", Utc(), nullable=False),
        sa.CheckConstraint(
            "standing IN ('candidate', 'qualified', 'revoked', 'blocked')", name="ck_standing_events_standing"
        ),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_standing_events_campaign_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_standing_events")),
    )
    op.create_index(op.f("ix_standing_events_campaign_id_worker"), "standing_events", ["campaign_id", "worker"])
    op.create_table(
        "standing_answers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("at", Utc(), nullable=False),
        sa.CheckConstraint("state IN ('confirmed', 'declined', 'unanswered')", name="ck_standing_answers_state"),
        sa.ForeignKeyConstraint(["event_id"], ["standing_events.id"], name=op.f("fk_standing_answers_event_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_standing_answers")),
    )
    op.create_index(op.f("ix_standing_answers_event_id"), "standing_answers", ["event_id"])
    op.create_table(
        "review_draws",
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("completed", sa.Integer(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name=op.f("fk_review_draws_assignment_id")),
        sa.PrimaryKeyConstraint("assignment_id", name=op.f("pk_review_draws")),
    )
    op.create_table(
        "reviews",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("reviewer", sa.String(length=80), nullable=False),
        sa.Column("verdict", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.CheckConstraint("verdict IN ('accept', 'reject', 'undo')", name="ck_reviews_verdict"),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["review_draws.assignment_id"], name=op.f("fk_reviews_assignment_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reviews")),
    )
    op.create_index(op.f("ix_reviews_assignment_id"), "reviews", ["assignment_id"])
    op.create_table(
        "telemetry",
        sa.Column("attempt_id", sa.String(length=32), nullable=False),
        sa.Column("pastes", sa.Integer(), nullable=False),
        sa.Column("pasted_chars", sa.Integer(), nullable=False),
        sa.Column("keystrokes", sa.Integer(), nullable=False),
        sa.Column("focused_seconds", sa.Float(), nullable=False),
        sa.Column("first_key_seconds", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.id"], name=op.f("fk_telemetry_attempt_id")),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_telemetry")),
    )
    for statement in _guards(op.get_bind().dialect.name):
        op.execute(statement)


def _guards(dialect: str) -> list[str]:
    if dialect == "sqlite":
        return [
            f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} can only be added to'); END"
            for table in ONLY_ADDED_TO
            for verb in ("UPDATE", "DELETE")
        ]
    function = (
        "CREATE FUNCTION workforce_only_added_to() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% can only be added to', TG_TABLE_NAME; END $$"
    )
    return [
        function,
        *(
            f"CREATE TRIGGER {table}_only_added_to BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION workforce_only_added_to()"
            for table in ONLY_ADDED_TO
        ),
    ]
