"""Everything the marketplace began with; see `tables` for what is what."""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc
from beat_the_ai.marketplace.tables import Number

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("cents", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_accounts")),
    )
    op.create_table(
        "agenda",
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("subject", sa.String(length=64), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject", name=op.f("pk_agenda")),
    )
    op.create_index(op.f("ix_agenda_at_kind_subject"), "agenda", ["at", "kind", "subject"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("number", Number, nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.Column("sender", sa.String(length=64), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("transport", sa.String(length=20), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_outbox")),
    )
    op.create_index(op.f("ix_outbox_recipient_number"), "outbox", ["recipient", "number"], unique=False)
    op.create_table(
        "requesters",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requesters")),
        sa.UniqueConstraint("name", name=op.f("uq_requesters_name")),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_settings")),
    )
    op.create_table(
        "workers",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("country", sa.String(length=2), nullable=False),
        sa.Column("subdivision", sa.String(length=2), nullable=True),
        sa.Column("prior_approved", sa.Integer(), nullable=False),
        sa.Column("prior_rate_percent", sa.Integer(), nullable=False),
        sa.Column("approved", sa.Integer(), nullable=False),
        sa.Column("rejected", sa.Integer(), nullable=False),
        sa.Column("adult", sa.Boolean(), nullable=False),
        sa.Column("masters", sa.Boolean(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workers")),
    )
    op.create_table(
        "access_keys",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("requester_id", sa.String(length=64), nullable=False),
        sa.Column("secret", sa.String(length=80), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["requester_id"], ["requesters.id"], name=op.f("fk_access_keys_requester_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_access_keys")),
    )
    op.create_table(
        "blocks",
        sa.Column("requester_id", sa.String(length=64), nullable=False),
        sa.Column("worker_id", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["requester_id"], ["requesters.id"], name=op.f("fk_blocks_requester_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_blocks_worker_id")),
        sa.PrimaryKeyConstraint("requester_id", "worker_id", name=op.f("pk_blocks")),
    )
    op.create_table(
        "hit_types",
        sa.Column("number", Number, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("requester_id", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("title", sa.String(length=128), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("keywords", sa.Text(), nullable=True),
        sa.Column("reward_cents", sa.BigInteger(), nullable=False),
        sa.Column("auto_approval_seconds", sa.Integer(), nullable=False),
        sa.Column("duration_seconds", sa.Integer(), nullable=False),
        sa.Column("requirements", sa.JSON(), nullable=False),
        sa.Column("assignable_hits", sa.Integer(), nullable=False),
        sa.Column("offered", sa.Boolean(), nullable=False),
        sa.Column("notification", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("notifying", sa.Boolean(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["requester_id"], ["requesters.id"], name=op.f("fk_hit_types_requester_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_hit_types")),
        sa.UniqueConstraint("id", name=op.f("uq_hit_types_id")),
        sa.UniqueConstraint("requester_id", "fingerprint", name=op.f("uq_hit_types_requester_id_fingerprint")),
    )
    op.create_index(op.f("ix_hit_types_offered_number"), "hit_types", ["offered", "number"], unique=False)
    op.create_table(
        "qualification_types",
        sa.Column("number", Number, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("requester_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("unique_name", sa.String(length=200), nullable=True),
        sa.Column("keywords", sa.Text(), nullable=True),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("test", sa.Text(), nullable=True),
        sa.Column("answer_key", sa.Text(), nullable=True),
        sa.Column("test_duration_seconds", sa.BigInteger(), nullable=True),
        sa.Column("retry_delay_seconds", sa.BigInteger(), nullable=True),
        sa.Column("auto_granted", sa.Boolean(), nullable=False),
        sa.Column("auto_granted_value", sa.Integer(), nullable=True),
        sa.Column("created_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["requester_id"], ["requesters.id"], name=op.f("fk_qualification_types_requester_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_qualification_types")),
        sa.UniqueConstraint("id", name=op.f("uq_qualification_types_id")),
        sa.UniqueConstraint(
            "requester_id", "unique_name", name=op.f("uq_qualification_types_requester_id_unique_name")
        ),
    )
    op.create_table(
        "tokens",
        sa.Column("requester_id", sa.String(length=64), nullable=False),
        sa.Column("operation", sa.String(length=40), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=64), nullable=False),
        sa.Column("used_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["requester_id"], ["requesters.id"], name=op.f("fk_tokens_requester_id")),
        sa.PrimaryKeyConstraint("requester_id", "operation", "token", name=op.f("pk_tokens")),
    )
    op.create_index(op.f("ix_tokens_used_at"), "tokens", ["used_at"], unique=False)
    op.create_table(
        "transfers",
        sa.Column("number", Number, nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("source", sa.String(length=120), nullable=False),
        sa.Column("target", sa.String(length=120), nullable=False),
        sa.Column("cents", sa.BigInteger(), nullable=False),
        sa.Column("subject", sa.String(length=64), nullable=True),
        sa.CheckConstraint("cents > 0", name="ck_transfers_positive"),
        sa.ForeignKeyConstraint(["source"], ["accounts.name"], name=op.f("fk_transfers_source")),
        sa.ForeignKeyConstraint(["target"], ["accounts.name"], name=op.f("fk_transfers_target")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_transfers")),
    )
    op.create_index(op.f("ix_transfers_source_number"), "transfers", ["source", "number"], unique=False)
    op.create_index(op.f("ix_transfers_target_number"), "transfers", ["target", "number"], unique=False)
    op.create_table(
        "hits",
        sa.Column("number", Number, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("requester_id", sa.String(length=64), nullable=False),
        sa.Column("hit_type_id", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("live", sa.Boolean(), nullable=False),
        sa.Column("max_assignments", sa.Integer(), nullable=False),
        sa.Column("pending", sa.Integer(), nullable=False),
        sa.Column("submitted", sa.Integer(), nullable=False),
        sa.Column("completed", sa.Integer(), nullable=False),
        sa.Column("reward_cents", sa.BigInteger(), nullable=False),
        sa.Column("fee_cents", sa.BigInteger(), nullable=False),
        sa.Column("held_cents", sa.BigInteger(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("annotation", sa.Text(), nullable=True),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column("expires_at", Utc(), nullable=False),
        sa.CheckConstraint("pending + submitted + completed <= max_assignments", name="ck_hits_slots"),
        sa.CheckConstraint("pending >= 0 AND submitted >= 0 AND completed >= 0", name="ck_hits_counts"),
        sa.ForeignKeyConstraint(["hit_type_id"], ["hit_types.id"], name=op.f("fk_hits_hit_type_id")),
        sa.ForeignKeyConstraint(["requester_id"], ["requesters.id"], name=op.f("fk_hits_requester_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_hits")),
        sa.UniqueConstraint("id", name=op.f("uq_hits_id")),
    )
    op.create_index(
        op.f("ix_hits_hit_type_id_status_number"), "hits", ["hit_type_id", "status", "number"], unique=False
    )
    op.create_index(op.f("ix_hits_requester_id_live_number"), "hits", ["requester_id", "live", "number"], unique=False)
    op.create_index(
        op.f("ix_hits_requester_id_status_number"), "hits", ["requester_id", "status", "number"], unique=False
    )
    op.create_table(
        "qualification_requests",
        sa.Column("number", Number, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("requester_id", sa.String(length=64), nullable=False),
        sa.Column("qualification_type_id", sa.String(length=64), nullable=False),
        sa.Column("worker_id", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("test", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("started_at", Utc(), nullable=False),
        sa.Column("submitted_at", Utc(), nullable=True),
        sa.ForeignKeyConstraint(
            ["qualification_type_id"],
            ["qualification_types.id"],
            name=op.f("fk_qualification_requests_qualification_type_id"),
        ),
        sa.ForeignKeyConstraint(
            ["requester_id"], ["requesters.id"], name=op.f("fk_qualification_requests_requester_id")
        ),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_qualification_requests_worker_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_qualification_requests")),
        sa.UniqueConstraint("id", name=op.f("uq_qualification_requests_id")),
    )
    op.create_index(
        op.f("ix_qualification_requests_qualification_type_id_status_number"),
        "qualification_requests",
        ["qualification_type_id", "status", "number"],
        unique=False,
    )
    op.create_index(
        op.f("ix_qualification_requests_qualification_type_id_worker_id_number"),
        "qualification_requests",
        ["qualification_type_id", "worker_id", "number"],
        unique=False,
    )
    op.create_index(
        op.f("ix_qualification_requests_requester_id_status_number"),
        "qualification_requests",
        ["requester_id", "status", "number"],
        unique=False,
    )
    op.create_table(
        "qualifications",
        sa.Column("qualification_type_id", sa.String(length=64), nullable=False),
        sa.Column("worker_id", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("granted_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(
            ["qualification_type_id"], ["qualification_types.id"], name=op.f("fk_qualifications_qualification_type_id")
        ),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_qualifications_worker_id")),
        sa.PrimaryKeyConstraint("qualification_type_id", "worker_id", name=op.f("pk_qualifications")),
    )
    op.create_index(
        op.f("ix_qualifications_qualification_type_id_status_worker_id"),
        "qualifications",
        ["qualification_type_id", "status", "worker_id"],
        unique=False,
    )
    op.create_index(op.f("ix_qualifications_worker_id"), "qualifications", ["worker_id"], unique=False)
    op.create_table(
        "assignments",
        sa.Column("number", Number, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("hit_id", sa.String(length=64), nullable=False),
        sa.Column("requester_id", sa.String(length=64), nullable=False),
        sa.Column("worker_id", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("accepted_at", Utc(), nullable=False),
        sa.Column("deadline", Utc(), nullable=False),
        sa.Column("submitted_at", Utc(), nullable=True),
        sa.Column("auto_approval_at", Utc(), nullable=True),
        sa.Column("approved_at", Utc(), nullable=True),
        sa.Column("rejected_at", Utc(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("feedback", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["hit_id"], ["hits.id"], name=op.f("fk_assignments_hit_id")),
        sa.ForeignKeyConstraint(["requester_id"], ["requesters.id"], name=op.f("fk_assignments_requester_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_assignments_worker_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_assignments")),
        sa.UniqueConstraint("id", name=op.f("uq_assignments_id")),
    )
    op.create_index(
        op.f("ix_assignments_hit_id_status_number"), "assignments", ["hit_id", "status", "number"], unique=False
    )
    op.create_index(op.f("ix_assignments_hit_id_worker_id"), "assignments", ["hit_id", "worker_id"], unique=False)
    op.create_index(
        op.f("ix_assignments_requester_id_worker_id_status"),
        "assignments",
        ["requester_id", "worker_id", "status"],
        unique=False,
    )
    op.create_index(op.f("ix_assignments_worker_id_number"), "assignments", ["worker_id", "number"], unique=False)
    op.create_table(
        "hit_requirements",
        sa.Column("qualification_type_id", sa.String(length=64), nullable=False),
        sa.Column("requester_id", sa.String(length=64), nullable=False),
        sa.Column("hit_number", Number, nullable=False),
        sa.ForeignKeyConstraint(["hit_number"], ["hits.number"], name=op.f("fk_hit_requirements_hit_number")),
        sa.PrimaryKeyConstraint(
            "qualification_type_id", "requester_id", "hit_number", name=op.f("pk_hit_requirements")
        ),
    )
    op.create_index(op.f("ix_hit_requirements_hit_number"), "hit_requirements", ["hit_number"], unique=False)
    op.create_table(
        "bonuses",
        sa.Column("number", Number, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("requester_id", sa.String(length=64), nullable=False),
        sa.Column("worker_id", sa.String(length=64), nullable=False),
        sa.Column("hit_id", sa.String(length=64), nullable=False),
        sa.Column("assignment_id", sa.String(length=64), nullable=False),
        sa.Column("cents", sa.BigInteger(), nullable=False),
        sa.Column("fee_cents", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("granted_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name=op.f("fk_bonuses_assignment_id")),
        sa.ForeignKeyConstraint(["hit_id"], ["hits.id"], name=op.f("fk_bonuses_hit_id")),
        sa.ForeignKeyConstraint(["requester_id"], ["requesters.id"], name=op.f("fk_bonuses_requester_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_bonuses_worker_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_bonuses")),
        sa.UniqueConstraint("id", name=op.f("uq_bonuses_id")),
    )
    op.create_index(op.f("ix_bonuses_assignment_id_number"), "bonuses", ["assignment_id", "number"], unique=False)
    op.create_index(op.f("ix_bonuses_hit_id_number"), "bonuses", ["hit_id", "number"], unique=False)
    op.create_index(op.f("ix_bonuses_worker_id_number"), "bonuses", ["worker_id", "number"], unique=False)
    _make_transfers_append_only()


def _make_transfers_append_only() -> None:
    """The ledger is not rewritten, whatever the code above it does."""
    refusal = "transfers are never changed"
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION refuse_change_of_transfers() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{refusal}'; END $$"
        )
        op.execute(
            "CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE ON transfers "
            "FOR EACH ROW EXECUTE FUNCTION refuse_change_of_transfers()"
        )
        return
    for action in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER transfers_append_only_{action.lower()} BEFORE {action} ON transfers "
            f"BEGIN SELECT RAISE(ABORT, '{refusal}'); END"
        )
