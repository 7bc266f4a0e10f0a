"""Reviewers' roles, revocations that wait for a second person, and the log as a chain of hashes.

Whoever had an account could grant and revoke: they become leads. They sign in again.
"""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc
from beat_the_ai.store.audit import GENESIS, chained

revision = "0010"
down_revision = "0009"

LOG = sa.table(
    "audit_log",
    sa.column("id", sa.Integer()),
    sa.column("at", Utc()),
    *(sa.column(name, sa.Text()) for name in ("who", "action", "subject", "note", "machine_user", "hash")),
)
ONLY_ADDED_TO = ("revocation_proposals", "revocation_outcomes")


def upgrade() -> None:
    _add_roles()
    _add_proposals()
    _chain_the_log()


def _add_roles() -> None:
    op.execute("DELETE FROM reviewer_sessions")  # SQLite replaces the table that they refer to
    with op.batch_alter_table("reviewers") as table:
        table.add_column(sa.Column("lead", sa.Boolean(), nullable=True))
    op.execute(sa.update(sa.table("reviewers", sa.column("lead"))).values(lead=sa.true()))
    with op.batch_alter_table("reviewers") as table:
        table.alter_column("lead", nullable=False)


def _add_proposals() -> None:
    op.create_table(
        "revocation_proposals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("machine_user", sa.String(length=80), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_revocation_proposals_campaign_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_revocation_proposals")),
    )
    op.create_index(
        op.f("ix_revocation_proposals_campaign_id_worker"), "revocation_proposals", ["campaign_id", "worker"]
    )
    op.create_table(
        "revocation_outcomes",
        sa.Column("proposal_id", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(length=12), nullable=False),
        sa.Column("closed_by", sa.String(length=80), nullable=False),
        sa.Column("closed_at", Utc(), nullable=False),
        sa.CheckConstraint("outcome IN ('revoked', 'withdrawn')", name="ck_revocation_outcomes_outcome"),
        sa.ForeignKeyConstraint(
            ["proposal_id"], ["revocation_proposals.id"], name=op.f("fk_revocation_outcomes_proposal_id")
        ),
        sa.PrimaryKeyConstraint("proposal_id", name=op.f("pk_revocation_outcomes")),
    )
    for table in ONLY_ADDED_TO:
        _guard(table)


def _chain_the_log() -> None:
    _unguard_the_log()
    with op.batch_alter_table("audit_log") as table:
        table.add_column(sa.Column("machine_user", sa.String(length=80), nullable=True))
        table.add_column(sa.Column("hash", sa.String(length=64), nullable=True))
    connection, previous = op.get_bind(), GENESIS
    connection.execute(sa.update(LOG).values(machine_user=""))
    for row in connection.execute(sa.select(LOG).order_by(LOG.c.id)).all():
        previous = chained(previous, row._mapping)
        connection.execute(sa.update(LOG).where(LOG.c.id == row.id).values(hash=previous))
    with op.batch_alter_table("audit_log") as table:
        table.alter_column("machine_user", nullable=False)
        table.alter_column("hash", nullable=False)
    _guard("audit_log")


def _unguard_the_log() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER audit_log_no_update")
        op.execute("DROP TRIGGER audit_log_no_delete")
    else:
        op.execute("DROP TRIGGER audit_log_only_added_to ON audit_log")


def _guard(table: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} can only be added to'); END"
            )
    else:
        op.execute(
            f"CREATE TRIGGER {table}_only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION review_only_added_to()"
        )
