"""The tables and lines that `pay` and `statement` show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.table import Table

from beat_the_ai.campaign.money.on_hold import WORDS, OnHold, commands_to_settle
from beat_the_ai.cli.terminal import shown
from beat_the_ai.payments import Cause, Hourly, Plan, Statement, Wage
from beat_the_ai.rules.amounts import show


def plan_table(
    campaign_id: str,
    planned: Plan,
    confirmed: tuple[int, int],
    cap_cents: int,
    waiting: Mapping[str, OnHold],
    unit: str,
) -> Table:
    """Return the table of a planned run, with fees, and of waiting HITs. `confirmed` has payments and cents."""
    table = Table(title=f"Campaign {campaign_id}", caption="amounts with fees")
    for name in ("", "payments", "amount"):
        table.add_column(name, justify="left" if name == "" else "right")
    rows: list[tuple[str, list[Any]]] = [
        ("rewards to pay", [one for one in planned.new if one.is_reward]),
        ("bonuses to pay", [one for one in planned.new if not one.is_reward]),
        ("written down, not sent yet", list(planned.waiting)),
        ("sent, to be looked for first", list(planned.unsettled)),
        ("owed beyond the cap", list(planned.beyond_cap)),
    ]
    table.add_row("paid", str(confirmed[0]), show(confirmed[1], unit))
    for name, amounts in rows:
        table.add_row(name, str(len(amounts)), show(sum(one.with_fee_cents for one in amounts), unit))
    table.add_row("this would cost", "", show(planned.cost_cents, unit), style="bold")
    table.add_row("cap", "", show(cap_cents, unit))
    for kind, each in waiting.items():
        table.add_row(WORDS[Cause(kind)], str(each.assignments), show(each.cents, unit))
    if waiting:
        table.caption = f"amounts with fees; settle what waits with: {', '.join(commands_to_settle(waiting))}"
    return table


def hourly_text(hourly: Hourly | None, unit: str) -> str:
    """Median and quartiles."""
    if hourly is None:
        return "no pay by the hour"
    middle, quartiles, hits = _hourly_cells(hourly, unit)
    return f"{middle} an hour (quartiles {quartiles}, {hits} HITs, pauses included)"


def _hourly_cells(hourly: Hourly | None, unit: str) -> tuple[str, str, str]:
    """Median, quartiles, and of how many HITs."""
    if hourly is None:
        return "–", "", ""
    low, middle, high = (
        show(int(cents + 0.5), unit) for cents in (hourly.lower_cents, hourly.median_cents, hourly.upper_cents)
    )
    return middle, f"{low} to {high}", str(hourly.assignments)


def workers_lines(campaign_id: str, made: list[Wage], unit: str) -> Iterator[str]:
    """One line for each worker, of whom there may be thousands: drawing a table takes longer than adding up."""
    header = ("worker", "earned", "paid", "by the hour", "quartiles", "HITs")
    rows = [
        (one.worker, show(one.earned_cents, unit), show(one.paid_cents, unit), *_hourly_cells(one.hourly, unit))
        for one in made
    ]
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    yield f"Workers of {campaign_id} (pauses count as working time)"
    for name, *cells in (header, *rows):
        amounts = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        yield "  ".join([name.ljust(widths[0]), *amounts])


def lines_table(made: Statement, unit: str) -> Table:
    """One line for each amount of one worker."""
    table = Table(title=f"Worker {shown(made.worker)}", caption=hourly_text(made.hourly, unit))
    for name in ("amount", "state", "reason"):
        table.add_column(name)
    for line in made.lines:
        table.add_row(show(line.cents, unit), line.state, shown(line.reason))
    table.add_row(show(made.earned_cents, unit), f"{show(made.paid_cents, unit)} paid", "", style="bold")
    return table
