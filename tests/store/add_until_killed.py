"""Adds attempts to an assignment without end, and prints the key of each once `add` has returned."""

from __future__ import annotations

import sys

from beat_the_ai.store import open_store
from tests.store.builders import attempt

url, assignment_id = sys.argv[1:]
store = open_store(url)
ordinal = len(store.attempts.of_assignment(assignment_id)) + 1
while True:
    made = store.attempts.add(attempt(assignment_id, ordinal))
    print(made.key, flush=True)
    ordinal += 1
