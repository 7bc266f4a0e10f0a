"""Estimates of acts, as the terminal shows them."""

from __future__ import annotations

from rich.table import Table

from beat_the_ai.campaign.acts.act import Estimate


def estimate_table(estimate: Estimate) -> Table:
    table = Table(title=estimate.title, show_header=False)
    for line in estimate.lines:
        table.add_row(line.name, line.value, style="bold" if line.is_total else None)
    return table
