"""Leases of processes, and one holder of each HIT: of older assignments of a HIT the last one keeps its place."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

SAMPLES = "SELECT hits.id FROM hits WHERE hits.campaign_id LIKE 'screening-%'"  # all newcomers take these
AT_WORK = sa.text("submitted_at IS NULL AND released_at IS NULL AND set_aside_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "leases",
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("beat", sa.Integer(), nullable=False),
        sa.Column("holder", sa.JSON(none_as_null=True), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )
    op.add_column("assignments", sa.Column("place", sa.String(length=32), nullable=True))
    _give_places()
    op.create_index("ix_assignments_one_for_each_place", "assignments", ["place"], unique=True)
    op.create_index(
        "ix_validation_assignments_one_for_each_hit",
        "validation_assignments",
        ["campaign_id", "hit"],
        unique=True,
        sqlite_where=AT_WORK,
        postgresql_where=AT_WORK,
    )


def _give_places() -> None:
    op.execute(f"UPDATE assignments SET place = id WHERE hit_id IN ({SAMPLES})")  # noqa: S608  # a constant
    op.execute(
        """
        UPDATE assignments SET place = hit_id
        WHERE place IS NULL AND set_aside_at IS NULL AND NOT EXISTS (
            SELECT 1 FROM assignments AS later
            WHERE later.hit_id = assignments.hit_id AND later.set_aside_at IS NULL
                AND (later.accepted_at, later.id) > (assignments.accepted_at, assignments.id)
        )
        """
    )
