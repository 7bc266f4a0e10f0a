"""The numbers of each worker's review are kept. They are made when somebody first asks for the review queue."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.add_column("assignments", sa.Column("tallied", sa.Boolean(), nullable=True))
    untallied = sa.text("confirmed_at IS NOT NULL AND tallied IS NULL")
    op.create_index(
        "ix_assignments_untallied",
        "assignments",
        ["campaign_id", "stage"],
        sqlite_where=untallied,
        postgresql_where=untallied,
    )
    op.create_table(
        "worker_tallies",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("completed", sa.Integer(), nullable=False),
        sa.Column("sampled", sa.Integer(), nullable=False),
        sa.Column("reviewed", sa.Integer(), nullable=False),
        sa.Column("accepted", sa.Integer(), nullable=False),
        sa.Column("below_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_worker_tallies_campaign_id"),
        sa.PrimaryKeyConstraint("campaign_id", "worker", name="pk_worker_tallies"),
    )
    op.create_table(
        "reviewer_tallies",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("reviewer", sa.String(length=80), nullable=False),
        sa.Column("reviewed", sa.Integer(), nullable=False),
        sa.Column("accepted", sa.Integer(), nullable=False),
        sa.Column("below_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_reviewer_tallies_campaign_id"),
        sa.PrimaryKeyConstraint("campaign_id", "worker", "reviewer", name="pk_reviewer_tallies"),
    )
