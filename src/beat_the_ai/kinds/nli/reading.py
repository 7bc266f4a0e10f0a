"""The texts that reviewers read of a hypothesis and of the model's prediction."""

from __future__ import annotations

from collections.abc import Mapping

from beat_the_ai.kinds.nli.labels import Prediction
from beat_the_ai.kinds.nli.writing import Work
from beat_the_ai.rules.kind import Reading
from beat_the_ai.rules.protocol import Json


def _work(stored: Json) -> Mapping[str, str]:
    work = Work.model_validate(stored)
    return {"Hypothesis": work.hypothesis, **({} if work.target is None else {"Asked for": work.target})}


def _prediction(stored: Json) -> Mapping[str, str]:
    probabilities = Prediction.model_validate(stored).probabilities.model_dump()
    labels = sorted(probabilities, key=lambda label: -probabilities[label])
    return {"Model": ", ".join(f"{label} {probabilities[label]:.0%}" for label in labels)}


READING = Reading(_work, _prediction)
