"""The time of `adjudicate` for a file of votes on pairs, from its start to its end."""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

LINES = 30_000
LABELS = ("e", "n", "c", "entailment", "neutral", "contradiction", None)


def lines(count: int, seed: int) -> Iterator[str]:
    """Votes of any people on any pairs."""
    rng = random.Random(seed)
    for number in range(count):
        votes = [rng.choice(LABELS) for _ in range(rng.randint(0, 3))]
        line = {"id": f"{number}", "author": rng.choice(LABELS), "model": rng.choice(LABELS), "votes": votes}
        yield json.dumps(line) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=LINES)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        votes = Path(folder) / "votes.jsonl"
        votes.write_text("".join(lines(arguments.lines, seed=1)), encoding="utf-8")
        command = [sys.executable, "-m", "beat_the_ai.cli", "adjudicate", "--task", "nli", str(votes), "--json"]
        for _ in range(arguments.runs):
            start = time.perf_counter()
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds = time.perf_counter() - start
            print(f"{len(done.stdout.splitlines()):,} lines in {seconds:.2f} s")


if __name__ == "__main__":
    main()
