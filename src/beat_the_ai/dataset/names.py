"""Names in an export: its tables, the hub's folder, and who has discarded an attempt. Importing them costs nothing."""

from __future__ import annotations

ATTEMPTS, EDITS, VOTES = "attempts", "edits", "votes"
HUGGING_FACE_FOLDER = "hf"
DISCARDED = "discarded"
BY_REVIEWER, BY_VOTES = "reviewer", "votes"  # who has all work of a writer discarded
