"""`python -m tests.recompute EXPORT REPORT.json` prints each difference, and ends with 1 where there is any.

With `--status STATUS.json` it also reads what `status --json` prints. `left_out` says what is not computed again.

`python -m tests.recompute --seeds 1 5` rehearses each kind of task with the seeds 1 to 5 first (minutes).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.recompute.differences import differences, status_differences
from tests.recompute.quizbowl import Compared

ROOT = Path(__file__).parents[2]
COMPARED = Compared(
    ROOT / "src" / "beat_the_ai" / "kinds" / "quizbowl" / "collections" / "sample.jsonl",
    ROOT / "tasks" / "quizbowl" / "held_out.jsonl",
)
REHEARSALS = {
    "reading_comprehension": ("--workers", "8", "round.max_hits=24", "dataset.dev_examples=4"),
    "nli": (
        "--workers",
        "8",
        "round.max_hits=48",
        "dataset.train=2",
        "dataset.exclusive_share=0.3",
        "dataset.test_examples=9",
    ),
    "quizbowl": ("--workers", "6", "round.max_hits=12", "validation=quizbowl"),
}


def command(*arguments: object) -> str:
    line = [sys.executable, "-m", "beat_the_ai.cli", *map(str, arguments)]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout


def rehearsed(task: str, seed: int, out: Path) -> list[str]:
    command("rehearse", ROOT / "tasks" / task, "--seed", seed, "--out", out, *REHEARSALS[task])
    status = status_differences(out, json.loads(command("status", out, "--json")), COMPARED)
    return [*differences(out, json.loads(command("report", out, "--json")), COMPARED), *status]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.recompute", description=__doc__)
    parser.add_argument("export", nargs="?", type=Path, help="the folder of an export")
    parser.add_argument("report", nargs="?", type=Path, help="what `report --json` prints")
    parser.add_argument("--status", type=Path, help="what `status --json` prints")
    parser.add_argument("--known", type=Path, default=COMPARED.known, help="the known questions (Quizbowl)")
    parser.add_argument("--regular", type=Path, default=COMPARED.regular, help="the regular questions (Quizbowl)")
    parser.add_argument("--seeds", nargs=2, type=int, metavar=("FIRST", "LAST"), help="rehearse with these seeds")
    options = parser.parse_args()
    if options.seeds is None:
        if options.export is None or options.report is None:
            parser.error("name an export and a report, or --seeds")
        compared = Compared(options.known, options.regular)
        found = differences(options.export, json.loads(options.report.read_text("utf-8")), compared)
        if options.status is not None:
            found += status_differences(options.export, json.loads(options.status.read_text("utf-8")), compared)
        print(*found, f"{len(found)} differences", sep="\n")
        return bool(found)
    wrong = 0
    for task in REHEARSALS:
        for seed in range(options.seeds[0], options.seeds[1] + 1):
            with TemporaryDirectory() as folder:
                found = rehearsed(task, seed, Path(folder) / "out")
            wrong += len(found)
            print(*found, f"{task}, seed {seed}: {len(found)} differences", sep="\n", flush=True)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
