"""The category of a rejection, for crowds that ask for one."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.add_column("pay_decisions", sa.Column("category", sa.String(length=40), nullable=True))
