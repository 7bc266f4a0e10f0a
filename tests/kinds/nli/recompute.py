"""`python recompute.py attempts.jsonl [SEED]`: verdicts, labels and parts of a campaign, from its attempts alone.

SEED is the one that the data card states, for where test is balanced. Imports nothing of the project.
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


def kept(attempt: dict[str, Any]) -> str | None:
    """The label with which it is in its part; None for what is not in it."""
    said = Counter(vote["vote"]["label"] for vote in attempt["votes"] if vote["counts"])
    final = next((label for label, count in said.items() if count >= 2), None)
    if attempt["part"] is None or attempt["retracted"]:
        return None
    if attempt["part"] == "train" and not (fooled(attempt) and attempt["votes"]):
        return str(attempt["work"]["target"])
    model_right = final == attempt["prediction"]["label"]
    return final if fooled(attempt) and (attempt["part"] == "train" or not model_right) else None


def balanced(labels: dict[str, str], genres: dict[str, str], seed: int) -> list[str]:
    """The attempts that stay: as many of each label in each genre, or else of each label, or else all."""
    for genre_of in (genres, dict.fromkeys(genres, "")):
        cells = defaultdict(list)
        for name in sorted(labels, key=lambda name: blake2b(name.encode(), key=b"%d" % seed).digest()):
            cells[labels[name], genre_of[name]].append(name)
        if cells and cells.keys() == set(product(("entailment", "neutral", "contradiction"), {g for _, g in cells})):
            return [name for names in cells.values() for name in names[: min(map(len, cells.values()))]]
    return list(labels)


def recomputed(path: Path, seed: int | None = None) -> dict[str, Any]:
    attempts = {each["attempt_id"]: each for each in map(json.loads, path.read_text("utf-8").splitlines())}
    parts: dict[str, dict[str, str]] = {"train": {}, "dev": {}, "test": {}}
    for name, attempt in attempts.items():
        if (label := kept(attempt)) is not None:
            parts[attempt["part"]][name] = label
    for number in {attempt["round"] for attempt in attempts.values()} if seed is not None else ():
        mine = {name: label for name, label in parts["test"].items() if attempts[name]["round"] == number}
        stay = balanced(mine, {name: attempts[name]["stratum"][1] for name in mine}, seed or 0)
        parts["test"] = {name: label for name, label in parts["test"].items() if name not in mine or name in stay}
    return {"verdicts": {name: fooled(attempt) for name, attempt in attempts.items()}, "parts": parts}


if __name__ == "__main__":
    print(json.dumps(recomputed(Path(sys.argv[1]), *map(int, sys.argv[2:]))))
