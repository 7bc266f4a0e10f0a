"""Consent forms and surveys, and what people have answered."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.create_table(
        "forms",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_forms_campaign_id"),
        sa.PrimaryKeyConstraint("campaign_id", "digest", name="pk_forms"),
    )
    op.create_table(
        "form_answers",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("form", sa.String(length=64), nullable=False),
        sa.Column("outcome", sa.String(length=20), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "form"], ["forms.campaign_id", "forms.digest"], name="fk_form_answers_campaign_id"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "worker", "form", name="pk_form_answers"),
    )
