"""What a campaign's export must hold, worked out from its `attempts.jsonl` alone.

`python recompute.py attempts.jsonl SEED`, with the seed that the data card states, where test is balanced.
Prints `{"verdicts": {attempt: fooled}, "parts": {part: {attempt: label}}}`.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from hashlib import blake2b
from itertools import product
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


def balanced(labels: dict[str, str], genres: dict[str, str], seed: int) -> list[str]:
    """The attempts of test that stay: as many of each label in each genre, or else of each label, or else all."""
    for genres_by in (genres, dict.fromkeys(genres, "")):
        cells = defaultdict(list)
        for name in sorted(labels, key=lambda name: blake2b(name.encode(), key=b"%d" % seed).digest()):
            cells[labels[name], genres_by[name]].append(name)
        if (
            cells.keys()
            == set(product(("entailment", "neutral", "contradiction"), {genre for _, genre in cells}))
            != set()
        ):
            return [name for names in cells.values() for name in names[: min(map(len, cells.values()))]]
    return list(labels)


def recomputed(path: Path, seed: int | None = None) -> dict[str, Any]:
    """Without a seed nothing is balanced."""
    attempts = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    parts: dict[str, dict[str, str]] = {"train": {}, "dev": {}, "test": {}}
    for attempt in attempts:
        if (name := kept(attempt)) is not None:
            parts[attempt["part"]][attempt["attempt_id"]] = name
    if seed is not None:
        genres = {attempt["attempt_id"]: attempt["stratum"][1] for attempt in attempts if attempt["stratum"]}
        for number in {attempt["round"] for attempt in attempts}:
            mine = {each["attempt_id"] for each in attempts if each["round"] == number} & parts["test"].keys()
            stay = balanced({name: parts["test"][name] for name in mine}, {name: genres[name] for name in mine}, seed)
            parts["test"] = {name: each for name, each in parts["test"].items() if name not in mine or name in stay}
    return {"verdicts": {attempt["attempt_id"]: fooled(attempt) for attempt in attempts}, "parts": parts}


if __name__ == "__main__":
    print(json.dumps(recomputed(Path(sys.argv[1]), *map(int, sys.argv[2:]))))
