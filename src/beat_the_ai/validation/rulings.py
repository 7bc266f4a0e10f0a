"""By which rules the votes of each round of a campaign are counted."""

from __future__ import annotations

from collections.abc import Mapping

from beat_the_ai.rules.adjudication import Checking

Rulings = Mapping[int, Checking]  # by round
