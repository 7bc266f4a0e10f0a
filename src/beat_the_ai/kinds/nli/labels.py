"""The relations of a hypothesis to its premise, and a model's prediction of them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from beat_the_ai.rules.protocol import Value

Label = Literal["entailment", "neutral", "contradiction"]
LABELS: tuple[Label, ...] = ("entailment", "neutral", "contradiction")


class Pair(Value):
    """The query to a model."""

    premise: str
    hypothesis: str


class Probabilities(Value):
    """They sum to 1."""

    entailment: float = Field(ge=0, le=1)
    neutral: float = Field(ge=0, le=1)
    contradiction: float = Field(ge=0, le=1)


class Prediction(Value):
    """The most probable label; of equals the first in the order of `LABELS`."""

    label: Label
    probabilities: Probabilities
