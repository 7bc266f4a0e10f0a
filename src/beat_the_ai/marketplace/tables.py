"""The tables of the marketplace: a database of its own, apart from any campaign's.

requesters ─< access_keys
workers ── worker_credentials
workers ── people ─< person_groups, invitations, sign_in_links, payouts   those whom the requester knows by name
people ── recruited ─< visits >─ studies ── recruiter_studies   those whom a recruiter sends
studies ─< bonus_batches ─< batched_bonuses ── bonuses; outbox ── forwarded   what a recruiter is told
workers ── withdrawals, erasures   those who take part no more; campaign_places: where work lies; debriefings
requesters ─< hit_types ─< hits ─< assignments >─ workers
                             │          └─< bonuses
                             └─< hit_requirements >─ qualification_types ─< qualifications, qualification_requests
accounts, transfers   the ledger
agenda                what will happen by itself, and when: one row per thing and kind
outbox ── deliveries  messages to workers and event notifications to requesters; which of these are not yet delivered
tokens, blocks, settings

`number` counts up in the order of creation and is what lists are paged by. Nothing but agenda, deliveries,
tokens, blocks, hit_requirements and an erased person's rows is ever deleted. Times are UTC, money is in cents.
"""

from __future__ import annotations

import sqlalchemy as sa

from beat_the_ai.databases import NAMES, Utc

Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")

metadata = sa.MetaData(naming_convention=NAMES)

requesters = sa.Table(
    "requesters",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("name", sa.String(80), nullable=False, unique=True),
    sa.Column("created_at", Utc, nullable=False),
)

access_keys = sa.Table(
    "access_keys",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("requester_id", sa.ForeignKey("requesters.id"), nullable=False),
    # SigV4 needs the secret itself on both sides; a hash of it could verify nothing. Empty once the key is revoked.
    sa.Column("secret", sa.String(80), nullable=False),
    sa.Column("created_at", Utc, nullable=False),
    sa.Column("revoked_at", Utc),
    sa.Index(None, "requester_id", "created_at"),
)

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("name", sa.String(120), primary_key=True),
    sa.Column("cents", sa.BigInteger, nullable=False),
)

transfers = sa.Table(
    "transfers",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("at", Utc, nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("source", sa.ForeignKey("accounts.name"), nullable=False),
    sa.Column("target", sa.ForeignKey("accounts.name"), nullable=False),
    sa.Column("cents", sa.BigInteger, nullable=False),
    sa.Column("subject", sa.String(64)),
    sa.CheckConstraint("cents > 0", name="ck_transfers_positive"),
    sa.Index(None, "source", "number"),
    sa.Index(None, "target", "number"),
)

workers = sa.Table(
    "workers",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("country", sa.String(2), nullable=False),
    sa.Column("subdivision", sa.String(2)),
    sa.Column("prior_approved", sa.Integer, nullable=False),
    sa.Column("prior_rate_percent", sa.Integer, nullable=False),
    sa.Column("approved", sa.Integer, nullable=False),
    sa.Column("rejected", sa.Integer, nullable=False),
    sa.Column("adult", sa.Boolean, nullable=False),
    sa.Column("masters", sa.Boolean, nullable=False),
    sa.Column("bonus_cents", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("created_at", Utc, nullable=False),
)

worker_credentials = sa.Table(
    "worker_credentials",
    metadata,
    sa.Column("worker_id", sa.ForeignKey("workers.id"), primary_key=True),
    sa.Column("salt", sa.String(64), nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
    # Counts up when the worker signs out or gets another code: sessions of an earlier epoch are over.
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("issued_at", Utc, nullable=False),
)

hit_types = sa.Table(
    "hit_types",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("id", sa.String(64), nullable=False, unique=True),
    sa.Column("requester_id", sa.ForeignKey("requesters.id"), nullable=False),
    sa.Column("fingerprint", sa.String(64), nullable=False),
    sa.Column("title", sa.String(128), nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    sa.Column("keywords", sa.Text),
    sa.Column("reward_cents", sa.BigInteger, nullable=False),
    sa.Column("auto_approval_seconds", sa.Integer, nullable=False),
    sa.Column("duration_seconds", sa.Integer, nullable=False),
    sa.Column("requirements", sa.JSON, nullable=False),
    sa.Column("assignable_hits", sa.Integer, nullable=False),
    sa.Column("offered", sa.Boolean, nullable=False),
    sa.Column("notification", sa.JSON(none_as_null=True)),
    sa.Column("notifying", sa.Boolean, nullable=False),
    sa.Column("created_at", Utc, nullable=False),
    sa.UniqueConstraint("requester_id", "fingerprint"),
    sa.Index(None, "offered", "number"),
)

hits = sa.Table(
    "hits",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("id", sa.String(64), nullable=False, unique=True),
    sa.Column("requester_id", sa.ForeignKey("requesters.id"), nullable=False),
    sa.Column("hit_type_id", sa.ForeignKey("hit_types.id"), nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("live", sa.Boolean, nullable=False),
    sa.Column("max_assignments", sa.Integer, nullable=False),
    sa.Column("pending", sa.Integer, nullable=False),
    sa.Column("submitted", sa.Integer, nullable=False),
    sa.Column("completed", sa.Integer, nullable=False),
    sa.Column("reward_cents", sa.BigInteger, nullable=False),
    sa.Column("fee_cents", sa.BigInteger, nullable=False),
    sa.Column("held_cents", sa.BigInteger, nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("annotation", sa.Text),
    sa.Column("created_at", Utc, nullable=False),
    sa.Column("expires_at", Utc, nullable=False),
    sa.CheckConstraint("pending >= 0 AND submitted >= 0 AND completed >= 0", name="ck_hits_counts"),
    sa.CheckConstraint("pending + submitted + completed <= max_assignments", name="ck_hits_slots"),
    sa.Index(None, "requester_id", "live", "number"),
    sa.Index(None, "requester_id", "status", "number"),
    sa.Index(None, "hit_type_id", "status", "number"),
)

hit_requirements = sa.Table(
    "hit_requirements",
    metadata,
    sa.Column("qualification_type_id", sa.String(64), primary_key=True),
    sa.Column("requester_id", sa.String(64), primary_key=True),
    sa.Column("hit_number", sa.ForeignKey("hits.number"), primary_key=True),
    sa.Index(None, "hit_number"),
)

assignments = sa.Table(
    "assignments",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("id", sa.String(64), nullable=False, unique=True),
    sa.Column("hit_id", sa.ForeignKey("hits.id"), nullable=False),
    sa.Column("requester_id", sa.ForeignKey("requesters.id"), nullable=False),
    sa.Column("worker_id", sa.ForeignKey("workers.id"), nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("accepted_at", Utc, nullable=False),
    sa.Column("deadline", Utc, nullable=False),
    sa.Column("submitted_at", Utc),
    sa.Column("auto_approval_at", Utc),
    sa.Column("approved_at", Utc),
    sa.Column("rejected_at", Utc),
    sa.Column("answer", sa.Text),
    sa.Column("feedback", sa.Text),
    sa.Index(None, "hit_id", "status", "number"),
    sa.Index(None, "hit_id", "worker_id"),
    sa.Index(None, "requester_id", "worker_id", "status"),
    sa.Index(None, "worker_id", "number"),
    sa.Index(None, "worker_id", "status", "number"),
)

bonuses = sa.Table(
    "bonuses",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("id", sa.String(64), nullable=False, unique=True),
    sa.Column("requester_id", sa.ForeignKey("requesters.id"), nullable=False),
    sa.Column("worker_id", sa.ForeignKey("workers.id"), nullable=False),
    sa.Column("hit_id", sa.ForeignKey("hits.id"), nullable=False),
    sa.Column("assignment_id", sa.ForeignKey("assignments.id"), nullable=False),
    sa.Column("cents", sa.BigInteger, nullable=False),
    sa.Column("fee_cents", sa.BigInteger, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("granted_at", Utc, nullable=False),
    sa.Index(None, "hit_id", "number"),
    sa.Index(None, "assignment_id", "number"),
    sa.Index(None, "worker_id", "number"),
)

qualification_types = sa.Table(
    "qualification_types",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("id", sa.String(64), nullable=False, unique=True),
    sa.Column("requester_id", sa.ForeignKey("requesters.id"), nullable=False),
    sa.Column("name", sa.String(200), nullable=False),
    # The name while the type lives, then null: a name may be used again after a deletion.
    sa.Column("unique_name", sa.String(200)),
    sa.Column("keywords", sa.Text),
    sa.Column("description", sa.Text, nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("test", sa.Text),
    sa.Column("answer_key", sa.Text),
    sa.Column("test_duration_seconds", sa.BigInteger),
    sa.Column("retry_delay_seconds", sa.BigInteger),
    sa.Column("auto_granted", sa.Boolean, nullable=False),
    sa.Column("auto_granted_value", sa.Integer),
    sa.Column("created_at", Utc, nullable=False),
    sa.UniqueConstraint("requester_id", "unique_name"),
)

qualifications = sa.Table(
    "qualifications",
    metadata,
    sa.Column("qualification_type_id", sa.ForeignKey("qualification_types.id"), primary_key=True),
    sa.Column("worker_id", sa.ForeignKey("workers.id"), primary_key=True),
    sa.Column("value", sa.Integer),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("reason", sa.Text),
    sa.Column("granted_at", Utc, nullable=False),
    sa.Index(None, "qualification_type_id", "status", "worker_id"),
    sa.Index(None, "worker_id", "qualification_type_id"),
)

qualification_requests = sa.Table(
    "qualification_requests",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("id", sa.String(64), nullable=False, unique=True),
    sa.Column("requester_id", sa.ForeignKey("requesters.id"), nullable=False),
    sa.Column("qualification_type_id", sa.ForeignKey("qualification_types.id"), nullable=False),
    sa.Column("worker_id", sa.ForeignKey("workers.id"), nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("test", sa.Text),
    sa.Column("answer", sa.Text),
    sa.Column("reason", sa.Text),
    sa.Column("started_at", Utc, nullable=False),
    sa.Column("submitted_at", Utc),
    sa.Index(None, "requester_id", "status", "number"),
    sa.Index(None, "qualification_type_id", "status", "number"),
    sa.Index(None, "qualification_type_id", "worker_id", "number"),
)

blocks = sa.Table(
    "blocks",
    metadata,
    sa.Column("requester_id", sa.ForeignKey("requesters.id"), primary_key=True),
    sa.Column("worker_id", sa.ForeignKey("workers.id"), primary_key=True),
    sa.Column("reason", sa.Text, nullable=False),
)

tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("requester_id", sa.ForeignKey("requesters.id"), primary_key=True),
    sa.Column("operation", sa.String(40), primary_key=True),
    sa.Column("token", sa.String(64), primary_key=True),
    sa.Column("subject", sa.String(64), nullable=False),
    sa.Column("used_at", Utc, nullable=False, index=True),
)

agenda = sa.Table(
    "agenda",
    metadata,
    sa.Column("kind", sa.String(20), primary_key=True),
    sa.Column("subject", sa.String(64), primary_key=True),
    sa.Column("at", Utc, nullable=False),
    sa.Index(None, "at", "kind", "subject"),
)

outbox = sa.Table(
    "outbox",
    metadata,
    sa.Column("number", Number, primary_key=True),
    sa.Column("at", Utc, nullable=False),
    sa.Column("sender", sa.String(64), nullable=False),
    sa.Column("recipient", sa.Text, nullable=False),
    sa.Column("transport", sa.String(20), nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Index(None, "recipient", "number"),
)

deliveries = sa.Table(
    "deliveries",
    metadata,
    sa.Column("outbox_number", sa.ForeignKey("outbox.number"), primary_key=True),
    sa.Column("transport", sa.String(20), nullable=False),
    sa.Column("due_at", Utc, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Index(None, "transport", "due_at"),
)

settings = sa.Table(
    "settings",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.JSON, nullable=False),
)

people = sa.Table(
    "people",
    metadata,
    sa.Column("worker_id", sa.ForeignKey("workers.id"), primary_key=True),
    # Both are erased when somebody is removed.
    sa.Column("name", sa.String(80)),
    sa.Column("email", sa.String(254), unique=True),
    sa.Column("state", sa.String(20), nullable=False),
    sa.Column("suspended_from", sa.String(20)),  # the state that `restore` gives back
    sa.Column("needs_approval", sa.Boolean, nullable=False),  # once an unconfirmed address is confirmed
    sa.Column("salt", sa.String(64)),
    sa.Column("digest", sa.String(64)),
    sa.Column("added_at", Utc, nullable=False),
    sa.Column("mailed_at", Utc),
    sa.Column("joined_at", Utc),
    sa.Index(None, "state", "added_at"),
    sa.Index(None, "name"),
)

person_groups = sa.Table(
    "person_groups",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("worker_id", sa.ForeignKey("people.worker_id"), primary_key=True),
    sa.Index(None, "worker_id"),
)

# Of a link's token the hash alone is kept: nobody who reads the store can use it.
invitations = sa.Table(
    "invitations",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("worker_id", sa.ForeignKey("people.worker_id")),  # whom it is for; NULL for an open one
    sa.Column("places", sa.Integer, nullable=False),
    sa.Column("joined", sa.Integer, nullable=False),
    sa.Column("domain", sa.String(254)),
    sa.Column("needs_approval", sa.Boolean, nullable=False),
    sa.Column("group_name", sa.String(40)),
    sa.Column("created_at", Utc, nullable=False),
    sa.Column("expires_at", Utc, nullable=False),
    sa.Column("revoked_at", Utc),
    sa.CheckConstraint("joined >= 0 AND joined <= places", name="ck_invitations_places"),
    sa.Index(None, "worker_id"),
)

sign_in_links = sa.Table(
    "sign_in_links",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("worker_id", sa.ForeignKey("people.worker_id"), nullable=False),
    sa.Column("created_at", Utc, nullable=False),
    sa.Column("expires_at", Utc, nullable=False),
    sa.Column("used_at", Utc),
    sa.Index(None, "worker_id", "created_at"),
)

# What the requester has paid outside of the marketplace. A reference counts once for each person.
payouts = sa.Table(
    "payouts",
    metadata,
    sa.Column("worker_id", sa.ForeignKey("people.worker_id"), primary_key=True),
    sa.Column("reference", sa.String(40), primary_key=True),
    sa.Column("cents", sa.BigInteger, nullable=False),
    sa.Column("at", Utc, nullable=False),
    sa.CheckConstraint("cents > 0", name="ck_payouts_positive"),
)

# A recruiter sends people to a study by a link with their ids. `prefix` begins the annotation of its HITs.
studies = sa.Table(
    "studies",
    metadata,
    sa.Column("key", sa.String(40), primary_key=True),
    sa.Column("prefix", sa.String(255), nullable=False, unique=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("terms", sa.JSON, nullable=False),
    sa.Column("created_at", Utc, nullable=False),
)

recruited = sa.Table(
    "recruited",
    metadata,
    sa.Column("worker_id", sa.ForeignKey("people.worker_id"), primary_key=True),
    sa.Column("recruiter", sa.String(255), nullable=False),  # the host to which people go back
    sa.Column("external_id", sa.String(64), nullable=False),
    sa.UniqueConstraint("recruiter", "external_id"),
)

visits = sa.Table(
    "visits",
    metadata,
    sa.Column("study", sa.ForeignKey("studies.key"), primary_key=True),
    sa.Column("session", sa.String(64), primary_key=True),
    sa.Column("worker_id", sa.ForeignKey("recruited.worker_id"), nullable=False),
    sa.Column("browser", sa.String(40)),  # none: the next browser that opens the link goes on with it
    sa.Column("started_at", Utc, nullable=False),
    sa.Column("ended_at", Utc),
    sa.Column("outcome", sa.String(20)),
    sa.Index(None, "worker_id", "started_at"),
)

# What stands at a recruiter with an API of its own: the study there, and the group of participants who may take it.
recruiter_studies = sa.Table(
    "recruiter_studies",
    metadata,
    sa.Column("study", sa.ForeignKey("studies.key"), primary_key=True),
    sa.Column("external_id", sa.String(64), unique=True),
    sa.Column("group_id", sa.String(64)),
    sa.Column("idle_since", Utc),
    sa.Column("problem", sa.Text),  # for a person to read: why the recruiter does not follow
)

# Bonuses that are paid by the recruiter, in batches of one study. A batch is sent at most once.
bonus_batches = sa.Table(
    "bonus_batches",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("study", sa.ForeignKey("studies.key"), nullable=False),
    sa.Column("external_id", sa.String(64)),
    sa.Column("state", sa.String(20), nullable=False),
    sa.Column("made_at", Utc, nullable=False),
    sa.Column("sent_at", Utc),
    sa.Index(None, "study", "state"),
)

batched_bonuses = sa.Table(
    "batched_bonuses",
    metadata,
    sa.Column("bonus_id", sa.ForeignKey("bonuses.id"), primary_key=True),
    sa.Column("batch", sa.ForeignKey("bonus_batches.id"), nullable=False, index=True),
    sa.Column("session", sa.String(64), nullable=False),
    sa.Column("cents", sa.BigInteger, nullable=False),
    sa.Column("shown_before", sa.JSON),  # cents of the bonuses that the session had when the batch was sent
    sa.Column("paid_at", Utc),
)

forwarded = sa.Table("forwarded", metadata, sa.Column("number", sa.ForeignKey("outbox.number"), primary_key=True))

# `erase_at`: since then they have asked for their data to be erased.
withdrawals = sa.Table(
    "withdrawals",
    metadata,
    sa.Column("worker_id", sa.ForeignKey("workers.id"), primary_key=True),
    sa.Column("at", Utc, nullable=False),
    sa.Column("erase_at", Utc),
    sa.Index(None, "erase_at"),
)

# The stand-in of a person who is erased. It is drawn before anything is, for all stores; `worker_id` goes at the end.
erasures = sa.Table(
    "erasures",
    metadata,
    sa.Column("pseudonym", sa.String(64), primary_key=True),
    sa.Column("worker_id", sa.String(64), unique=True),
    sa.Column("begun_at", Utc, nullable=False),
    sa.Column("erased_at", Utc),
    sa.Column("scrubbed_at", Utc),
)

# `prefix` begins the annotation of a campaign's HITs, `place` is a folder or database in which its work lies.
campaign_places = sa.Table(
    "campaign_places",
    metadata,
    sa.Column("prefix", sa.String(255), primary_key=True),
    sa.Column("place", sa.String(1000), primary_key=True),
    sa.Column("at", Utc, nullable=False),
)

# The notices of a campaign for whoever withdraws from it: titles, and texts as trees (`words.markdown`).
debriefings = sa.Table(
    "debriefings",
    metadata,
    sa.Column("prefix", sa.String(255), primary_key=True),
    sa.Column("notices", sa.JSON, nullable=False),
)
