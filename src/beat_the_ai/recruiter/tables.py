"""The tables of the recruiter: a database of its own.

workspace       one row: whose it is, its money, its keys
studies ─< submissions >─ participants
submissions ─< payments      rewards and bonuses that were paid; never changed
bonus_orders ─< bonus_runs   bonuses that were set up, and each request to pay them
participant_groups ─< group_members
messages
hook_secrets, subscriptions ─< events

`number` counts up in the order of creation. Times are UTC, money is in cents of the workspace's currency.
"""

from __future__ import annotations

import sqlalchemy as sa

from beat_the_ai.databases import NAMES, Utc

Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
Id = sa.String(24)

metadata = sa.MetaData(naming_convention=NAMES)

workspace = sa.Table(
    "recruiter_workspace",
    metadata,
    sa.Column("id", Id, primary_key=True),
    sa.Column("project_id", Id, nullable=False),
    sa.Column("researcher_id", Id, nullable=False),
    sa.Column("currency", sa.String(3), nullable=False),
    sa.Column("cents", sa.BigInteger, nullable=False),
    sa.Column("token", sa.String(80), nullable=False),
    sa.Column("page_secret", sa.String(80), nullable=False),
    sa.Column("key_id", sa.String(40), nullable=False),
    sa.Column("signing_key", sa.Text, nullable=False),
    sa.Column("seconds_ahead", sa.Float, nullable=False),
    sa.Column("created_at", Utc, nullable=False),
)

studies = sa.Table(
    "studies",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("id", Id, nullable=False, unique=True),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("document", sa.JSON, nullable=False),
    sa.Column("created_at", Utc, nullable=False),
    sa.Column("published_at", Utc),
    sa.Column("publish_at", Utc),
    sa.Index(None, "status", "number"),
    sa.Index(None, "publish_at"),
)

participants = sa.Table(
    "participants",
    metadata,
    sa.Column("id", Id, primary_key=True),
    sa.Column("created_at", Utc, nullable=False),
)

submissions = sa.Table(
    "submissions",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("id", Id, nullable=False, unique=True),
    sa.Column("study_id", sa.ForeignKey("studies.id"), nullable=False),
    sa.Column("participant_id", sa.ForeignKey("participants.id"), nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("reserved_at", Utc, nullable=False),
    sa.Column("started_at", Utc),
    sa.Column("deadline", Utc),  # while it is RESERVED or ACTIVE
    sa.Column("completed_at", Utc),
    sa.Column("entered_code", sa.String(200)),
    sa.Column("return_requested", Utc),
    sa.Column("rejection_category", sa.String(40)),
    sa.Column("rejection_message", sa.Text),
    sa.Index(None, "study_id", "status"),
    sa.Index(None, "participant_id", "status"),
    sa.Index(None, "study_id", "participant_id", "number"),
    sa.Index(None, "deadline"),
)

payments = sa.Table(
    "payments",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("at", Utc, nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("study_id", sa.ForeignKey("studies.id"), nullable=False),
    sa.Column("submission_id", sa.ForeignKey("submissions.id"), nullable=False),
    sa.Column("participant_id", sa.ForeignKey("participants.id"), nullable=False),
    sa.Column("bonus_run", sa.ForeignKey("bonus_runs.number")),
    sa.Column("cents", sa.BigInteger, nullable=False),
    sa.Column("fee_cents", sa.BigInteger, nullable=False),
    sa.Column("tax_cents", sa.BigInteger, nullable=False),
    sa.CheckConstraint("cents > 0", name="ck_payments_positive"),
    sa.Index(None, "submission_id", "kind"),
    sa.Index(None, "study_id", "kind"),
    sa.Index(None, "participant_id", "number"),
)

bonus_orders = sa.Table(
    "bonus_orders",
    metadata,
    sa.Column("id", Id, primary_key=True),
    sa.Column("study_id", sa.ForeignKey("studies.id"), nullable=False),
    sa.Column("lines", sa.JSON, nullable=False),  # [[submission id, cents], …]
    sa.Column("total_cents", sa.BigInteger, nullable=False),
    sa.Column("created_at", Utc, nullable=False),
)

bonus_runs = sa.Table(
    "bonus_runs",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("order_id", sa.ForeignKey("bonus_orders.id"), nullable=False),
    sa.Column("total_cents", sa.BigInteger, nullable=False),
    sa.Column("asked_at", Utc, nullable=False),
    sa.Column("due_at", Utc),  # none once it is paid
    sa.Column("paid_at", Utc),
    sa.Index(None, "due_at"),
    sa.Index(None, "order_id"),
)

participant_groups = sa.Table(
    "participant_groups",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("id", Id, nullable=False, unique=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("description", sa.Text),
    sa.Column("is_deleted", sa.Boolean, nullable=False),
    sa.Column("created_at", Utc, nullable=False),
)

group_members = sa.Table(
    "group_members",
    metadata,
    sa.Column("group_id", sa.ForeignKey("participant_groups.id"), primary_key=True),
    sa.Column("participant_id", Id, primary_key=True),
    sa.Column("added_at", Utc, nullable=False),
    sa.Index(None, "participant_id"),
)

messages = sa.Table(
    "messages",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("id", Id, nullable=False, unique=True),
    sa.Column("participant_id", sa.ForeignKey("participants.id"), nullable=False),
    sa.Column("from_participant", sa.Boolean, nullable=False),
    sa.Column("study_id", sa.ForeignKey("studies.id")),
    sa.Column("category", sa.String(40)),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("sent_at", Utc, nullable=False),
    sa.Column("is_read", sa.Boolean, nullable=False),
    sa.Index(None, "participant_id", "number"),
    sa.Index(None, "sent_at"),
)

hook_secrets = sa.Table(
    "hook_secrets",
    metadata,
    sa.Column("workspace_id", sa.ForeignKey("recruiter_workspace.id"), primary_key=True),
    sa.Column("id", Id, nullable=False),
    sa.Column("value", sa.String(80), nullable=False),
)

subscriptions = sa.Table(
    "subscriptions",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("id", Id, nullable=False, unique=True),
    sa.Column("event_type", sa.String(40), nullable=False),
    sa.Column("target_url", sa.Text, nullable=False),
    sa.Column("is_enabled", sa.Boolean, nullable=False),
    sa.Column("is_confirmed", sa.Boolean, nullable=False),
    sa.Column("is_deleted", sa.Boolean, nullable=False),
    sa.Column("challenge", sa.String(80), nullable=False),
    sa.Column("challenge_tries", sa.Integer, nullable=False),
    sa.Column("challenge_due_at", Utc),  # none once the target has answered, or was given up
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("id", Id, nullable=False, unique=True),
    sa.Column("subscription_id", sa.ForeignKey("subscriptions.id"), nullable=False),
    sa.Column("event_type", sa.String(40), nullable=False),
    sa.Column("resource_id", Id, nullable=False),
    sa.Column("target_url", sa.Text, nullable=False),
    sa.Column("payload", sa.JSON, nullable=False),
    sa.Column("status", sa.String(10), nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("due_at", Utc),  # none once it is delivered, or was given up
    sa.Column("created_at", Utc, nullable=False),
    sa.Column("updated_at", Utc, nullable=False),
    sa.Index(None, "subscription_id", "number"),
    sa.Index(None, "due_at"),
)
