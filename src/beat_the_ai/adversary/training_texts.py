"""The texts that a shipped model was trained on, as fingerprints: it is hard to beat on them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from beat_the_ai.adversary.registry import parse_spec, shipped_models

FILE = "trained_on.txt"  # beside a model's weights, a fingerprint a line
FINGERPRINT_LENGTH = 12


def fingerprint(text: str) -> str:
    """Return the beginning of the text's SHA-256, whatever white space stands between its words."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:FINGERPRINT_LENGTH]


def number_trained_on(spec: str, texts: Iterable[str]) -> int:
    """Return how many of the texts the model was trained on, as far as that is known: 0 for all but shipped models."""
    kind = shipped_models().get(spec)
    if kind is None:
        return 0
    path = Path(__file__).resolve().parents[1] / "kinds" / kind / "weights" / parse_spec(spec)[1] / FILE
    known = set(path.read_text(encoding="ascii").split()) if path.is_file() else set[str]()
    return sum(fingerprint(text) in known for text in texts)
