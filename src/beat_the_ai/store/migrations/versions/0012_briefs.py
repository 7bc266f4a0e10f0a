"""The particular demands of HITs. HITs that were offered before ask for nothing."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("hits", sa.Column("brief", sa.JSON(), nullable=True))
