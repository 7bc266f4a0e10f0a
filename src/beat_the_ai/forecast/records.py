"""A forecast as it is kept, shown and given as JSON."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from beat_the_ai.rules.amounts import show

AMOUNT, HOURS, DAYS, SHARE, NUMBER = "amount", "hours", "days", "share", "number"


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Estimate(_Record):
    """A figure that is forecast: the middle of what is expected, and its 90% interval. Amounts are hundredths."""

    name: str
    title: str
    unit: str
    value: float
    low: float
    high: float

    def cell(self, of_campaign: str) -> str:
        """Return the estimate for people; `of_campaign` is the unit of amounts."""
        return f"{self.shown(self.value, of_campaign)} ({self.interval(of_campaign)})"

    def interval(self, of_campaign: str) -> str:
        return f"{self.shown(self.low, of_campaign)} to {self.shown(self.high, of_campaign)}"

    def is_certain(self, of_campaign: str) -> bool:
        """Return whether the ends of its interval look the same."""
        return self.shown(self.low, of_campaign) == self.shown(self.high, of_campaign)

    def shown(self, value: float, of_campaign: str) -> str:
        """Return any value of this figure for people."""
        if self.unit == AMOUNT:
            return show(round(value), of_campaign)
        if self.unit == SHARE:
            return f"{value:.0%}"
        return f"{value:,.1f}" if self.unit in (HOURS, DAYS) else f"{round(value):,}"


class Source(_Record):
    """A campaign from which a forecast was made. `simulated`: a rehearsal."""

    campaign: str
    simulated: bool
    writers: int
    hits: int


class HourlyTarget(_Record):
    """The reward with which the median writer earns so much an hour, and the share of writers who earn less."""

    target_cents: int
    reward: Estimate
    share_below: float

    def words(self, unit: str) -> str:
        """Return it as a sentence; `unit` is that of amounts."""
        wanted = f"{self.reward.cell(unit)} a HIT gives the median writer {show(self.target_cents, unit)} an hour"
        return f"{wanted}; {self.share_below:.0%} of the writers would earn less."


class Forecast(_Record):
    """A forecast, by sections of estimates. `plan` has the figures of the plan that it is of."""

    made_at: datetime
    seed: int
    unit: str
    sources: tuple[Source, ...]
    plan: dict[str, int | str]
    measured: tuple[Estimate, ...]
    sizes: tuple[Estimate, ...]
    cost: tuple[Estimate, ...]
    time: tuple[Estimate, ...]
    pay: tuple[Estimate, ...]
    hourly_target: HourlyTarget | None = None
    assumptions: tuple[str, ...]

    @property
    def sections(self) -> dict[str, tuple[Estimate, ...]]:
        """Return all estimates by section, those that the pilot has shown first."""
        titles = {
            "Measured": self.measured,
            "Sizes": self.sizes,
            "Cost": self.cost,
            "Time": self.time,
            "Pay": self.pay,
        }
        return {title: estimates for title, estimates in titles.items() if estimates}

    @property
    def estimates(self) -> dict[str, Estimate]:
        """Return all estimates of the planned campaign by name."""
        return {one.name: one for one in (*self.sizes, *self.cost, *self.time, *self.pay)}
