"""The workspace, studies, submissions, money, groups, messages and hooks."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "participant_groups",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("is_deleted", sa.Boolean(), nullable=False),
        sa.Column("created_at", Utc, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_participant_groups")),
        sa.UniqueConstraint("id", name=op.f("uq_participant_groups_id")),
    )
    op.create_table(
        "participants",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("created_at", Utc, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_participants")),
    )
    op.create_table(
        "recruiter_workspace",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("project_id", sa.String(length=24), nullable=False),
        sa.Column("researcher_id", sa.String(length=24), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("cents", sa.BigInteger(), nullable=False),
        sa.Column("token", sa.String(length=80), nullable=False),
        sa.Column("page_secret", sa.String(length=80), nullable=False),
        sa.Column("key_id", sa.String(length=40), nullable=False),
        sa.Column("signing_key", sa.Text(), nullable=False),
        sa.Column("seconds_ahead", sa.Float(), nullable=False),
        sa.Column("created_at", Utc, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recruiter_workspace")),
    )
    op.create_table(
        "studies",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("created_at", Utc, nullable=False),
        sa.Column("published_at", Utc, nullable=True),
        sa.Column("publish_at", Utc, nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_studies")),
        sa.UniqueConstraint("id", name=op.f("uq_studies_id")),
    )
    op.create_index(op.f("ix_studies_publish_at"), "studies", ["publish_at"])
    op.create_index(op.f("ix_studies_status_number"), "studies", ["status", "number"])
    op.create_table(
        "subscriptions",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("event_type", sa.String(length=40), nullable=False),
        sa.Column("target_url", sa.Text(), nullable=False),
        sa.Column("is_enabled", sa.Boolean(), nullable=False),
        sa.Column("is_confirmed", sa.Boolean(), nullable=False),
        sa.Column("is_deleted", sa.Boolean(), nullable=False),
        sa.Column("challenge", sa.String(length=80), nullable=False),
        sa.Column("challenge_tries", sa.Integer(), nullable=False),
        sa.Column("challenge_due_at", Utc, nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_subscriptions")),
        sa.UniqueConstraint("id", name=op.f("uq_subscriptions_id")),
    )
    op.create_table(
        "bonus_orders",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("study_id", sa.String(length=24), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("total_cents", sa.BigInteger(), nullable=False),
        sa.Column("created_at", Utc, nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_bonus_orders_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bonus_orders")),
    )
    op.create_table(
        "events",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("subscription_id", sa.String(length=24), nullable=False),
        sa.Column("event_type", sa.String(length=40), nullable=False),
        sa.Column("resource_id", sa.String(length=24), nullable=False),
        sa.Column("target_url", sa.Text(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("due_at", Utc, nullable=True),
        sa.Column("created_at", Utc, nullable=False),
        sa.Column("updated_at", Utc, nullable=False),
        sa.ForeignKeyConstraint(["subscription_id"], ["subscriptions.id"], name=op.f("fk_events_subscription_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_events")),
        sa.UniqueConstraint("id", name=op.f("uq_events_id")),
    )
    op.create_index(op.f("ix_events_due_at"), "events", ["due_at"])
    op.create_index(op.f("ix_events_subscription_id_number"), "events", ["subscription_id", "number"])
    op.create_table(
        "group_members",
        sa.Column("group_id", sa.String(length=24), nullable=False),
        sa.Column("participant_id", sa.String(length=24), nullable=False),
        sa.Column("added_at", Utc, nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["participant_groups.id"], name=op.f("fk_group_members_group_id")),
        sa.PrimaryKeyConstraint("group_id", "participant_id", name=op.f("pk_group_members")),
    )
    op.create_index(op.f("ix_group_members_participant_id"), "group_members", ["participant_id"])
    op.create_table(
        "hook_secrets",
        sa.Column("workspace_id", sa.String(length=24), nullable=False),
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("value", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["recruiter_workspace.id"], name=op.f("fk_hook_secrets_workspace_id")
        ),
        sa.PrimaryKeyConstraint("workspace_id", name=op.f("pk_hook_secrets")),
    )
    op.create_table(
        "messages",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("participant_id", sa.String(length=24), nullable=False),
        sa.Column("from_participant", sa.Boolean(), nullable=False),
        sa.Column("study_id", sa.String(length=24), nullable=True),
        sa.Column("category", sa.String(length=40), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("sent_at", Utc, nullable=False),
        sa.Column("is_read", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["participant_id"], ["participants.id"], name=op.f("fk_messages_participant_id")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_messages_study_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_messages")),
        sa.UniqueConstraint("id", name=op.f("uq_messages_id")),
    )
    op.create_index(op.f("ix_messages_participant_id_number"), "messages", ["participant_id", "number"])
    op.create_index(op.f("ix_messages_sent_at"), "messages", ["sent_at"])
    op.create_table(
        "submissions",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("study_id", sa.String(length=24), nullable=False),
        sa.Column("participant_id", sa.String(length=24), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("reserved_at", Utc, nullable=False),
        sa.Column("started_at", Utc, nullable=True),
        sa.Column("deadline", Utc, nullable=True),
        sa.Column("completed_at", Utc, nullable=True),
        sa.Column("entered_code", sa.String(length=200), nullable=True),
        sa.Column("return_requested", Utc, nullable=True),
        sa.Column("rejection_category", sa.String(length=40), nullable=True),
        sa.Column("rejection_message", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["participant_id"], ["participants.id"], name=op.f("fk_submissions_participant_id")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_submissions_study_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_submissions")),
        sa.UniqueConstraint("id", name=op.f("uq_submissions_id")),
    )
    op.create_index(op.f("ix_submissions_deadline"), "submissions", ["deadline"])
    op.create_index(
        op.f("ix_submissions_participant_id_status"), "submissions", ["participant_id", "status"], unique=False
    )
    op.create_index(
        op.f("ix_submissions_study_id_participant_id_number"),
        "submissions",
        ["study_id", "participant_id", "number"],
        unique=False,
    )
    op.create_index(op.f("ix_submissions_study_id_status"), "submissions", ["study_id", "status"])
    op.create_table(
        "bonus_runs",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("order_id", sa.String(length=24), nullable=False),
        sa.Column("total_cents", sa.BigInteger(), nullable=False),
        sa.Column("asked_at", Utc, nullable=False),
        sa.Column("due_at", Utc, nullable=True),
        sa.Column("paid_at", Utc, nullable=True),
        sa.ForeignKeyConstraint(["order_id"], ["bonus_orders.id"], name=op.f("fk_bonus_runs_order_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_bonus_runs")),
    )
    op.create_index(op.f("ix_bonus_runs_due_at"), "bonus_runs", ["due_at"])
    op.create_index(op.f("ix_bonus_runs_order_id"), "bonus_runs", ["order_id"])
    op.create_table(
        "payments",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("study_id", sa.String(length=24), nullable=False),
        sa.Column("submission_id", sa.String(length=24), nullable=False),
        sa.Column("participant_id", sa.String(length=24), nullable=False),
        sa.Column("bonus_run", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("cents", sa.BigInteger(), nullable=False),
        sa.Column("fee_cents", sa.BigInteger(), nullable=False),
        sa.Column("tax_cents", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("cents > 0", name="ck_payments_positive"),
        sa.ForeignKeyConstraint(["bonus_run"], ["bonus_runs.number"], name=op.f("fk_payments_bonus_run")),
        sa.ForeignKeyConstraint(["participant_id"], ["participants.id"], name=op.f("fk_payments_participant_id")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_payments_study_id")),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_payments_submission_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_payments")),
    )
    op.create_index(op.f("ix_payments_participant_id_number"), "payments", ["participant_id", "number"])
    op.create_index(op.f("ix_payments_study_id_kind"), "payments", ["study_id", "kind"])
    op.create_index(op.f("ix_payments_submission_id_kind"), "payments", ["submission_id", "kind"])
