"""Why a person should look at an attempt before it counts, what its writer says to that, and what became of it."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("attempts", sa.Column("doubts", sa.JSON(), nullable=True))
    op.add_column("attempts", sa.Column("appeal", sa.Text(), nullable=True))
    op.add_column("attempts", sa.Column("admitted", sa.Boolean(), nullable=True))
