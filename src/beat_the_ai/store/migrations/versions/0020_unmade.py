"""The number of times that results of votes were unmade: a reader of several values sees whether they agree."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("rulings", sa.Column("unmade", sa.Integer(), nullable=False, server_default="0"))
