"""A forecast in words, as pages show it, with its outcome where there is one."""

from __future__ import annotations

from collections.abc import Mapping

from beat_the_ai.console.views import ForecastPart, ForecastRow, ShownForecast
from beat_the_ai.forecast.outcome import made, outcomes_of
from beat_the_ai.forecast.records import Estimate, Forecast


def shown_forecast(of: Forecast, reached: Mapping[str, float]) -> ShownForecast:
    """Return a forecast in words; `reached` has what came of it by the names of estimates."""
    outcomes = {one.estimate.name: one for one in outcomes_of(of, reached)}

    def row(one: Estimate) -> ForecastRow:
        outcome = outcomes.get(one.name)
        return ForecastRow(
            what=one.title,
            value=one.shown(one.value, of.unit),
            interval="" if one.is_certain(of.unit) else one.interval(of.unit),
            outcome=None if outcome is None else one.shown(outcome.reached, of.unit),
            is_within=None if outcome is None else outcome.is_within,
        )

    return ShownForecast(
        made=made(of),
        parts=tuple(
            ForecastPart(title=title, rows=tuple(map(row, estimates))) for title, estimates in of.sections.items()
        ),
        target=None if of.hourly_target is None else of.hourly_target.words(of.unit),
        target_cents=None if of.hourly_target is None else round(of.hourly_target.reward.value),
        assumptions=of.assumptions,
    )
