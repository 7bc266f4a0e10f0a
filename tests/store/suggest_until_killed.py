"""Shows suggestions in an assignment without end, and prints each once `show` has returned."""

from __future__ import annotations

import os
import sys

from beat_the_ai.store import ShownSuggestion, open_store
from tests.store.builders import NEW_YEAR

url, assignment_id = sys.argv[1:]
store = open_store(url)
while True:
    ordinal = len(store.suggestions.of_assignment(assignment_id)) + 1
    name = f"{os.getpid()}-{ordinal}"
    store.suggestions.show(ShownSuggestion(assignment_id, ordinal, name, "gpt", {}, NEW_YEAR))
    print(ordinal, name, flush=True)
