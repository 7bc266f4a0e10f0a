"""Writers' explanations of attempts that beat the model."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("attempts", sa.Column("explanation", sa.JSON(), nullable=True))
