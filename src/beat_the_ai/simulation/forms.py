"""Simulated answers to forms: the option or number that a question names, as an attention check does, or the first."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from beat_the_ai.forms.questions import is_met


def simulated_answers(form: Mapping[str, Any]) -> dict[str, Any]:
    """Return answers to the questions of a form, as pages are sent it, that are shown."""
    answers: dict[str, Any] = {}
    for question in form["questions"]:
        if is_met(question["shown_when"], answers):
            answers[question["id"]] = _answer(question)
    return answers


def _answer(question: Mapping[str, Any]) -> Any:
    match question["type"]:
        case "choice":
            chosen = _named(question["text"], question["options"])
            return [chosen] if question["several"] else chosen
        case "scale":
            return int(_named(question["text"], map(str, range(question["lowest"], question["highest"] + 1))))
        case "number":
            return _number(question["at_least"], question["at_most"], decimals=question["decimals"])
        case "date":
            return "2000-01-01"
        case _:
            return "Nothing to add."


def _number(at_least: float | None, at_most: float | None, *, decimals: bool) -> float:
    """Return the largest number that is allowed, or the smallest from 1 on."""
    if at_most is None:
        lowest = max(1, at_least or 1)
        return lowest if decimals else math.ceil(lowest)
    return at_most if decimals else math.floor(at_most)


def _named(text: str, allowed: Iterable[str]) -> str:
    """Return the longest of what is allowed that stands in the text in whole words, or else the first."""
    options = list(allowed)
    named = [one for one in options if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text, re.IGNORECASE)]
    return max(named, key=len, default=options[0])
