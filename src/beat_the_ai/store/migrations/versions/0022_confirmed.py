"""Whether other people confirm what a work's writer says is kept apart from whether a dataset keeps the work."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("works", sa.Column("confirmed", sa.Boolean, nullable=False, server_default=sa.false()))
