"""A crowd that is asked for Quizbowl questions, and a model that has no guess."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tests.webapp.fake_crowd import FakeCrowd


@dataclass
class QuestionCrowd(FakeCrowd):
    page_name: ClassVar[str] = "quizbowl"

    category: str = "Geography Current Events and General Knowledge"
    max_tries: int = 100
    seconds_left: float | None = 86399

    def _task(self) -> dict[str, Any]:
        limits = {"min_words": 60, "max_words": 200, "max_chars": 2400, "min_sentences": 3}
        late = {"late_share": 0.75, "late_position": "first_right"}
        return {**super()._task(), "brief": {"category": self.category, "answers": 61, **limits, **late}}

    def _answer(self, target: str, args: dict[str, Any]) -> dict[str, Any]:
        return {"ok": True, "answers": []} if target == "look_up" else super()._answer(target, args)
