"""People of one's own: names, e-mail addresses, groups, invitations, links to sign in, and what they were paid."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("worker_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=True),
        sa.Column("email", sa.String(length=254), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("suspended_from", sa.String(length=20), nullable=True),
        sa.Column("needs_approval", sa.Boolean(), nullable=False),
        sa.Column("salt", sa.String(length=64), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("added_at", Utc, nullable=False),
        sa.Column("mailed_at", Utc, nullable=True),
        sa.Column("joined_at", Utc, nullable=True),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_people_worker_id")),
        sa.PrimaryKeyConstraint("worker_id", name=op.f("pk_people")),
        sa.UniqueConstraint("email", name=op.f("uq_people_email")),
    )
    op.create_index(op.f("ix_people_state_added_at"), "people", ["state", "added_at"])
    op.create_index(op.f("ix_people_name"), "people", ["name"])
    op.create_table(
        "person_groups",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("worker_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["worker_id"], ["people.worker_id"], name=op.f("fk_person_groups_worker_id")),
        sa.PrimaryKeyConstraint("name", "worker_id", name=op.f("pk_person_groups")),
    )
    op.create_index(op.f("ix_person_groups_worker_id"), "person_groups", ["worker_id"])
    op.create_table(
        "invitations",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("worker_id", sa.String(length=64), nullable=True),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("joined", sa.Integer(), nullable=False),
        sa.Column("domain", sa.String(length=254), nullable=True),
        sa.Column("needs_approval", sa.Boolean(), nullable=False),
        sa.Column("group_name", sa.String(length=40), nullable=True),
        sa.Column("created_at", Utc, nullable=False),
        sa.Column("expires_at", Utc, nullable=False),
        sa.Column("revoked_at", Utc, nullable=True),
        sa.CheckConstraint("joined >= 0 AND joined <= places", name="ck_invitations_places"),
        sa.ForeignKeyConstraint(["worker_id"], ["people.worker_id"], name=op.f("fk_invitations_worker_id")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_invitations")),
    )
    op.create_index(op.f("ix_invitations_worker_id"), "invitations", ["worker_id"])
    op.create_table(
        "sign_in_links",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("worker_id", sa.String(length=64), nullable=False),
        sa.Column("created_at", Utc, nullable=False),
        sa.Column("expires_at", Utc, nullable=False),
        sa.Column("used_at", Utc, nullable=True),
        sa.ForeignKeyConstraint(["worker_id"], ["people.worker_id"], name=op.f("fk_sign_in_links_worker_id")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_sign_in_links")),
    )
    op.create_index(op.f("ix_sign_in_links_worker_id_created_at"), "sign_in_links", ["worker_id", "created_at"])
    op.create_table(
        "payouts",
        sa.Column("worker_id", sa.String(length=64), nullable=False),
        sa.Column("reference", sa.String(length=40), nullable=False),
        sa.Column("cents", sa.BigInteger(), nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.CheckConstraint("cents > 0", name="ck_payouts_positive"),
        sa.ForeignKeyConstraint(["worker_id"], ["people.worker_id"], name=op.f("fk_payouts_worker_id")),
        sa.PrimaryKeyConstraint("worker_id", "reference", name=op.f("pk_payouts")),
    )
