"""The whole schema of a campaign's store.

It was made in 25 steps, 0001 to 0025, before the first release. Stores of those steps are refused
(`store.RETIRED`).
"""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0026"
down_revision = None

ONLY_ADDED_TO = (
    "audit_log",
    "payment_events",
    "review_draws",
    "reviews",
    "revocation_outcomes",
    "revocation_proposals",
    "standing_answers",
    "standing_events",
)


def upgrade() -> None:
    op.create_table(
        "audit_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.Column("who", sa.String(length=80), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("machine_user", sa.String(length=80), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_log"),
    )
    op.create_table(
        "campaigns",
        sa.Column("id", sa.String(length=80), nullable=False),
        sa.Column("task", sa.String(length=40), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("pseudonym_key", sa.String(length=64), nullable=False),
        sa.Column("config", sa.JSON(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_campaigns"),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("beat", sa.Integer(), nullable=False),
        sa.Column("holder", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("name", name="pk_leases"),
    )
    op.create_table(
        "pay_decisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("pays", sa.Boolean(), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_pay_decisions"),
    )
    op.create_index("ix_pay_decisions_assignment_id", "pay_decisions", ["assignment_id"])
    op.create_table(
        "reviewers",
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("salt", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("lead", sa.Boolean(), nullable=False),
        sa.Column("added_at", Utc(), nullable=False),
        sa.Column("removed_at", Utc(), nullable=True),
        sa.PrimaryKeyConstraint("name", name="pk_reviewers"),
    )
    op.create_table(
        "contexts",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("private", sa.JSON(), nullable=False),
        sa.Column("asked", sa.Boolean(), nullable=True),
        sa.Column("part", sa.String(length=8), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_contexts_campaign_id"),
        sa.PrimaryKeyConstraint("campaign_id", "id", name="pk_contexts"),
    )
    op.create_table(
        "model_answers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("model_hash", sa.String(length=64), nullable=False),
        sa.Column("query_hash", sa.String(length=64), nullable=False),
        sa.Column("prediction", sa.JSON(), nullable=True),
        sa.Column("microcents", sa.BigInteger(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=True),
        sa.Column("unreadable", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.CheckConstraint("microcents >= 0", name="ck_model_answers_microcents"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_model_answers_campaign_id"),
        sa.PrimaryKeyConstraint("id", name="pk_model_answers"),
    )
    op.create_index("ix_model_answers_assignment_id", "model_answers", ["assignment_id"])
    op.create_index(
        "ix_model_answers_campaign_id_model_hash_query_hash",
        "model_answers",
        ["campaign_id", "model_hash", "query_hash"],
    )
    op.create_table(
        "payments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("purpose", sa.String(length=40), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("assignment", sa.String(length=255), nullable=False),
        sa.Column("cents", sa.Integer(), nullable=False),
        sa.Column("fee_cents", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column("sent_at", Utc(), nullable=True),
        sa.Column("confirmed_at", Utc(), nullable=True),
        sa.Column("token_spent_at", Utc(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.CheckConstraint("state IN ('intent', 'sent', 'confirmed', 'unknown')", name="ck_payments_state"),
        sa.CheckConstraint("cents >= 0 AND fee_cents >= 0", name="ck_payments_amounts"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_payments_campaign_id"),
        sa.PrimaryKeyConstraint("id", name="pk_payments"),
        sa.UniqueConstraint(
            "campaign_id", "purpose", "worker", "assignment", name="uq_payments_campaign_id_purpose_worker_assignment"
        ),
        sa.UniqueConstraint("token", name="uq_payments_token"),
    )
    op.create_index("ix_payments_campaign_id_worker", "payments", ["campaign_id", "worker"])
    op.create_table(
        "reviewer_sessions",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("reviewer", sa.String(length=80), nullable=False),
        sa.Column("until", Utc(), nullable=False),
        sa.Column("sees_all", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["reviewer"], ["reviewers.name"], name="fk_reviewer_sessions_reviewer"),
        sa.PrimaryKeyConstraint("id", name="pk_reviewer_sessions"),
    )
    op.create_index("ix_reviewer_sessions_reviewer", "reviewer_sessions", ["reviewer"])
    op.create_table(
        "revocation_proposals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("machine_user", sa.String(length=80), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_revocation_proposals_campaign_id"),
        sa.PrimaryKeyConstraint("id", name="pk_revocation_proposals"),
    )
    op.create_index("ix_revocation_proposals_campaign_id_worker", "revocation_proposals", ["campaign_id", "worker"])
    op.create_table(
        "rounds",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("config", sa.JSON(), nullable=False),
        sa.Column("models", sa.JSON(), nullable=False),
        sa.Column("opened_at", Utc(), nullable=False),
        sa.Column("closed_at", Utc(), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_rounds_campaign_id"),
        sa.PrimaryKeyConstraint("campaign_id", "number", name="pk_rounds"),
    )
    op.create_table(
        "adjudication_states",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_adjudication_states_campaign_id"),
        sa.PrimaryKeyConstraint("campaign_id", "round", name="pk_adjudication_states"),
    )
    op.create_table(
        "standing_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("standing", sa.String(length=12), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("registration", sa.String(length=255), nullable=True),
        sa.Column("at", Utc(), nullable=False),
        sa.CheckConstraint(
            "standing IN ('candidate', 'qualified', 'revoked', 'blocked')", name="ck_standing_events_standing"
        ),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_standing_events_campaign_id"),
        sa.PrimaryKeyConstraint("id", name="pk_standing_events"),
    )
    op.create_index("ix_standing_events_campaign_id_worker", "standing_events", ["campaign_id", "worker"])
    op.create_table(
        "unreliable_validators",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_unreliable_validators_campaign_id"),
        sa.PrimaryKeyConstraint("campaign_id", "round", "worker", name="pk_unreliable_validators"),
    )
    op.create_table(
        "hits",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("context_id", sa.String(length=255), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("brief", sa.JSON(), nullable=True),
        sa.Column("outcome", sa.String(length=12), nullable=True),
        sa.CheckConstraint("outcome IN ('won', 'without_win')", name="ck_hits_outcome"),
        sa.ForeignKeyConstraint(
            ["campaign_id", "context_id"],
            ["contexts.campaign_id", "contexts.id"],
            name="fk_hits_campaign_id_context_id",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_hits"),
        sa.UniqueConstraint("campaign_id", "context_id", "slot", name="uq_hits_campaign_id_context_id_slot"),
    )
    op.create_index(
        "ix_hits_without_win",
        "hits",
        ["campaign_id", "context_id"],
        sqlite_where=sa.text("outcome = 'without_win'"),
        postgresql_where=sa.text("outcome = 'without_win'"),
    )
    op.create_index(
        "ix_hits_open",
        "hits",
        ["campaign_id", "context_id"],
        sqlite_where=sa.text("outcome IS NULL"),
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.create_table(
        "assignments",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("stage", sa.String(length=12), nullable=False),
        sa.Column("hit", sa.String(length=80), nullable=False),
        sa.Column("hit_id", sa.String(length=32), nullable=True),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("registration", sa.String(length=255), nullable=False),
        sa.Column("crowd_assignment", sa.String(length=255), nullable=False),
        sa.Column("accepted_at", Utc(), nullable=False),
        sa.Column("submitted_at", Utc(), nullable=True),
        sa.Column("feedback", sa.Text(), nullable=True),
        sa.Column("confirmed_at", Utc(), nullable=True),
        sa.Column("set_aside_at", Utc(), nullable=True),
        sa.Column("set_aside_reason", sa.String(length=80), nullable=True),
        sa.Column("round", sa.Integer(), server_default="1", nullable=False),
        sa.Column("place", sa.String(length=32), nullable=True),
        sa.CheckConstraint("(stage = 'validation') = (hit_id IS NULL)", name="ck_assignments_hit_id"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_assignments_campaign_id"),
        sa.ForeignKeyConstraint(["hit_id"], ["hits.id"], name="fk_assignments_hit_id"),
        sa.PrimaryKeyConstraint("id", name="pk_assignments"),
        sa.UniqueConstraint("hit", "registration", "campaign_id", name="uq_assignments_hit_registration_campaign_id"),
    )
    op.create_index("ix_assignments_hit_id", "assignments", ["hit_id"])
    op.create_index("ix_assignments_one_for_each_place", "assignments", ["place"], unique=True)
    op.create_index(
        "ix_assignments_waiting",
        "assignments",
        ["campaign_id", "stage", "submitted_at"],
        sqlite_where=sa.text("confirmed_at IS NULL AND set_aside_at IS NULL"),
        postgresql_where=sa.text("confirmed_at IS NULL AND set_aside_at IS NULL"),
    )
    op.create_index("ix_assignments_worker", "assignments", ["worker"])
    op.create_table(
        "payment_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("payment_id", sa.Integer(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["payment_id"], ["payments.id"], name="fk_payment_events_payment_id"),
        sa.PrimaryKeyConstraint("id", name="pk_payment_events"),
    )
    op.create_index("ix_payment_events_payment_id", "payment_events", ["payment_id"])
    op.create_table(
        "revocation_outcomes",
        sa.Column("proposal_id", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(length=12), nullable=False),
        sa.Column("closed_by", sa.String(length=80), nullable=False),
        sa.Column("closed_at", Utc(), nullable=False),
        sa.CheckConstraint("outcome IN ('revoked', 'withdrawn')", name="ck_revocation_outcomes_outcome"),
        sa.ForeignKeyConstraint(
            ["proposal_id"], ["revocation_proposals.id"], name="fk_revocation_outcomes_proposal_id"
        ),
        sa.PrimaryKeyConstraint("proposal_id", name="pk_revocation_outcomes"),
    )
    op.create_table(
        "round_stages",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("stage", sa.String(length=12), nullable=False),
        sa.Column("frozen_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "number"],
            ["rounds.campaign_id", "rounds.number"],
            name="fk_round_stages_campaign_id_number",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "number", "stage", name="pk_round_stages"),
    )
    op.create_table(
        "standing_answers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("at", Utc(), nullable=False),
        sa.CheckConstraint("state IN ('confirmed', 'declined', 'unanswered')", name="ck_standing_answers_state"),
        sa.ForeignKeyConstraint(["event_id"], ["standing_events.id"], name="fk_standing_answers_event_id"),
        sa.PrimaryKeyConstraint("id", name="pk_standing_answers"),
    )
    op.create_index("ix_standing_answers_event_id", "standing_answers", ["event_id"])
    op.create_table(
        "uncounted_gold",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name="fk_uncounted_gold_assignment_id"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_uncounted_gold_campaign_id"),
        sa.PrimaryKeyConstraint("campaign_id", "round", "assignment_id", name="pk_uncounted_gold"),
    )
    op.create_table(
        "attempts",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("work", sa.JSON(), nullable=False),
        sa.Column("prediction", sa.JSON(), nullable=False),
        sa.Column("fooled", sa.Boolean(), nullable=False),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.Column("member", sa.String(length=80), nullable=False),
        sa.Column("model_name", sa.String(length=255), nullable=False),
        sa.Column("model_hash", sa.String(length=64), nullable=False),
        sa.Column("model_precision", sa.String(length=20), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column("retracted_at", Utc(), nullable=True),
        sa.Column("flag_reason", sa.String(length=40), nullable=True),
        sa.Column("flag_note", sa.Text(), nullable=True),
        sa.Column("fingerprint", sa.String(length=64), nullable=True),
        sa.Column("explanation", sa.JSON(), nullable=True),
        sa.Column("doubts", sa.JSON(), nullable=True),
        sa.Column("appeal", sa.Text(), nullable=True),
        sa.Column("admitted", sa.Boolean(), nullable=True),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name="fk_attempts_assignment_id"),
        sa.PrimaryKeyConstraint("id", name="pk_attempts"),
        sa.UniqueConstraint("assignment_id", "key", name="uq_attempts_assignment_id_key"),
        sa.UniqueConstraint("assignment_id", "ordinal", name="uq_attempts_assignment_id_ordinal"),
    )
    op.create_index("ix_attempts_created_at", "attempts", ["created_at"])
    op.create_index(
        "ix_attempts_doubted",
        "attempts",
        ["assignment_id"],
        sqlite_where=sa.text("doubts IS NOT NULL"),
        postgresql_where=sa.text("doubts IS NOT NULL"),
    )
    op.create_index("ix_attempts_fingerprint", "attempts", ["fingerprint"])
    op.create_table(
        "edits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("cause", sa.String(length=20), nullable=False),
        sa.Column("draft", sa.JSON(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.Column("prediction", sa.JSON(), nullable=True),
        sa.Column("member", sa.String(length=80), nullable=True),
        sa.Column("model_hash", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name="fk_edits_assignment_id"),
        sa.PrimaryKeyConstraint("id", name="pk_edits"),
        sa.UniqueConstraint("assignment_id", "key", name="uq_edits_assignment_id_key"),
        sa.UniqueConstraint("assignment_id", "ordinal", name="uq_edits_assignment_id_ordinal"),
    )
    op.create_table(
        "review_draws",
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("completed", sa.Integer(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name="fk_review_draws_assignment_id"),
        sa.PrimaryKeyConstraint("assignment_id", name="pk_review_draws"),
    )
    op.create_table(
        "screenings",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("quiz", sa.String(length=64), nullable=False),
        sa.Column("started_at", Utc(), nullable=False),
        sa.Column("submitted_at", Utc(), nullable=True),
        sa.Column("outcome", sa.String(length=12), nullable=True),
        sa.Column("set_aside_at", Utc(), nullable=True),
        sa.CheckConstraint("outcome IN ('passed', 'failed', 'incomplete')", name="ck_screenings_outcome"),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name="fk_screenings_assignment_id"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_screenings_campaign_id"),
        sa.PrimaryKeyConstraint("id", name="pk_screenings"),
        sa.UniqueConstraint("assignment_id", name="uq_screenings_assignment_id"),
    )
    op.create_index(
        "ix_screenings_one_for_each_worker",
        "screenings",
        ["campaign_id", "worker"],
        unique=True,
        sqlite_where=sa.text("set_aside_at IS NULL"),
        postgresql_where=sa.text("set_aside_at IS NULL"),
    )
    op.create_table(
        "reviews",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("reviewer", sa.String(length=80), nullable=False),
        sa.Column("verdict", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.CheckConstraint("verdict IN ('accept', 'reject', 'undo')", name="ck_reviews_verdict"),
        sa.ForeignKeyConstraint(["assignment_id"], ["review_draws.assignment_id"], name="fk_reviews_assignment_id"),
        sa.PrimaryKeyConstraint("id", name="pk_reviews"),
    )
    op.create_index("ix_reviews_assignment_id", "reviews", ["assignment_id"])
    op.create_table(
        "screening_responses",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("screening_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(length=80), nullable=False),
        sa.Column("work", sa.JSON(), nullable=False),
        sa.Column("mistake", sa.String(length=40), nullable=True),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["screening_id"], ["screenings.id"], name="fk_screening_responses_screening_id"),
        sa.PrimaryKeyConstraint("id", name="pk_screening_responses"),
        sa.UniqueConstraint("screening_id", "key", name="uq_screening_responses_screening_id_key"),
        sa.UniqueConstraint("screening_id", "ordinal", name="uq_screening_responses_screening_id_ordinal"),
    )
    op.create_table(
        "telemetry",
        sa.Column("attempt_id", sa.String(length=32), nullable=False),
        sa.Column("pastes", sa.Integer(), nullable=False),
        sa.Column("pasted_chars", sa.Integer(), nullable=False),
        sa.Column("keystrokes", sa.Integer(), nullable=False),
        sa.Column("focused_seconds", sa.Float(), nullable=False),
        sa.Column("first_key_seconds", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.id"], name="fk_telemetry_attempt_id"),
        sa.PrimaryKeyConstraint("attempt_id", name="pk_telemetry"),
    )
    op.create_table(
        "validation_items",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("context_id", sa.String(length=255), nullable=False),
        sa.Column("attempt_id", sa.String(length=32), nullable=True),
        sa.Column("gold", sa.JSON(), nullable=True),
        sa.Column("steps", sa.Integer(), server_default="0", nullable=False),
        sa.CheckConstraint("(attempt_id IS NULL) <> (gold IS NULL)", name="ck_validation_items_kind"),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name="fk_validation_items_assignment_id"),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.id"], name="fk_validation_items_attempt_id"),
        sa.ForeignKeyConstraint(
            ["campaign_id", "context_id"],
            ["contexts.campaign_id", "contexts.id"],
            name="fk_validation_items_campaign_id_context_id",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_validation_items"),
        sa.UniqueConstraint("assignment_id", "position", name="uq_validation_items_assignment_id_position"),
    )
    op.create_index("ix_validation_items_attempt_id", "validation_items", ["attempt_id"])
    op.create_table(
        "works",
        sa.Column("attempt_id", sa.String(length=32), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("context_id", sa.String(length=255), nullable=False),
        sa.Column("writer", sa.String(length=255), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=True),
        sa.Column("label", sa.JSON(), nullable=True),
        sa.Column("kept", sa.Boolean(), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("model_right", sa.Boolean(), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("votes", sa.Integer(), nullable=False),
        sa.Column("votes_needed", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("lot", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.id"], name="fk_works_attempt_id"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name="fk_works_campaign_id"),
        sa.PrimaryKeyConstraint("attempt_id", name="pk_works"),
    )
    op.create_index("ix_works_campaign_id_context_id", "works", ["campaign_id", "context_id"])
    op.create_index(
        "ix_works_unjudged",
        "works",
        ["campaign_id", "round"],
        sqlite_where=sa.text("status IS NULL"),
        postgresql_where=sa.text("status IS NULL"),
    )
    op.create_index(
        "ix_works_wanted",
        "works",
        ["campaign_id", "round", "votes", "lot"],
        sqlite_where=sa.text("wanted > 0"),
        postgresql_where=sa.text("wanted > 0"),
    )
    op.create_table(
        "validation_votes",
        sa.Column("item_id", sa.String(length=32), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("vote", sa.JSON(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["validation_items.id"], name="fk_validation_votes_item_id"),
        sa.PrimaryKeyConstraint("item_id", "ordinal", name="pk_validation_votes"),
        sa.UniqueConstraint("item_id", "key", name="uq_validation_votes_item_id_key"),
    )

    for statement in _guards(op.get_bind().dialect.name):
        op.execute(statement)


def _guards(dialect: str) -> list[str]:
    """Return the triggers by which the database itself keeps rows from being changed or deleted."""
    if dialect == "sqlite":
        return [
            f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} can only be added to'); END"
            for table in ONLY_ADDED_TO
            for verb in ("UPDATE", "DELETE")
        ]
    function = (
        "CREATE FUNCTION only_added_to() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% can only be added to', TG_TABLE_NAME; END $$"
    )
    triggers = (
        f"CREATE TRIGGER {table}_only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION only_added_to()"
        for table in ONLY_ADDED_TO
    )
    return [function, *triggers]
