"""Each campaign of a console in one line, from the figures that are there already."""

from __future__ import annotations

from beat_the_ai.console import views
from beat_the_ai.console.campaigns import Watched


def line_of(key: str, watched: Watched, figures: views.Figures | None, *, has_needs: bool) -> views.Line:
    """Return the line of a campaign, with what waits for a person or without."""
    served = watched.served()
    return views.Line(
        key=key,
        served=None if served is None else tuple(served),
        figures=None if figures is None else _short(figures, has_needs=has_needs),
    )


def _short(of: views.Figures, *, has_needs: bool) -> views.Short:
    progress = of.progress
    return views.Short(
        round=progress.round,
        closed=progress.closed_at is not None,
        hits=progress.hits,
        hits_submitted=progress.hits_submitted,
        attempts=progress.attempts,
        unverified=of.course.unverified,
        used_cents=of.money.used_cents,
        cap_cents=of.money.cap_cents,
        unit=of.unit,
        needs=of.needs.all if has_needs and of.needs is not None else None,
    )
