"""Letters of workers to the requester, and their answers."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0030"
down_revision = "0029"

IS_APPEAL = sa.text("kind <> 'message'")


def upgrade() -> None:
    op.create_table(
        "letters",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("subject", sa.String(length=32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.Column("due_at", Utc, nullable=False),
        sa.CheckConstraint("kind IN ('message', 'rejection', 'standing')", name="ck_letters_kind"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_letters_campaign_id"),
        sa.PrimaryKeyConstraint("id", name="pk_letters"),
    )
    op.create_index("ix_letters_campaign_id_worker", "letters", ["campaign_id", "worker"])
    op.create_index(
        "ix_letters_one_appeal",
        "letters",
        ["campaign_id", "worker", "kind", "subject"],
        unique=True,
        sqlite_where=IS_APPEAL,
        postgresql_where=IS_APPEAL,
    )
    op.create_table(
        "letter_answers",
        sa.Column("letter_id", sa.String(length=32), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("upheld", sa.Boolean(), nullable=True),
        sa.Column("at", Utc, nullable=False),
        sa.Column("done_at", Utc, nullable=True),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["letter_id"], ["letters.id"], name="fk_letter_answers_letter_id"),
        sa.PrimaryKeyConstraint("letter_id", name="pk_letter_answers"),
    )
    op.create_table(
        "letter_pages",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_letter_pages_campaign_id"),
        sa.PrimaryKeyConstraint("campaign_id", name="pk_letter_pages"),
    )
