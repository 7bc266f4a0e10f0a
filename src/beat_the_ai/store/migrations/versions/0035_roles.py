"""Accounts have a role. A lead stays a lead, everybody else a reviewer."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    op.add_column("reviewers", sa.Column("role", sa.String(length=12), nullable=False, server_default="reviewer"))
    op.execute("UPDATE reviewers SET role = 'lead' WHERE lead")
    op.drop_column("reviewers", "lead")
