"""In which assignment a language model was asked, and whether what it said could be read."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.add_column("model_answers", sa.Column("assignment_id", sa.String(length=32), nullable=True))
    op.add_column("model_answers", sa.Column("unreadable", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index(op.f("ix_model_answers_assignment_id"), "model_answers", ["assignment_id"])
