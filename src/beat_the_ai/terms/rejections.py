"""Rejections with a reason and a category, for crowds that take no others.

Mechanical Turk's protocol has one text for a rejection, the requester's feedback: its first line names the category.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.rules.text import clean_line

MOST_CHARS = 900  # of the 1,024 of a feedback
FEEDBACK = re.compile(r"Category: (?P<category>[A-Z_]{1,40})\n(?P<reason>.+)", re.ASCII)


@dataclass(frozen=True)
class Rejection:
    """A reason that the worker reads, and its category by the crowd's name."""

    reason: str
    category: str

    @property
    def feedback(self) -> str:
        return f"Category: {self.category}\n{self.reason}"

    @classmethod
    def read(cls, feedback: str | None) -> Rejection | None:
        """Return the rejection that a feedback holds; None for any other text."""
        found = FEEDBACK.fullmatch(feedback or "")
        return None if found is None else cls(found["reason"], found["category"])


@dataclass(frozen=True)
class RejectionTerms:
    """The reason and category that a crowd asks for to reject work. `categories` has words for each of its names."""

    min_chars: int
    categories: Mapping[str, str]

    def takes(self, rejection: Rejection) -> bool:
        return rejection.category in self.categories and len(rejection.reason) >= self.min_chars

    def check(self, reason: str, category: str | None) -> Rejection:
        """Return the rejection. Raises `InvalidInput` for a reason that is too short or long, and for a category."""
        line = clean_line("reason", reason, max_chars=MOST_CHARS)
        if len(line) < self.min_chars:
            raise InvalidInput(
                "reason",
                f"The reason has {len(line)} characters, and this crowd takes at least {self.min_chars}. The worker "
                "reads it: say what is missing or wrong.",
            )
        if not category:
            known = ", ".join(f"{name} ({words})" for name, words in self.categories.items())
            raise InvalidInput("category", f"This crowd rejects work with a category only. Name one: {known}.")
        if category not in self.categories:
            raise UnknownName("category", category, self.categories)
        return Rejection(line, category)
