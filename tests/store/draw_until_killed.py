"""Gives HITs to workers, each worker two, and prints each worker with the arm once `accept` has returned."""

from __future__ import annotations

import sys
import time

from beat_the_ai.store import ArmBlocks, open_store
from tests.store.builders import NEW_YEAR

url, turn, *hits = sys.argv[1:]
store, arms = open_store(url), ArmBlocks(("human", "model", "paid"), seed=4)
for number, hit in enumerate(hits):
    worker = f"w{number // 2}"  # in each turn the same ones first
    taken, _ = store.attempts.accept(hit, worker, f"{turn}-{hit}", NEW_YEAR, arms=arms)
    print(worker, taken.arm, flush=True)
time.sleep(600)
