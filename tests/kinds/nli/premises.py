"""The premises that these tests are about."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.kinds.nli.writing import HypothesisWriting
from beat_the_ai.rules.protocol import Context

FILE = Path(__file__).parent / "premises.jsonl"
WRITING = HypothesisWriting()
PREMISES = WRITING.load_contexts(FILE)


def premise(name: str) -> Context:
    return next(context for context in PREMISES if context.id == name)
