"""A forecast that is kept in a campaign's folder, beside what came of it."""

from __future__ import annotations

import json
from typing import Any

from tests.recompute.campaign import Kind, Section
from tests.recompute.cells import dollars
from tests.recompute.files import PARTS, Export, is_true

TITLE = "Forecast and outcome"


def sections(export: Export, kind: Kind) -> dict[str, Section]:
    path = export.folder / "forecast.json"
    if not path.exists():
        return {}
    forecast = json.loads(path.read_text("utf-8"))
    came = reached(export, kind)
    estimates = [one for name in ("sizes", "cost", "time", "pay") for one in forecast[name] if one["name"] in came]
    rows, within = [], 0
    for one in estimates:
        now = came[one["name"]]
        value, low, high, shown = (_shown(each, one["unit"]) for each in (*_interval(one), now))
        is_within = one["low"] <= now <= one["high"]
        within += is_within
        rows.append([one["title"], f"{value} ({low} to {high})", shown, "yes" if is_within else "no"])
    told = [f"Made on {forecast['made_at'][:10]} from ", f"{within} of {len(rows)} figures lie within"]
    told += [f"({one['writers']:,} writers, {one['hits']:,} HITs)" for one in forecast["sources"]]
    return {TITLE: Section(["what", "forecast (90% interval)", "outcome so far", "within"], rows, told)}


def _interval(one: dict[str, Any]) -> tuple[float, float, float]:
    return one["value"], one["low"], one["high"]


def _shown(value: float, unit: str) -> str:
    if unit == "amount":
        return dollars(value)
    if unit == "share":
        return f"{value:.0%}"
    return f"{value:,.1f}" if unit in ("hours", "days") else f"{round(value):,}"


def reached(export: Export, kind: Kind) -> dict[str, float]:
    """Return what is there now, by the names of estimates. Simulated people take no real time."""
    attempts, hits = export.attempts, export.stage("writing")
    done = attempts[attempts["assignment"].isin(hits["assignment"])]["hit"].nunique()  # empty ones are given again
    wins = export.kept[kind.beaten(export.kept)]
    examples = {f"examples_{part}": float((wins["part"] == part).sum()) for part in PARTS}
    found = {
        "hits": float(done),
        "attempts": float(attempts["in_part"].sum()),
        "wins": float(is_true(attempts["fooled"])[attempts["judged"]].sum()),
        **examples,
        "examples": sum(examples.values()),
        "total_cents": float(export.assignments["earned_cents"].fillna(0).sum()),
    }
    if "A rehearsal: simulated people made all of this." not in export.card:
        found["writing_hours"] = float(hits["seconds"].astype(float).sum()) / 3600
    return found
