"""The time of `advscore` for a file of responses, from its start to its end."""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ITEMS, PEOPLE, MODELS = 5_000, 40, 10


def write(path: Path, items: int) -> int:
    """Write a response of everybody to every item, by chance. Return how many there are."""
    rng = random.Random(1)
    subjects = [("person", f"p{number}") for number in range(PEOPLE)]
    subjects += [("model", f"m{number}") for number in range(MODELS)]
    skills = {name: rng.gauss(0.6 if kind == "person" else 0.4, 0.1) for kind, name in subjects}
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("subject", "kind", "item", "correct"))
        for item in range(items):
            ease = rng.gauss(0, 0.2)
            rows.writerows((name, kind, f"q{item}", int(rng.random() < skills[name] + ease)) for kind, name in subjects)
    return items * len(subjects)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=ITEMS)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "responses.csv"
        responses = write(path, arguments.items)
        for _ in range(arguments.runs):
            start = time.perf_counter()
            command = [sys.executable, "-m", "beat_the_ai.cli", "advscore", str(path), "--json"]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds = time.perf_counter() - start
            examples = len(json.loads(done.stdout)["examples"])
            print(f"{responses:,} responses to {examples:,} examples in {seconds:.1f} s")


if __name__ == "__main__":
    main()
