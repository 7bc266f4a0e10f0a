"""The reviewers' web page: its accounts, its JSON API, and the process that serves both."""

from beat_the_ai.review.accounts import Door, NotAllowed, Reviewer, check_name, is_password, new_account, new_password
from beat_the_ai.review.app import build_app
from beat_the_ai.review.decisions import Decisions, WorkerDecision
from beat_the_ai.review.desk import ReviewDesk
from beat_the_ai.review.doubts import Doubts
from beat_the_ai.review.held import Held, HeldHit
from beat_the_ai.review.server import serve

__all__ = [
    "Decisions",
    "Door",
    "Doubts",
    "Held",
    "HeldHit",
    "NotAllowed",
    "ReviewDesk",
    "Reviewer",
    "WorkerDecision",
    "build_app",
    "check_name",
    "is_password",
    "new_account",
    "new_password",
    "serve",
]
