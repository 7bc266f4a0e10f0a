"""Language models' answers and their costs."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "model_answers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("model_hash", sa.String(length=64), nullable=False),
        sa.Column("query_hash", sa.String(length=64), nullable=False),
        sa.Column("prediction", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("microcents", sa.BigInteger(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.CheckConstraint("microcents >= 0", name=op.f("ck_model_answers_microcents")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_model_answers_campaign_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_answers")),
    )
    names = ["campaign_id", "model_hash", "query_hash"]
    op.create_index(op.f("ix_model_answers_campaign_id_model_hash_query_hash"), "model_answers", names)
