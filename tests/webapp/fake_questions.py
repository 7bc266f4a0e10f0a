"""A crowd that is asked for Quizbowl questions, and a model that guesses the same of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from beat_the_ai.kinds.quizbowl.previewing import ANSWERS, HINT
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
        if target == "look_up":
            return {"ok": True, "answers": ANSWERS}
        if target == "hint":
            return {"ok": True, "hint": HINT}
        if target == "edits":
            return {"ok": True, "edits": [self._edit(number) for number in (1, 2)], "more": False}
        return super()._answer(target, args)

    def _edit(self, number: int) -> dict[str, Any]:
        draft = {"text": "A lamp was lit there. It shone. Name it.", "answer": "Antarctica"}
        at = f"2026-01-01T00:00:0{number}+00:00"
        return {"ordinal": number, "attempt": 1, "cause": "pause", "at": at, "draft": draft, "hint": HINT}
