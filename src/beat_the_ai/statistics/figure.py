"""A figure with its interval."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A figure of so many observations; None where they say nothing. The interval is at 95%, None where there is none.

    `unit` is what stands behind the value, such as "%".
    """

    name: str
    value: float | None
    interval: tuple[float, float] | None = None
    observations: int = 0
    unit: str = ""
