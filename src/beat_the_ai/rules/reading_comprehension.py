"""Reading comprehension as in "Beat the AI" (Bartolo et al. 2020): a question, an answer span, a word-overlap verdict.

The model is beaten when its answer overlaps too little with the writer's: "if the model's answer has an F1 of at most
40% with the writer's" (§3.1, word overlap after the normalisation of SQuAD's evaluation script).
"""

from __future__ import annotations

import json
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules import text
from beat_the_ai.rules.protocol import Context, Value, Verdict


class Span(Value):
    """A stretch of the passage; `start` counts Unicode code points."""

    text: str
    start: int


class Work(Value):
    """A question and the span of the passage that answers it."""

    question: str
    answer: Span


class Query(Value):
    """What a model is asked."""

    context: str
    question: str


class Prediction(Value):
    """The model's answer: a span of the passage and its confidence, 0 to 1."""

    text: str
    start: int
    score: float
