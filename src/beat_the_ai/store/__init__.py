"""The store of a campaign and the source of truth: what was offered, written, validated, reviewed, and paid."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from beat_the_ai.databases import Changes, Database, Retired, open_database
from beat_the_ai.store.accounts import Account, Accounts, AccountSession
from beat_the_ai.store.act_requests import ActRequest, ActRequests, AlreadyDone
from beat_the_ai.store.acts import Acts, Amendment, Mark
from beat_the_ai.store.adjudication import CountingRules, GoldAnswer
from beat_the_ai.store.alerts import Alert, Alerts, News, Occurrence
from beat_the_ai.store.arms import ArmBlocks, ArmCounts, Arms
from beat_the_ai.store.assignments import (
    ANOTHER_HITS,
    ANOTHER_WORKERS,
    PAID_BY_CROWD,
    WITHDRAWN,
    WITHOUT_FORMS,
    WITHOUT_PAGE,
    Assignments,
)
from beat_the_ai.store.attempts import TAKEN_OVER, Attempts, Repeated
from beat_the_ai.store.audit import AuditEntry, AuditLog, Chain, Deed
from beat_the_ai.store.board import BoardName, BoardNames
from beat_the_ai.store.campaigns import Campaigns, Offering, hit_id, now
from beat_the_ai.store.edits import Edit, Edits
from beat_the_ai.store.erasure import Erasure, Holdings
from beat_the_ai.store.form_answers import FormAnswers, Forms
from beat_the_ai.store.leases import AbandonedLease, HeldLease, LeaseHeld, Leases
from beat_the_ai.store.letters import Letter, LetterAnswer, Letters
from beat_the_ai.store.model_answers import ModelAnswers, ModelQuestion, OverSpent, Spending
from beat_the_ai.store.model_servers import ModelServers, Trouble
from beat_the_ai.store.pay_decisions import PayDecisions
from beat_the_ai.store.proposals import Proposal, Proposals
from beat_the_ai.store.records import (
    Assignment,
    Attempt,
    AttemptInCampaign,
    AttemptResult,
    Campaign,
    ContextText,
    Draw,
    Hit,
    ModelCounts,
    PayDecision,
    PlacedItem,
    Review,
    Round,
    Screening,
    ScreeningResponse,
    Snapshot,
    StandingEvent,
    Telemetry,
    ValidationItem,
    ValidationVote,
    WrittenWork,
)
from beat_the_ai.store.review_queue import (
    DoubtedWorks,
    Position,
    QueuedWorker,
    QueueHead,
    QueuePage,
    ReviewQueue,
    Viewer,
)
from beat_the_ai.store.review_tallies import ReviewTallies, Tally, Verdict
from beat_the_ai.store.reviews import Reviews
from beat_the_ai.store.rounds import Rounds
from beat_the_ai.store.screenings import Screenings
from beat_the_ai.store.standings import Standings
from beat_the_ai.store.store_changes import StoreChanges
from beat_the_ai.store.suggestions import ShownSuggestion, ShownSuggestions
from beat_the_ai.store.transcripts import Facts, Head, Transcripts
from beat_the_ai.store.validations import Validations
from beat_the_ai.store.verdict_feed import Asked, HandedIn, Place, TriedWork, VerdictFeed
from beat_the_ai.store.works import OpenWork, Totals, Works

CAMPAIGN_MIGRATIONS = Path(__file__).parent / "migrations"

__all__ = [
    "ANOTHER_HITS",
    "ANOTHER_WORKERS",
    "CAMPAIGN_MIGRATIONS",
    "PAID_BY_CROWD",
    "TAKEN_OVER",
    "WITHDRAWN",
    "WITHOUT_FORMS",
    "WITHOUT_PAGE",
    "AbandonedLease",
    "Account",
    "AccountSession",
    "Accounts",
    "ActRequest",
    "ActRequests",
    "Acts",
    "Alert",
    "AlreadyDone",
    "Amendment",
    "ArmBlocks",
    "ArmCounts",
    "Arms",
    "Asked",
    "Assignment",
    "Assignments",
    "Attempt",
    "AttemptInCampaign",
    "AttemptResult",
    "Attempts",
    "AuditEntry",
    "AuditLog",
    "BoardName",
    "BoardNames",
    "Campaign",
    "Campaigns",
    "Chain",
    "ContextText",
    "CountingRules",
    "Deed",
    "DoubtedWorks",
    "Draw",
    "Edit",
    "Edits",
    "Erasure",
    "Facts",
    "FormAnswers",
    "Forms",
    "GoldAnswer",
    "HandedIn",
    "Head",
    "HeldLease",
    "Hit",
    "Holdings",
    "LeaseHeld",
    "Leases",
    "Letter",
    "LetterAnswer",
    "Letters",
    "Mark",
    "ModelAnswers",
    "ModelCounts",
    "ModelQuestion",
    "ModelServers",
    "News",
    "Occurrence",
    "Offering",
    "OpenWork",
    "OverSpent",
    "PayDecision",
    "PayDecisions",
    "Place",
    "PlacedItem",
    "Position",
    "Proposal",
    "Proposals",
    "QueueHead",
    "QueuePage",
    "QueuedWorker",
    "Repeated",
    "Review",
    "ReviewQueue",
    "ReviewTallies",
    "Reviews",
    "Round",
    "Rounds",
    "Screening",
    "ScreeningResponse",
    "Screenings",
    "ShownSuggestion",
    "ShownSuggestions",
    "Snapshot",
    "Spending",
    "StandingEvent",
    "Standings",
    "Store",
    "Tally",
    "Telemetry",
    "Totals",
    "Transcripts",
    "TriedWork",
    "Trouble",
    "ValidationItem",
    "ValidationVote",
    "Validations",
    "Verdict",
    "VerdictFeed",
    "Viewer",
    "Works",
    "WrittenWork",
    "hit_id",
    "now",
    "open_store",
]


class Store:
    """An open store; its parts are named for what they hold."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.leases = Leases(database)
        self.campaigns = Campaigns(database)
        self.rounds = Rounds(database)
        self.assignments = Assignments(database)
        self.arms = Arms(database)
        self.attempts = Attempts(database)
        self.edits = Edits(database)
        self.suggestions = ShownSuggestions(database)
        self.screenings = Screenings(database)
        self.standings = Standings(database)
        self.proposals = Proposals(database)
        self.reviews = Reviews(database)
        self.review_tallies = ReviewTallies(database)
        self.review_queue = ReviewQueue(database)
        self.accounts = Accounts(database)
        self.audit = AuditLog(database)
        self.acts = Acts(database)
        self.act_requests = ActRequests(database)
        self.validations = Validations(database)
        self.works = Works(database)
        self.verdict_feed = VerdictFeed(database)
        self.pay_decisions = PayDecisions(database)
        self.model_answers = ModelAnswers(database)
        self.model_servers = ModelServers(database)
        self.alerts = Alerts(database)
        self.forms = Forms(database)
        self.letters = Letters(database)
        self.board = BoardNames(database)
        self.transcripts = Transcripts(database)
        self.erasure = Erasure(database)

    @contextmanager
    def at_one_moment(self) -> Iterator[Store]:
        """Yield the store as it is at its first query, however often it is read. Nothing is written through it."""
        with self.database.at_one_moment() as database:
            yield Store(database)

    def look(self) -> None:
        """Raise `StoreAway` when the database does not answer."""
        with self.database.reading() as connection:
            connection.execute(sa.select(sa.literal(1)))

    def changes(self) -> StoreChanges:
        """Return the mark of its changes. The beats of its leases are changes, too."""
        return StoreChanges(Changes(self.database), self.leases)

    def close(self) -> None:
        self.database.close()


RETIRED = Retired(
    frozenset(f"{number:04}" for number in range(1, 26)),
    "It was made before the first release. The last commit that reads it is 985e763e: check that out, run `make "
    "setup`, and export the campaign or finish it there.",
)


def open_store(url: str) -> Store:
    """Open the store at an SQLAlchemy URL or an SQLite file's path, creating and migrating it. Raises `StoreError`."""
    return Store(open_database(url, CAMPAIGN_MIGRATIONS, "campaigns", RETIRED))
