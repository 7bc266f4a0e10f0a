"""A crowd that is asked for statements about a text, and a model that finds each label as probable as it is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from tests.webapp.fake_crowd import FakeCrowd

# Nearly as long as premises get.
TEXT = (
    "The clock in the town hall of Ermelen has four faces, and each of them shows a different time. The watchmaker "
    "who was sent for in 1958 found a family of jackdaws in the works, and the mayor, who was fond of birds, paid "
    "him and let him go. Since then people in Ermelen meet at half past north or at a quarter to west, and "
    "strangers are never on time. A plan to repair it was put to the vote in 1994. Two thirds of the town were "
    "against it, among them the watchmaker’s own daughter, who had opened a shop for pocket watches on the square "
    "and could not complain of lacking customers."
)
MISSED = {"entailment": 0.064, "neutral": 0.12, "contradiction": 0.816}
FOOLED = {"entailment": 0.71, "neutral": 0.2, "contradiction": 0.09}


@dataclass
class StatementCrowd(FakeCrowd):
    page_name: ClassVar[str] = "nli"

    passage: str = TEXT
    title: str = "The clock of Ermelen"
    max_tries: int = 5
    checks: str = "all"
    target: str = "contradiction"
    probabilities: dict[str, float] = field(default_factory=lambda: dict(FOOLED))
    explain_error: dict[str, Any] | None = None

    def _task(self) -> dict[str, Any]:
        return {**super()._task(), "brief": {"target": self.target, "wording": "in words"}}

    def _answer(self, target: str, args: dict[str, Any]) -> dict[str, Any]:
        if target == "explain" and self.explain_error is not None:
            return {"ok": False, "error": self.explain_error}
        return super()._answer(target, args)

    def _verdict(self, work: dict[str, Any]) -> dict[str, Any]:
        label = max(self.probabilities, key=lambda name: self.probabilities[name])
        return {
            "prediction": {"label": label, "probabilities": self.probabilities},
            "scores": {"target_probability": self.probabilities[self.target], "margin": 0.0},
            "fooled": label != self.target,
        }

    def _mark(self, target: str, args: dict[str, Any]) -> dict[str, Any]:
        return {"explanation": args["explanation"]} if target == "explain" else super()._mark(target, args)

    def _explanations_missing(self) -> int:
        won = [attempt for attempt in self.attempts if attempt["fooled"] and not attempt["retracted"]]
        return sum(attempt["explanation"] is None for attempt in won)
