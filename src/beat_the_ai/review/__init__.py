"""The reviewers' web page: its accounts, its JSON API, and the process that serves both."""

from beat_the_ai.review.accounts import Door, Reviewer, check_name, is_password, new_account, new_password
from beat_the_ai.review.app import build_app
from beat_the_ai.review.decisions import Decisions, NotALead, WorkerDecision
from beat_the_ai.review.desk import ReviewDesk
from beat_the_ai.review.doubts import Doubts
from beat_the_ai.review.server import serve

__all__ = [
    "Decisions",
    "Door",
    "Doubts",
    "NotALead",
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
