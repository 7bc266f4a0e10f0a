"""The results of validators' votes, beside each work that counts: computed on demand, also in older stores."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

KNOWN = "outcome IN ('won', 'barren')"
WORKS_THAT_COUNT = """
    INSERT INTO works (attempt_id, campaign_id, round, context_id, writer,
                       kept, settled, votes, votes_needed, wanted, lot)
    SELECT attempts.id, hits.campaign_id, assignments.round, hits.context_id, assignments.worker,
           false, false, 0, 0, 0, ''
    FROM assignments
    JOIN hits ON hits.id = assignments.hit_id
    JOIN attempts ON attempts.assignment_id = assignments.id
    WHERE assignments.confirmed_at IS NOT NULL AND attempts.fooled AND attempts.retracted_at IS NULL
        AND (attempts.doubts IS NULL OR attempts.admitted)
"""

OUTCOMES = """
    UPDATE hits SET outcome = CASE WHEN EXISTS (
        SELECT 1 FROM assignments JOIN attempts ON attempts.assignment_id = assignments.id
        WHERE assignments.hit_id = hits.id AND assignments.confirmed_at IS NOT NULL
            AND attempts.fooled AND attempts.retracted_at IS NULL AND attempts.doubts IS NULL
    ) THEN 'won' ELSE 'barren' END
    WHERE EXISTS (
        SELECT 1 FROM assignments WHERE assignments.hit_id = hits.id AND assignments.confirmed_at IS NOT NULL
    )
"""


def upgrade() -> None:
    op.add_column("contexts", sa.Column("asked", sa.Boolean(), nullable=True))
    waiting = "confirmed_at IS NULL AND set_aside_at IS NULL"
    _index("assignments", "waiting", ["submitted_at"], waiting)
    _index("validation_assignments", "waiting", ["campaign_id", "submitted_at"], waiting)
    op.create_index(op.f("ix_attempts_created_at"), "attempts", ["created_at"])
    op.create_index(op.f("ix_payments_campaign_id_worker"), "payments", ["campaign_id", "worker"])
    _index("attempts", "doubted", ["assignment_id"], "doubts IS NOT NULL")
    _add_outcomes()
    op.create_table(
        "works",
        sa.Column("attempt_id", sa.String(length=32), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("context_id", sa.String(length=255), nullable=False),
        sa.Column("writer", sa.String(length=255), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=True),
        sa.Column("kept", sa.Boolean(), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("votes", sa.Integer(), nullable=False),
        sa.Column("votes_needed", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("lot", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.id"], name=op.f("fk_works_attempt_id")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_works_campaign_id")),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_works")),
    )
    op.create_index(op.f("ix_works_campaign_id_context_id"), "works", ["campaign_id", "context_id"])
    _index("works", "unjudged", ["campaign_id", "round"], "status IS NULL")
    _index("works", "wanted", ["campaign_id", "round", "votes", "lot"], "wanted > 0")
    _of_rounds("rulings", sa.Column("rules", sa.String(length=64), nullable=False))
    _of_rounds("unsound_validators", sa.Column("worker", sa.String(length=255), nullable=False), "worker")
    _of_rounds(
        "uncounted_gold",
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        "assignment_id",
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["validation_assignments.id"], name=op.f("fk_uncounted_gold_assignment_id")
        ),
    )
    op.execute(WORKS_THAT_COUNT)


def _of_rounds(table: str, column: sa.Column[str], *key: str | sa.ForeignKeyConstraint) -> None:
    names = [name for name in key if isinstance(name, str)]
    op.create_table(
        table,
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        column,
        *(constraint for constraint in key if not isinstance(constraint, str)),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f(f"fk_{table}_campaign_id")),
        sa.PrimaryKeyConstraint("campaign_id", "round", *names, name=op.f(f"pk_{table}")),
    )


def _index(table: str, name: str, columns: list[str], condition: str) -> None:
    where = sa.text(condition)
    op.create_index(f"ix_{table}_{name}", table, columns, sqlite_where=where, postgresql_where=where)


def _add_outcomes() -> None:
    """SQLite adds a constraint with its column alone."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"ALTER TABLE hits ADD COLUMN outcome VARCHAR(8) CONSTRAINT ck_hits_outcome CHECK ({KNOWN})")
    else:
        op.add_column("hits", sa.Column("outcome", sa.String(length=8), nullable=True))
        op.create_check_constraint(op.f("ck_hits_outcome"), "hits", KNOWN)
    op.execute(OUTCOMES)
    _index("hits", "open", ["campaign_id", "context_id"], "outcome IS NULL")
    _index("hits", "barren", ["campaign_id", "context_id"], "outcome = 'barren'")
