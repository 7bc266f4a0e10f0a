"""The confirmation of a work by other people, kept apart from its place in a dataset."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("works", sa.Column("confirmed", sa.Boolean, nullable=False, server_default=sa.false()))
