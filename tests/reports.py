"""The report of a campaign as figures, beside those that follow from the exported files alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from beat_the_ai.cli import main
from tests.recompute.__main__ import COMPARED
from tests.recompute.differences import differences, status_differences


def report_of(campaign: Path) -> dict[str, Any]:
    """Return what `report --json` prints of a campaign's folder."""
    told = CliRunner().invoke(main, ["report", str(campaign), "--json"], catch_exceptions=False)
    report: dict[str, Any] = json.loads(told.stdout)
    return report


def status_of(campaign: Path) -> list[dict[str, Any]]:
    """Return what `status --json` prints of a campaign's folder."""
    told = CliRunner().invoke(main, ["status", str(campaign), "--json"], catch_exceptions=False)
    status: list[dict[str, Any]] = json.loads(told.stdout)
    return status


def unexplained(export: Path) -> list[str]:
    """Return the differences of a campaign's report, card and status from the files in the same folder."""
    status = status_differences(export, status_of(export), COMPARED)
    return [*differences(export, report_of(export), COMPARED), *status]
