"""Studies at a recruiter with an API, and the bonuses and messages that go through it."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc
from beat_the_ai.marketplace.tables import Number

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "recruiter_studies",
        sa.Column("study", sa.String(length=40), nullable=False),
        sa.Column("external_id", sa.String(length=64), nullable=True),
        sa.Column("group_id", sa.String(length=64), nullable=True),
        sa.Column("idle_since", Utc, nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["study"], ["studies.key"], name=op.f("fk_recruiter_studies_study")),
        sa.PrimaryKeyConstraint("study", name=op.f("pk_recruiter_studies")),
        sa.UniqueConstraint("external_id", name=op.f("uq_recruiter_studies_external_id")),
    )
    op.create_table(
        "bonus_batches",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("study", sa.String(length=40), nullable=False),
        sa.Column("external_id", sa.String(length=64), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("made_at", Utc, nullable=False),
        sa.Column("sent_at", Utc, nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["study"], ["studies.key"], name=op.f("fk_bonus_batches_study")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bonus_batches")),
    )
    op.create_index(op.f("ix_bonus_batches_study_state"), "bonus_batches", ["study", "state"])
    op.create_table(
        "batched_bonuses",
        sa.Column("bonus_id", sa.String(length=64), nullable=False),
        sa.Column("batch", sa.String(length=40), nullable=False),
        sa.Column("session", sa.String(length=64), nullable=False),
        sa.Column("cents", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["bonus_id"], ["bonuses.id"], name=op.f("fk_batched_bonuses_bonus_id")),
        sa.ForeignKeyConstraint(["batch"], ["bonus_batches.id"], name=op.f("fk_batched_bonuses_batch")),
        sa.PrimaryKeyConstraint("bonus_id", name=op.f("pk_batched_bonuses")),
    )
    op.create_index(op.f("ix_batched_bonuses_batch"), "batched_bonuses", ["batch"])
    op.create_table(
        "forwarded",
        sa.Column("number", Number, nullable=False),
        sa.ForeignKeyConstraint(["number"], ["outbox.number"], name=op.f("fk_forwarded_number")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_forwarded")),
    )
