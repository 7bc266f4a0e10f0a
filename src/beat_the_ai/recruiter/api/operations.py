"""All operations of the document that this recruiter has."""

from __future__ import annotations

from beat_the_ai.recruiter.api import accounts, bonuses, groups, hooks, messages, studies, submissions

PARTICIPANT_PAGES = "ParticipantPages"
# Paths with a fixed last part come before those with an id there.
OPERATIONS = (
    *accounts.OPERATIONS,
    *studies.OPERATIONS,
    *bonuses.OPERATIONS,
    *submissions.OPERATIONS,
    *groups.OPERATIONS,
    *messages.OPERATIONS,
    *hooks.OPERATIONS,
)
NAMES = frozenset(operation.name for operation in OPERATIONS)
