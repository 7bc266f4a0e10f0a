"""Simulated answers to forms: the first thing that is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def simulated_answers(form: Mapping[str, Any]) -> dict[str, Any]:
    """Return answers to the questions of a form, as pages are sent it, that are shown."""
    answers: dict[str, Any] = {}
    for question in form["questions"]:
        if all(str(answers.get(name)) in wanted for name, wanted in question["shown_when"].items()):
            answers[question["id"]] = _answer(question)
    return answers


def _answer(question: Mapping[str, Any]) -> Any:
    match question["type"]:
        case "choice":
            first = question["options"][0]
            return [first] if question["several"] else first
        case "scale":
            return question["lowest"]
        case "number":
            return max(1, question["at_least"] or 1) if question["at_most"] is None else question["at_most"]
        case "date":
            return "2000-01-01"
        case _:
            return "Nothing to add."
