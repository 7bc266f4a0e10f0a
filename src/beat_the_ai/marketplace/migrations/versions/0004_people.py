"""People of one's own, their invitations, links and payouts, and recruiters' studies."""

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
    op.create_table(
        "studies",
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("prefix", sa.String(length=255), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("created_at", Utc, nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_studies")),
        sa.UniqueConstraint("prefix", name=op.f("uq_studies_prefix")),
    )
    op.create_table(
        "recruited",
        sa.Column("worker_id", sa.String(length=64), nullable=False),
        sa.Column("recruiter", sa.String(length=255), nullable=False),
        sa.Column("external_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["worker_id"], ["people.worker_id"], name=op.f("fk_recruited_worker_id")),
        sa.PrimaryKeyConstraint("worker_id", name=op.f("pk_recruited")),
        sa.UniqueConstraint("recruiter", "external_id", name=op.f("uq_recruited_recruiter_external_id")),
    )
    op.create_table(
        "visits",
        sa.Column("study", sa.String(length=40), nullable=False),
        sa.Column("session", sa.String(length=64), nullable=False),
        sa.Column("worker_id", sa.String(length=64), nullable=False),
        sa.Column("browser", sa.String(length=40), nullable=True),
        sa.Column("started_at", Utc, nullable=False),
        sa.Column("ended_at", Utc, nullable=True),
        sa.Column("outcome", sa.String(length=20), nullable=True),
        sa.ForeignKeyConstraint(["study"], ["studies.key"], name=op.f("fk_visits_study")),
        sa.ForeignKeyConstraint(["worker_id"], ["recruited.worker_id"], name=op.f("fk_visits_worker_id")),
        sa.PrimaryKeyConstraint("study", "session", name=op.f("pk_visits")),
    )
    op.create_index(op.f("ix_visits_worker_id_started_at"), "visits", ["worker_id", "started_at"])
