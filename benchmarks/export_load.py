"""What the export of a large campaign costs: `python -m benchmarks.export_load [--attempts N]`.

The campaign is made beforehand; the export, in all formats, runs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path

import sqlalchemy as sa

from beat_the_ai.campaign.validated import Findings, divisions_of, kind_of
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Campaign, Store, open_store, short_hash, tables

CAMPAIGN = "benchmark"
ATTEMPTS_PER_HIT = 10
WORDS = ("the", "of", "and", "river", "emperor", "stone", "which", "carried", "seven", "under", "long", "winter")
AT = datetime(2026, 1, 1, tzinfo=timezone.utc)


def text(number: int, words: int) -> str:
    """So many words, other ones for every number."""
    return " ".join(WORDS[(number * 7 + place * place) % len(WORDS)] for place in range(words)) + f" {number}"


def fill(store: Store, attempts: int) -> None:
    """Passages of 130 words, one HIT for each, ten attempts in it, six of which beat the model."""
    store.campaigns.create(Campaign(CAMPAIGN, "reading_comprehension", 1, "k" * 32, {}, AT))
    contexts = [
        Context(f"title {n % 50}/{n}", text(n, 130), f"title {n % 50}") for n in range(attempts // ATTEMPTS_PER_HIT)
    ]
    hits = store.campaigns.offer(CAMPAIGN, contexts, round_number=1, slots=1)
    assignments = [
        {"id": short_hash(hit), "hit_id": hit, "worker": f"w{n % 200}", "registration": "r", "accepted_at": AT}
        for n, hit in enumerate(hits)
    ]
    made = [
        {
            "id": short_hash(assignment["id"], number),
            "assignment_id": assignment["id"],
            "key": str(number),
            "ordinal": number + 1,
            "work": {"question": text(number, 11), "answer": {"text": context.text[4:20], "start": 4}},
            "prediction": {"text": context.text[30:50], "start": 30, "score": 0.5},
            "fooled": number % 5 < 3,
            "scores": {"f1": 0.25},
            "member": "m",
            "model_name": "model",
            "model_hash": "a" * 64,
            "model_precision": "fp32",
            "created_at": AT,
        }
        for assignment, context in zip(assignments, contexts, strict=True)
        for number in range(ATTEMPTS_PER_HIT)
    ]
    with store.database.writing() as connection:
        connection.execute(sa.insert(tables.assignments), assignments)
        connection.execute(sa.insert(tables.attempts), made)


def export(folder: Path) -> None:
    """Print the figures of an export as JSON."""
    store = open_store(str(folder / "campaign.db"))
    began = time.monotonic()
    campaign = store.campaigns.get(CAMPAIGN)
    divisions, validation = divisions_of(store, campaign), Findings(store, campaign).validation
    export_campaign(store, campaign, folder / "export", kind_of(store, campaign), None, divisions, validation)
    seconds = time.monotonic() - began
    store.close()
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": round(seconds, 1), "peak_megabytes": round(megabytes)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attempts", type=int, default=100_000)
    parser.add_argument("--export", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.export is not None:
        export(given.export)
        return
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "campaign.db"))
        fill(store, given.attempts)
        store.close()
        subprocess.run([sys.executable, "-m", "benchmarks.export_load", "--export", folder], check=True)


if __name__ == "__main__":
    main()
