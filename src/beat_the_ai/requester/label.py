"""The label of a HIT: the annotation that identifies it and the token that lets it be made once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from beat_the_ai.errors import InvalidInput

MARK = "beat-the-ai"
MAX_CHARACTERS = 255  # of a RequesterAnnotation [doc]


@dataclass(frozen=True)
class Label:
    """`run` is drawn at random for every run, so that a campaign that starts over is not taken for the old one."""

    campaign: str
    run: str
    unit: str

    def __post_init__(self) -> None:
        if ":" in f"{self.campaign}{self.run}{self.unit}" or len(self.annotation) > MAX_CHARACTERS:
            raise InvalidInput("name", f"The campaign's name {self.campaign[:80]!r} is too long or has a colon.")

    @property
    def annotation(self) -> str:
        return f"{MARK}:{self.campaign}:{self.run}:{self.unit}"

    @property
    def token(self) -> str:
        """A UniqueRequestToken, of 64 characters at most [doc]."""
        return hashlib.sha256(self.annotation.encode()).hexdigest()

    @classmethod
    def of(cls, hit: Any) -> Label | None:
        """From a HIT as the marketplace describes it; None when it is nobody's of this suite."""
        parts = str(hit.get("RequesterAnnotation", "")).split(":")
        return cls(*parts[1:]) if len(parts) == 4 and parts[0] == MARK else None
