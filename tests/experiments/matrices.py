"""Small datasets of pairs, and matrices over them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.kinds.nli.labels import LABELS

TASK = f"{Path(__file__).parent / 'bayes.py'}:kind"
NOISE = 0.2
FILLERS = [f"filler{number}" for number in range(30)]


def write_pairs(path: Path, cues: Sequence[str], premises: range, each: int = 4, place: str = "p", **more: Any) -> None:
    """Hypotheses with a cue word for their label, of which a share are wrong. Each row has `more` fields."""
    rng = random.Random(f"{path.name}{cues}")
    rows = []
    for number in premises:
        for ordinal in range(each):
            label = rng.choice(range(len(LABELS)))
            cue = rng.choice(cues) if rng.random() < NOISE else cues[label]
            words = [cue, *rng.sample(FILLERS, 3)]
            text = f"{place}{number} is a premise."
            rows.append(
                {
                    "id": f"{number}-{ordinal}",
                    "premise": text,
                    "hypothesis": " ".join(words),
                    "label": LABELS[label],
                    **more,
                }
            )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


BASE_CUES = ("surely", "perhaps", "never")
OTHER_CUES = ("indeed", "maybe", "hardly")


def write_datasets(folder: Path) -> None:
    """A base of 60 premises, and another dataset on 30 of them, each with a test part on premises of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    write_pairs(folder / "base.jsonl", BASE_CUES, range(60))
    write_pairs(folder / "base-test.jsonl", BASE_CUES, range(100, 130))
    write_pairs(folder / "other.jsonl", OTHER_CUES, range(30))
    write_pairs(folder / "other-dev.jsonl", OTHER_CUES, range(200, 210))
    write_pairs(folder / "other-test.jsonl", OTHER_CUES, range(130, 160))


def settings(**changes: Any) -> dict[str, Any]:
    return {
        "task": TASK,
        "datasets": {
            "base": {"label": "D_Base", "train": "base.jsonl", "test": "base-test.jsonl"},
            "other": {"train": ["other.jsonl"], "dev": "other-dev.jsonl", "test": "other-test.jsonl"},
        },
        "base": "base",
        "size": 80,
        "models": {"bayes": {"train": {"share": 0.5}}},
        "seeds": [0, 1],
        **changes,
    }


def write_matrix(path: Path, content: dict[str, Any]) -> Path:
    path.write_text(json.dumps(content))  # which is YAML as well
    return path


def run(config: Path, out: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["matrix", str(config), "--out", str(out), *arguments], catch_exceptions=False)
