"""A forecast beside what came of it, as rows and as a section of a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from beat_the_ai.analysis.drawings import Bar, bars
from beat_the_ai.forecast.records import Estimate, Forecast
from beat_the_ai.statistics.section import Section, Table

TITLE = "Forecast and outcome"
HEADER = ("what", "forecast (90% interval)", "outcome so far", "within")


@dataclass(frozen=True)
class Outcome:
    """A figure that was forecast, and what came of it."""

    estimate: Estimate
    reached: float

    @property
    def is_within(self) -> bool:
        return self.estimate.low <= self.reached <= self.estimate.high

    def row(self, unit: str) -> tuple[str, str, str, str]:
        """Return the cells under `HEADER`."""
        one = self.estimate
        return one.title, one.cell(unit), one.shown(self.reached, unit), "yes" if self.is_within else "no"


def outcomes_of(forecast: Forecast, reached: Mapping[str, float]) -> list[Outcome]:
    """Return the figures that were forecast and reached; `reached` has them by the names of estimates."""
    return [Outcome(one, reached[name]) for name, one in forecast.estimates.items() if name in reached]


def outcome_section(forecast: Forecast, reached: Mapping[str, float]) -> Section:
    """Return the section of a report on how right a forecast was."""
    outcomes = outcomes_of(forecast, reached)
    within = sum(one.is_within for one in outcomes)
    drawn = [_bar(one) for one in outcomes if one.estimate.value > 0]
    largest = max((max(bar.high, bar.value or 0) for bar in drawn), default=None)
    return Section(
        TITLE,
        f"{made(forecast)} {within} of {len(outcomes)} figures lie within their intervals. A bar is the outcome in "
        "percent of the forecast, its line the interval. Figures count what is there now; they grow until the end.",
        Table(HEADER, [one.row(forecast.unit) for one in outcomes]),
        bars(drawn, TITLE, largest=largest),
    )


def made(forecast: Forecast) -> str:
    """Say when and from what a forecast was made."""
    sources = ", ".join(
        f"{'a rehearsal' if one.simulated else f'the campaign {one.campaign}'} ({one.writers:,} writers, "
        f"{one.hits:,} HITs)"
        for one in forecast.sources
    )
    return f"Made on {forecast.made_at:%Y-%m-%d} from {sources}."


def _bar(one: Outcome) -> Bar:
    middle = one.estimate.value
    share = one.reached / middle
    return Bar(one.estimate.title, share, one.estimate.low / middle, one.estimate.high / middle, f"{share:.0%}")
