"""The number of steps of a work that were shown to a validator who sees it step by step."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.add_column("validation_items", sa.Column("steps", sa.Integer(), nullable=False, server_default="0"))
