"""The tables of a campaign's store: the source of truth for work, verdicts and money.

campaigns ─< rounds ─< round_stages        rounds ─< arm_draws
campaigns ─< contexts ─< hits ─< assignments ─< attempts
campaigns ─< payments ─< payment_events
campaigns ─< assignments ─< validation_items ─< validation_votes
campaigns ─< adjudication_states, unreliable_validators, uncounted_gold        attempts ── works
campaigns ─< standing_events ─< standing_answers
campaigns ─< revocation_proposals ── revocation_outcomes
campaigns ─< screenings ─< screening_responses
assignments ── review_draws ─< reviews        attempts ── telemetry        assignments ─< edits, suggestions
campaigns ─< worker_tallies, reviewer_tallies
campaigns ─< letters ── letter_answers        campaigns ── letter_pages
campaigns ─< board_names, model_servers, alerts        campaigns ── transcripts ─< transcript_blocks
reviewers ─< reviewer_sessions        campaigns ─< act_requests        audit_log        leases        erasures

A round holds the terms under which its contexts are worked on; from the moment at which a stage of it is put before
people, the stage's terms are frozen. Assignments name the round whose terms they were accepted under.
A round may have arms with terms of their own: a worker is drawn into one of them with the first assignment of the round
(`arms`), and every assignment names it.
A HIT is one piece of work that is offered; an assignment is one worker's acceptance of it (the words of MTurk).
Those of all stages are in one table; a validation HIT has no row in `hits`, for its works are chosen when it is taken.
An assignment holds its place alone: the HIT, or in a sample HIT, which all newcomers take, a place of its own. Whoever
takes a HIT that somebody else has not handed in takes the place, and nothing is added to the other assignment any more.
It counts once it was handed in (`submitted_at`) and the crowd has it from that worker (`confirmed_at`); what does not
match the crowd's word is set aside. Nobody reviews, counts or pays the rest, unless a person decides so.
The outcome of a HIT says, from the transaction on in which an assignment of it counts, whether anything in it may have
beaten the model ("won"; "without_win" is what nobody has to look at again). Where nothing was tried the HIT is not
done, and goes to somebody else.
The adjudication of each work that counts stands beside it, by the rules of its round (`adjudication_states`). It is
made from the votes, invalidated in the transaction that changes any of them, and made again when somebody asks
(`works`).
The numbers of each worker's review are kept likewise (`worker_tallies` and `reviewer_tallies`).
What counts, or is set aside, is written into the campaign's transcript afterwards, in batches (`transcribed`).
What a writer typed on the way to an attempt is kept as edits, where the kind of task has hints.
Suggestions of a model are kept before their writer sees them; an attempt names the one that it was made of.
Attempts are deleted with their writer's data alone (`erasure`): retraction and discards are marks on them. A payment
names worker and assignment as the crowd does, whose money it is; its events can only be added to, and so can all that
decides who may work: standings, the crowd's answers to them, proposals to revoke and what became of them, draws of the
review sample, reviews, and the log of what reviewers did, each entry of which holds a hash of itself and of the entry
before. A screening is one worker's only one for a campaign, unless it was set aside; its assignment is that of the
sample HIT, which belongs to a campaign of its own. A lease says which process alone serves something (`store.leases`).
Amounts are US cents. Times are UTC.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import NAMES, Utc
from beat_the_ai.rules.roles import Role
from beat_the_ai.rules.stage import Stage

metadata = sa.MetaData(naming_convention=NAMES)


# Kept by its value, which the database can be asked for by hand.
StageName = sa.Enum(Stage, native_enum=False, length=12, values_callable=lambda stages: [each.value for each in stages])
RoleName = sa.Enum(Role, native_enum=False, length=12, values_callable=lambda roles: [each.value for each in roles])


def _only(condition: str) -> dict[str, Any]:
    """Return the options of an index that restrict its rows."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}


campaigns = sa.Table(
    "campaigns",
    metadata,
    sa.Column("id", sa.String(80), primary_key=True),
    sa.Column("task", sa.String(40), nullable=False),
    sa.Column("seed", sa.Integer, nullable=False),
    sa.Column("pseudonym_key", sa.String(64), nullable=False),
    sa.Column("config", sa.JSON, nullable=False),
    sa.Column("created_at", Utc, nullable=False),
    sa.Column("paused_at", Utc, nullable=True),  # since then no worker gets a HIT; none: it is not paused
)

leases = sa.Table(
    "leases",
    metadata,
    sa.Column("name", sa.String(255), primary_key=True),
    sa.Column("fence", sa.Integer, nullable=False),
    sa.Column("beat", sa.Integer, nullable=False),
    sa.Column("holder", sa.JSON(none_as_null=True)),  # none: it is free
)

rounds = sa.Table(
    "rounds",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("config", sa.JSON, nullable=False),
    sa.Column("models", sa.JSON, nullable=False),
    sa.Column("opened_at", Utc, nullable=False),
    sa.Column("closed_at", Utc),
)

round_stages = sa.Table(
    "round_stages",
    metadata,
    sa.Column("campaign_id", sa.String(80), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("stage", sa.String(12), primary_key=True),
    sa.Column("frozen_at", Utc, nullable=False),
    sa.ForeignKeyConstraint(["campaign_id", "number"], ["rounds.campaign_id", "rounds.number"]),
)

contexts = sa.Table(
    "contexts",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("id", sa.String(255), primary_key=True),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("private", sa.JSON, nullable=False),
    sa.Column("asked", sa.Boolean),  # whether validators are asked about works on it
    sa.Column("part", sa.String(8)),  # of the dataset; none: it follows from the draw
)

hits = sa.Table(
    "hits",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("campaign_id", sa.String(80), nullable=False),
    sa.Column("context_id", sa.String(255), nullable=False),
    sa.Column("slot", sa.Integer, nullable=False),
    sa.Column("brief", sa.JSON(none_as_null=True)),  # none: nothing in particular
    sa.Column("outcome", sa.String(12)),  # none: it is not done
    sa.ForeignKeyConstraint(["campaign_id", "context_id"], ["contexts.campaign_id", "contexts.id"]),
    sa.UniqueConstraint("campaign_id", "context_id", "slot"),
    sa.Index("ix_hits_open", "campaign_id", "context_id", **_only("outcome IS NULL")),
    sa.Index("ix_hits_without_win", "campaign_id", "context_id", **_only("outcome = 'without_win'")),
    sa.CheckConstraint("outcome IN ('won', 'without_win')", name="ck_hits_outcome"),
)

assignments = sa.Table(
    "assignments",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), nullable=False),
    sa.Column("stage", StageName, nullable=False),
    sa.Column("hit", sa.String(80), nullable=False),
    sa.Column("hit_id", sa.ForeignKey("hits.id"), index=True),  # none: validation makes its HITs when they are taken
    sa.Column("worker", sa.String(255), nullable=False, index=True),
    sa.Column("registration", sa.String(255), nullable=False),
    sa.Column("crowd_assignment", sa.String(255), nullable=False),
    sa.Column("accepted_at", Utc, nullable=False),
    sa.Column("submitted_at", Utc),
    sa.Column("feedback", sa.Text),
    sa.Column("confirmed_at", Utc),
    sa.Column("set_aside_at", Utc),
    sa.Column("set_aside_reason", sa.String(80)),
    sa.Column("round", sa.Integer, nullable=False, server_default="1"),
    sa.Column("arm", sa.String(40)),  # of the round, whose terms its writer has; none: the round has no arms
    sa.Column("place", sa.String(32)),  # that nobody else holds; none: it is handed in, given back, or lost to somebody
    sa.Column("tallied", sa.Boolean),  # none: its worker's tally is made anew, once it counts (`review_tallies`)
    sa.Column("transcribed", sa.Boolean),  # none: it goes into the transcript, once it counts or is set aside
    sa.UniqueConstraint("hit", "registration", "campaign_id"),  # in this order: nothing is looked up by a campaign
    sa.Index("ix_assignments_one_for_each_place", "place", unique=True),
    sa.Index(
        "ix_assignments_waiting",
        "campaign_id",
        "stage",
        "submitted_at",
        **_only("confirmed_at IS NULL AND set_aside_at IS NULL"),
    ),
    sa.Index(
        "ix_assignments_untallied", "campaign_id", "stage", **_only("confirmed_at IS NOT NULL AND tallied IS NULL")
    ),
    sa.Index(
        "ix_assignments_untranscribed",
        "campaign_id",
        **_only("transcribed IS NULL AND (confirmed_at IS NOT NULL OR set_aside_at IS NOT NULL)"),
    ),
    sa.CheckConstraint("(stage = 'validation') = (hit_id IS NULL)", name="ck_assignments_hit_id"),
)

arm_draws = sa.Table(
    "arm_draws",
    metadata,
    sa.Column("campaign_id", sa.String(80), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("worker", sa.String(255), primary_key=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("arm", sa.String(40), nullable=False),
    sa.Column("at", Utc, nullable=False),
    sa.Column("most_in_block", sa.Integer, nullable=False, server_default="1"),  # how often a block may have an arm
    sa.ForeignKeyConstraint(["campaign_id", "round"], ["rounds.campaign_id", "rounds.number"]),
    sa.UniqueConstraint("campaign_id", "round", "position"),
)

attempts = sa.Table(
    "attempts",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("assignment_id", sa.ForeignKey("assignments.id"), nullable=False),
    sa.Column("key", sa.String(64), nullable=False),
    sa.Column("ordinal", sa.Integer, nullable=False),
    sa.Column("work", sa.JSON, nullable=False),
    sa.Column("prediction", sa.JSON, nullable=False),
    sa.Column("fooled", sa.Boolean, nullable=False),
    sa.Column("scores", sa.JSON, nullable=False),
    sa.Column("member", sa.String(80), nullable=False),
    sa.Column("model_name", sa.String(255), nullable=False),
    sa.Column("model_hash", sa.String(64), nullable=False),
    sa.Column("model_precision", sa.String(20), nullable=False),
    sa.Column("created_at", Utc, nullable=False, index=True),
    sa.Column("answer_ms", sa.Integer),  # that the model took; none: older than this column
    sa.Column("retracted_at", Utc),
    sa.Column("flag_reason", sa.String(40)),
    sa.Column("flag_note", sa.Text),
    sa.Column("fingerprint", sa.String(64), index=True),
    sa.Column("explanation", sa.JSON(none_as_null=True)),
    sa.Column("doubts", sa.JSON(none_as_null=True)),
    sa.Column("appeal", sa.Text),
    sa.Column("admitted", sa.Boolean),
    sa.Column("suggestion", sa.JSON(none_as_null=True)),  # that it was made of (`writing.suggestions.Origin`)
    sa.UniqueConstraint("assignment_id", "key"),
    sa.UniqueConstraint("assignment_id", "ordinal"),
    sa.Index("ix_attempts_doubted", "assignment_id", **_only("doubts IS NOT NULL")),
)

edits = sa.Table(
    "edits",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("assignment_id", sa.ForeignKey("assignments.id"), nullable=False),
    sa.Column("key", sa.String(64), nullable=False),
    sa.Column("ordinal", sa.Integer, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("cause", sa.String(20), nullable=False),
    sa.Column("draft", sa.JSON, nullable=False),
    sa.Column("at", Utc, nullable=False),
    sa.Column("prediction", sa.JSON(none_as_null=True)),
    sa.Column("member", sa.String(80)),
    sa.Column("model_hash", sa.String(64)),
    sa.UniqueConstraint("assignment_id", "key"),
    sa.UniqueConstraint("assignment_id", "ordinal"),
)

suggestions = sa.Table(
    "suggestions",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("assignment_id", sa.ForeignKey("assignments.id"), nullable=False),
    sa.Column("ordinal", sa.Integer, nullable=False),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("model", sa.String(255), nullable=False),
    sa.Column("content", sa.JSON, nullable=False),
    sa.Column("at", Utc, nullable=False),
    sa.Column("taken_at", Utc),
    sa.UniqueConstraint("assignment_id", "ordinal"),
)

model_answers = sa.Table(
    "model_answers",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), nullable=False),
    sa.Column("model_hash", sa.String(64), nullable=False),
    sa.Column("query_hash", sa.String(64), nullable=False),
    sa.Column("prediction", sa.JSON(none_as_null=True)),
    sa.Column("microcents", sa.BigInteger, nullable=False),
    sa.Column("at", Utc, nullable=False),
    sa.Column("assignment_id", sa.String(32), index=True),
    sa.Column("unreadable", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index(None, "campaign_id", "model_hash", "query_hash"),
    sa.CheckConstraint("microcents >= 0", name="ck_model_answers_microcents"),
)

# What went wrong with the members of a pool, as each process that asks them sees it; no row: nothing.
model_servers = sa.Table(
    "model_servers",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("member", sa.String(80), primary_key=True),
    sa.Column("asked_by", sa.String(120), primary_key=True),  # a stage or a share of it
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("away_since", Utc),  # none: its server answers
)

# What a requester wants to know of, from its beginning to its end, and what of it was told: nothing, began or over.
alerts = sa.Table(
    "alerts",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), nullable=False),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("subject", sa.String(120), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("began_at", Utc, nullable=False),
    sa.Column("ended_at", Utc),
    sa.Column("told", sa.String(5)),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("due_at", Utc, nullable=False),  # not before: somebody is sending it, or it did not arrive
    sa.Index("ix_alerts_open", "campaign_id", "name", "subject", unique=True, **_only("ended_at IS NULL")),
)

# What people were asked and have said about themselves. No other table refers to these, and no dataset holds them.
forms = sa.Table(
    "forms",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("content", sa.JSON, nullable=False),
    sa.Column("at", Utc, nullable=False),
)

form_answers = sa.Table(
    "form_answers",
    metadata,
    sa.Column("campaign_id", sa.String(80), primary_key=True),
    sa.Column("worker", sa.String(255), primary_key=True),
    sa.Column("form", sa.String(64), primary_key=True),
    sa.Column("outcome", sa.String(20), nullable=False),
    sa.Column("answers", sa.JSON, nullable=False),
    sa.Column("at", Utc, nullable=False),
    sa.ForeignKeyConstraint(["campaign_id", "form"], ["forms.campaign_id", "forms.digest"]),
)

payments = sa.Table(
    "payments",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), nullable=False),
    sa.Column("purpose", sa.String(40), nullable=False),
    sa.Column("worker", sa.String(255), nullable=False),
    sa.Column("assignment", sa.String(255), nullable=False),
    sa.Column("cents", sa.Integer, nullable=False),
    sa.Column("fee_cents", sa.Integer, nullable=False),
    sa.Column("state", sa.String(12), nullable=False),
    sa.Column("token", sa.String(64), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("created_at", Utc, nullable=False),
    sa.Column("sent_at", Utc),
    sa.Column("confirmed_at", Utc),
    sa.Column("token_spent_at", Utc),
    sa.Column("error", sa.Text),
    sa.UniqueConstraint("campaign_id", "purpose", "worker", "assignment"),
    sa.Index(None, "campaign_id", "worker"),
    sa.UniqueConstraint("token"),
    sa.CheckConstraint("cents >= 0 AND fee_cents >= 0", name="ck_payments_amounts"),
    sa.CheckConstraint("state IN ('intent', 'sent', 'confirmed', 'unknown')", name="ck_payments_state"),
)

payment_events = sa.Table(
    "payment_events",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("payment_id", sa.ForeignKey("payments.id"), nullable=False, index=True),
    sa.Column("at", Utc, nullable=False),
    sa.Column("state", sa.String(12), nullable=False),
    sa.Column("note", sa.Text),
)

standing_events = sa.Table(
    "standing_events",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), nullable=False),
    sa.Column("worker", sa.String(255), nullable=False),
    sa.Column("standing", sa.String(12), nullable=False),
    sa.Column("by", sa.String(80), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("registration", sa.String(255)),
    sa.Column("at", Utc, nullable=False),
    sa.Index(None, "campaign_id", "worker"),
    sa.CheckConstraint(
        "standing IN ('candidate', 'qualified', 'revoked', 'blocked')", name="ck_standing_events_standing"
    ),
)

standing_answers = sa.Table(
    "standing_answers",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("event_id", sa.ForeignKey("standing_events.id"), nullable=False, index=True),
    sa.Column("state", sa.String(12), nullable=False),
    sa.Column("note", sa.Text),
    sa.Column("at", Utc, nullable=False),
    sa.CheckConstraint("state IN ('confirmed', 'declined', 'unanswered')", name="ck_standing_answers_state"),
)

revocation_proposals = sa.Table(
    "revocation_proposals",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), nullable=False),
    sa.Column("worker", sa.String(255), nullable=False),
    sa.Column("by", sa.String(80), nullable=False),
    sa.Column("machine_user", sa.String(80), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("at", Utc, nullable=False),
    sa.Index(None, "campaign_id", "worker"),
)

revocation_outcomes = sa.Table(
    "revocation_outcomes",
    metadata,
    sa.Column("proposal_id", sa.ForeignKey("revocation_proposals.id"), primary_key=True),
    sa.Column("outcome", sa.String(12), nullable=False),
    sa.Column("closed_by", sa.String(80), nullable=False),
    sa.Column("closed_at", Utc, nullable=False),
    sa.CheckConstraint("outcome IN ('revoked', 'withdrawn')", name="ck_revocation_outcomes_outcome"),
)

review_draws = sa.Table(
    "review_draws",
    metadata,
    sa.Column("assignment_id", sa.ForeignKey("assignments.id"), primary_key=True),
    sa.Column("completed", sa.Integer, nullable=False),
    sa.Column("at", Utc, nullable=False),
)

reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("assignment_id", sa.ForeignKey("review_draws.assignment_id"), nullable=False, index=True),
    sa.Column("reviewer", sa.String(80), nullable=False),
    sa.Column("verdict", sa.String(8), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("at", Utc, nullable=False),
    sa.CheckConstraint("verdict IN ('accept', 'reject', 'undo')", name="ck_reviews_verdict"),
)

worker_tallies = sa.Table(
    "worker_tallies",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("worker", sa.String(255), primary_key=True),
    sa.Column("completed", sa.Integer, nullable=False),
    sa.Column("sampled", sa.Integer, nullable=False),
    sa.Column("reviewed", sa.Integer, nullable=False),
    sa.Column("accepted", sa.Integer, nullable=False),
    sa.Column("below_at", sa.Integer, nullable=False),
)

reviewer_tallies = sa.Table(
    "reviewer_tallies",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("worker", sa.String(255), primary_key=True),
    sa.Column("reviewer", sa.String(80), primary_key=True),
    sa.Column("reviewed", sa.Integer, nullable=False),
    sa.Column("accepted", sa.Integer, nullable=False),
    sa.Column("below_at", sa.Integer, nullable=False),
)

telemetry = sa.Table(
    "telemetry",
    metadata,
    sa.Column("attempt_id", sa.ForeignKey("attempts.id"), primary_key=True),
    sa.Column("pastes", sa.Integer, nullable=False),
    sa.Column("pasted_chars", sa.Integer, nullable=False),
    sa.Column("keystrokes", sa.Integer, nullable=False),
    sa.Column("focused_seconds", sa.Float, nullable=False),
    sa.Column("first_key_seconds", sa.Float),
)

validation_items = sa.Table(
    "validation_items",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("assignment_id", sa.ForeignKey("assignments.id"), nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("campaign_id", sa.String(80), nullable=False),
    sa.Column("context_id", sa.String(255), nullable=False),
    sa.Column("attempt_id", sa.ForeignKey("attempts.id"), index=True),
    sa.Column("gold", sa.JSON(none_as_null=True)),
    sa.Column("steps", sa.Integer, nullable=False, server_default="0"),  # that were shown of it, where it has any
    sa.ForeignKeyConstraint(["campaign_id", "context_id"], ["contexts.campaign_id", "contexts.id"]),
    sa.UniqueConstraint("assignment_id", "position"),
    sa.CheckConstraint("(attempt_id IS NULL) <> (gold IS NULL)", name="ck_validation_items_kind"),
)

validation_votes = sa.Table(
    "validation_votes",
    metadata,
    sa.Column("item_id", sa.ForeignKey("validation_items.id"), primary_key=True),
    sa.Column("ordinal", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(64), nullable=False),
    sa.Column("vote", sa.JSON, nullable=False),
    sa.Column("created_at", Utc, nullable=False),
    sa.UniqueConstraint("item_id", "key"),
)

works = sa.Table(
    "works",
    metadata,
    sa.Column("attempt_id", sa.ForeignKey("attempts.id"), primary_key=True),
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("context_id", sa.String(255), nullable=False),
    sa.Column("writer", sa.String(255), nullable=False),
    sa.Column("status", sa.String(40)),  # none: to be adjudicated again, and all that follows with it
    sa.Column("label", sa.JSON(none_as_null=True)),
    sa.Column("kept", sa.Boolean, nullable=False),
    sa.Column("confirmed", sa.Boolean, nullable=False),
    sa.Column("model_right", sa.Boolean, nullable=False),
    sa.Column("settled", sa.Boolean, nullable=False),
    sa.Column("votes", sa.Integer, nullable=False),
    sa.Column("votes_needed", sa.Integer, nullable=False),
    sa.Column("wanted", sa.Integer, nullable=False),
    sa.Column("lot", sa.String(32), nullable=False),
    sa.Index(None, "campaign_id", "context_id"),
    sa.Index("ix_works_unjudged", "campaign_id", "round", **_only("status IS NULL")),
    sa.Index("ix_works_wanted", "campaign_id", "round", "votes", "lot", **_only("wanted > 0")),
)

adjudication_states = sa.Table(
    "adjudication_states",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("rules", sa.String(64), nullable=False),
    sa.Column("version", sa.Integer, nullable=False, server_default="0"),  # one more at each invalidation
)

unreliable_validators = sa.Table(
    "unreliable_validators",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("worker", sa.String(255), primary_key=True),
)

uncounted_gold = sa.Table(
    "uncounted_gold",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("assignment_id", sa.ForeignKey("assignments.id"), primary_key=True),
)

screenings = sa.Table(
    "screenings",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), nullable=False),
    sa.Column("worker", sa.String(255), nullable=False),
    sa.Column("assignment_id", sa.ForeignKey("assignments.id"), nullable=False),
    sa.Column("quiz", sa.String(64), nullable=False),
    sa.Column("started_at", Utc, nullable=False),
    sa.Column("submitted_at", Utc),
    sa.Column("outcome", sa.String(12)),
    sa.Column("set_aside_at", Utc),
    sa.Index(
        "ix_screenings_one_for_each_worker",
        "campaign_id",
        "worker",
        unique=True,
        sqlite_where=sa.text("set_aside_at IS NULL"),
        postgresql_where=sa.text("set_aside_at IS NULL"),
    ),
    sa.UniqueConstraint("assignment_id"),
    sa.CheckConstraint("outcome IN ('passed', 'failed', 'incomplete')", name="ck_screenings_outcome"),
)

pay_decisions = sa.Table(
    "pay_decisions",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("assignment_id", sa.String(32), nullable=False, index=True),
    sa.Column("pays", sa.Boolean, nullable=False),
    sa.Column("by", sa.String(80), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("at", Utc, nullable=False),
    sa.Column("category", sa.String(40)),
)

screening_responses = sa.Table(
    "screening_responses",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("screening_id", sa.ForeignKey("screenings.id"), nullable=False),
    sa.Column("key", sa.String(64), nullable=False),
    sa.Column("ordinal", sa.Integer, nullable=False),
    sa.Column("step", sa.String(80), nullable=False),
    sa.Column("work", sa.JSON, nullable=False),
    sa.Column("mistake", sa.String(40)),
    sa.Column("evidence", sa.JSON, nullable=False),
    sa.Column("created_at", Utc, nullable=False),
    sa.UniqueConstraint("screening_id", "key"),
    sa.UniqueConstraint("screening_id", "ordinal"),
)

reviewers = sa.Table(
    "reviewers",
    metadata,
    sa.Column("name", sa.String(80), primary_key=True),
    sa.Column("salt", sa.String(64), nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("role", RoleName, nullable=False, server_default=Role.REVIEWER.value),
    sa.Column("added_at", Utc, nullable=False),
    sa.Column("removed_at", Utc),
)

reviewer_sessions = sa.Table(
    "reviewer_sessions",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("reviewer", sa.ForeignKey("reviewers.name"), nullable=False, index=True),
    sa.Column("until", Utc, nullable=False),
    sa.Column("sees_all", sa.Boolean, nullable=False),
)

audit_log = sa.Table(
    "audit_log",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", Utc, nullable=False),
    sa.Column("who", sa.String(80), nullable=False),
    sa.Column("action", sa.String(40), nullable=False),
    sa.Column("subject", sa.String(255), nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("machine_user", sa.String(80), nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),
)

act_requests = sa.Table(
    "act_requests",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("who", sa.String(80), primary_key=True),
    sa.Column("request", sa.String(64), primary_key=True),
    sa.Column("content", sa.String(64), nullable=False),
    sa.Column("at", Utc, nullable=False),
    sa.Column("report", sa.JSON(none_as_null=True)),  # none: nobody has answered yet
)

letters = sa.Table(
    "letters",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), nullable=False),
    sa.Column("worker", sa.String(255), nullable=False),
    sa.Column("kind", sa.String(12), nullable=False),
    sa.Column("subject", sa.String(32), nullable=False),  # empty for a message
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", Utc, nullable=False),
    sa.Column("due_at", Utc, nullable=False),
    sa.Index(None, "campaign_id", "worker"),
    sa.Index(
        "ix_letters_one_appeal",
        *("campaign_id", "worker", "kind", "subject"),
        unique=True,
        **_only("kind <> 'message'"),
    ),
    sa.CheckConstraint("kind IN ('message', 'rejection', 'standing')", name="ck_letters_kind"),
)

letter_answers = sa.Table(
    "letter_answers",
    metadata,
    sa.Column("letter_id", sa.ForeignKey("letters.id"), primary_key=True),
    sa.Column("by", sa.String(80), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("upheld", sa.Boolean),
    sa.Column("at", Utc, nullable=False),
    sa.Column("done_at", Utc),
    sa.Column("told", sa.Boolean, nullable=False),
)

letter_pages = sa.Table(
    "letter_pages",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("address", sa.Text, nullable=False),
)

board_names = sa.Table(
    "board_names",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("worker", sa.String(255), primary_key=True),
    sa.Column("name", sa.String(24)),  # none: a person took it off the board
    sa.Column("folded", sa.Text),  # equal for names that are too much alike
    sa.Column("at", Utc, nullable=False),
    sa.UniqueConstraint("campaign_id", "folded"),
    sa.CheckConstraint("(name IS NULL) = (folded IS NULL)", name="ck_board_names_folded"),
)

# What happened in a campaign, entry by entry (`rules.transcript`), and the key that signs it. `standing_event` is the
# last one that is in it, `rounds` has the digests of the terms that are.
transcripts = sa.Table(
    "transcripts",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("signing_key", sa.String(64), nullable=False),
    sa.Column("entries", sa.Integer, nullable=False),
    sa.Column("head", sa.String(64), nullable=False),
    sa.Column("standing_event", sa.Integer, nullable=False),
    sa.Column("rounds", sa.JSON, nullable=False),
)

# Lines of a transcript, up to the entry `last`, as exports have them.
transcript_blocks = sa.Table(
    "transcript_blocks",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("transcripts.campaign_id"), primary_key=True),
    sa.Column("last", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("head", sa.String(64), nullable=False),
    sa.Column("at", Utc, nullable=False),
    sa.Column("lines", sa.Text, nullable=False),
)

# The stand-in of each erased person in the books. While `at` is none, which only the transaction of the erasure sees,
# rows go from tables that can only be added to. `scrubbed_at`: nothing is left in the database's files.
erasures = sa.Table(
    "erasures",
    metadata,
    sa.Column("pseudonym", sa.String(80), primary_key=True),
    sa.Column("at", Utc),
    sa.Column("scrubbed_at", Utc),
)
