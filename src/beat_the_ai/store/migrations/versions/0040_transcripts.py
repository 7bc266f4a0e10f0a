"""The transcript of each campaign, and which assignments are in it."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    op.create_table(
        "transcripts",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("signing_key", sa.String(length=64), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("head", sa.String(length=64), nullable=False),
        sa.Column("standing_event", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_transcripts_campaign_id"),
        sa.PrimaryKeyConstraint("campaign_id", name="pk_transcripts"),
    )
    op.create_table(
        "transcript_blocks",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("last", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("head", sa.String(length=64), nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["transcripts.campaign_id"], name="fk_transcript_blocks_campaign_id"),
        sa.PrimaryKeyConstraint("campaign_id", "last", name="pk_transcript_blocks"),
    )
    op.add_column("assignments", sa.Column("transcribed", sa.Boolean(), nullable=True))
    unwritten = sa.text("transcribed IS NULL AND (confirmed_at IS NOT NULL OR set_aside_at IS NOT NULL)")
    op.create_index(
        "ix_assignments_untranscribed",
        "assignments",
        ["campaign_id"],
        sqlite_where=unwritten,
        postgresql_where=unwritten,
    )
