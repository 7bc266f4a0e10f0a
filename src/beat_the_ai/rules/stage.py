"""The stages of a campaign."""

from __future__ import annotations

from enum import Enum


class Stage(str, Enum):
    """The purpose of a HIT."""

    SCREENING = "screening"
    WRITING = "writing"
    VALIDATION = "validation"
