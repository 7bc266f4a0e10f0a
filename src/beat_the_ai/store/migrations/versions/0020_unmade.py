"""How often what votes come to was unmade: who reads several things of a round sees whether they go together."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("rulings", sa.Column("unmade", sa.Integer(), nullable=False, server_default="0"))
