"""Parts that stay with their contexts. A context of before has none: its part follows from the draw, as it did."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.add_column("contexts", sa.Column("part", sa.String(length=8), nullable=True))
