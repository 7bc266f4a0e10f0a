"""Reviewers' accounts and sessions, and the log of what they did; the database itself keeps the log from changes."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "reviewers",
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("salt", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("added_at", Utc(), nullable=False),
        sa.Column("removed_at", Utc(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_reviewers")),
    )
    op.create_table(
        "reviewer_sessions",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("reviewer", sa.String(length=80), nullable=False),
        sa.Column("until", Utc(), nullable=False),
        sa.Column("sees_all", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["reviewer"], ["reviewers.name"], name=op.f("fk_reviewer_sessions_reviewer")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reviewer_sessions")),
    )
    op.create_index(op.f("ix_reviewer_sessions_reviewer"), "reviewer_sessions", ["reviewer"])
    op.create_table(
        "audit_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.Column("who", sa.String(length=80), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_log")),
    )
    for statement in _guards(op.get_bind().dialect.name):
        op.execute(statement)


def _guards(dialect: str) -> list[str]:
    if dialect == "sqlite":
        return [
            f"CREATE TRIGGER audit_log_no_{verb.lower()} BEFORE {verb} ON audit_log "
            "BEGIN SELECT RAISE(ABORT, 'audit_log can only be added to'); END"
            for verb in ("UPDATE", "DELETE")
        ]
    return [
        "CREATE FUNCTION review_only_added_to() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% can only be added to', TG_TABLE_NAME; END $$",
        "CREATE TRIGGER audit_log_only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log "
        "FOR EACH STATEMENT EXECUTE FUNCTION review_only_added_to()",
    ]
