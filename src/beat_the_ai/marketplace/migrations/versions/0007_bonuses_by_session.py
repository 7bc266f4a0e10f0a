"""The bonuses that a session had before a batch, and when its bonus was paid."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("batched_bonuses", sa.Column("shown_before", sa.JSON(), nullable=True))
    op.add_column("batched_bonuses", sa.Column("paid_at", Utc, nullable=True))
    op.execute(
        "UPDATE batched_bonuses SET paid_at = (SELECT coalesce(sent_at, made_at) FROM bonus_batches WHERE id = batch) "
        "WHERE batch IN (SELECT id FROM bonus_batches WHERE state = 'paid')"
    )
    # Nobody wrote down what these sessions had before: a person decides.
    op.execute("UPDATE bonus_batches SET state = 'doubtful' WHERE state = 'sent'")
    op.drop_column("bonus_batches", "problem")
