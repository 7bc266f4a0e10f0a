"""Crowds that check what others wrote, qualify, or answer forms, with a server that follows orders."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.webapp.fake_crowd import FakeCrowd

CONTEXT = "c1"


@dataclass
class CheckingCrowd(FakeCrowd):
    """Two works are checked; of one that is played, every word comes at once."""

    checks_on: str = "validation"
    work: dict[str, Any] = field(default_factory=lambda: {"question": "Whose engine sold?"})
    votes: dict[str, Any] = field(default_factory=dict)
    revealed: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.config = {"page": self.checks_on, "works_per_hit": 2, **self.config}

    def _task(self) -> dict[str, Any]:
        context = {"id": CONTEXT, "title": self.title, "text": self.passage}
        items = [{"id": name, "context_id": CONTEXT, "work": self.work} for name in ("w1", "w2")]
        return {"hit": "h1", "contexts": [context], "items": items}

    def _answer(self, target: str, args: dict[str, Any]) -> dict[str, Any]:
        if target == "reveal":
            words = self.passage.split()[: args["steps"]]
            self.revealed[args["item_id"]] = {"text": " ".join(words), "words": len(words), "ended": False}
            return {"ok": True, "revealed": self.revealed[args["item_id"]]}
        if target == "vote":
            self.votes[args["item_id"]] = args["vote"]
        return super()._answer(target, args)

    def _hit(self) -> dict[str, Any]:
        complete = len(self.votes) == 2
        return {"votes": self.votes, "revealed": self.revealed, "complete": complete, "seconds_left": 2820}


@dataclass
class ScreeningCrowd(FakeCrowd):
    """A quiz of the given steps and a sample; `told` is what is said of each try: a response, or a mistake."""

    qualifies_on: str = "qualification"
    steps: list[dict[str, Any]] = field(default_factory=list)
    told: list[dict[str, Any]] = field(default_factory=list)
    brief: dict[str, Any] = field(default_factory=dict)
    done: int = 0
    mistakes: list[dict[str, Any]] = field(default_factory=list)
    tries: int = 2

    def __post_init__(self) -> None:
        kinds = [step["kind"] for step in self.steps]
        self.config = {"page": self.qualifies_on, "steps": kinds, "min_attempts": 2, **self.config}

    def _answer(self, target: str, args: dict[str, Any]) -> dict[str, Any]:
        if target == "state":
            return {"ok": True, "screening": self._screening()}
        if target != "respond":
            return super()._answer(target, args)
        said = self.told.pop(0)
        right = "message" not in said
        self.done += right
        self.mistakes = [] if right else [*self.mistakes, said]
        response = {"step": args["step"], "right": right, **(said if right else {})}
        return {"ok": True, "response": response, "screening": self._screening()}

    def _screening(self) -> dict[str, Any]:
        at, left = self.done < len(self.steps), self.tries - len(self.mistakes)
        names = [{"id": step["id"], "kind": step["kind"]} for step in self.steps]
        sample = {"id": "sample", "title": self.title, "text": self.passage, "brief": self.brief}
        return {
            "phase": "sample" if not at else "steps" if left else "failed",
            "steps": [*names, {"id": "sample", "kind": "sample"}],
            "steps_done": self.done,
            "step": {**self.steps[self.done], "mistakes": self.mistakes, "tries_left": left} if at else None,
            "sample": None if at else sample,
            "hit": None if at else self._hit(),
            "seconds_left": 2820,
        }


@dataclass
class FormsCrowd(FakeCrowd):
    """Has forms before the work, and others after it."""

    before: list[dict[str, Any]] = field(default_factory=list)
    after: list[dict[str, Any]] = field(default_factory=list)
    refusal: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        self.config = {"asks_forms": True, **self.config}

    def _answer(self, target: str, args: dict[str, Any]) -> dict[str, Any]:
        if target == "answer_form" and self.refusal is not None:
            return {"ok": False, "error": self.refusal}
        if target == "answer_form" and not args["declined"]:
            self.before = self.before[1:]
        if target in ("forms", "answer_form"):
            return {"ok": True, "forms": self.before, "debriefing": self.before[:1]}
        if target == "forms_after":
            return {"ok": True, "forms": self.after, "debriefing": []}
        return super()._answer(target, args)
