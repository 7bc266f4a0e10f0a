"""What a campaign's export must hold, worked out from its `attempts.jsonl` alone: `python recompute.py attempts.jsonl`.

Prints `{"verdicts": {attempt: fooled}, "parts": {part: {attempt: label}}}`.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any


def fooled(attempt: dict[str, Any]) -> bool:
    probabilities = attempt["prediction"]["probabilities"]
    return bool(max(probabilities, key=probabilities.__getitem__) != attempt["work"]["target"])


def label(attempt: dict[str, Any]) -> str | None:
    """The final one: None for what other people discarded, or have not decided."""
    said = Counter(vote["vote"]["label"] for vote in attempt["votes"] if vote["counts"])
    return next((name for name, count in said.items() if count >= 2), None)


def kept(attempt: dict[str, Any]) -> str | None:
    """The label with which it is in its part; None for what is not in it."""
    if attempt["part"] is None or attempt["retracted"]:
        return None
    target, final, part = attempt["work"]["target"], label(attempt), attempt["part"]
    if not fooled(attempt):
        return str(target) if part == "train" else None
    is_error = final is not None and final != attempt["prediction"]["label"]
    if part == "train" and not attempt["votes"]:
        return str(target)
    return final if is_error else None


def recomputed(path: Path) -> dict[str, Any]:
    attempts = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    parts: dict[str, dict[str, str]] = {"train": {}, "dev": {}, "test": {}}
    for attempt in attempts:
        if (name := kept(attempt)) is not None:
            parts[attempt["part"]][attempt["attempt_id"]] = name
    return {"verdicts": {attempt["attempt_id"]: fooled(attempt) for attempt in attempts}, "parts": parts}


if __name__ == "__main__":
    print(json.dumps(recomputed(Path(sys.argv[1]))))
