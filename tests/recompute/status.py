"""The figures of `status --json` of a campaign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from tests.recompute.campaign import Kind
from tests.recompute.cells import over_clusters
from tests.recompute.files import Export, is_true
from tests.recompute.forecast import reached
from tests.recompute.left_out import STATUS, reason

ROUNDING = 1e-6


def differences(export: Export, kind: Kind, status: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield how the figures of the campaign differ; those of the sample HITs of its screening are left out."""
    [said] = [each for each in status if each["screening_of"] is None]
    made = _figures(export, kind, said)
    for name, value in _flat(said):
        if name in made:
            if not _alike(value, made[name]):
                yield f"status, {name}: {value} is said, {made[name]} is in the files"
        elif reason(name, STATUS) is None:
            yield f"status, {name}: nobody has recomputed it"


def _flat(said: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in said.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _alike(said: Any, made: Any) -> bool:
    if isinstance(made, tuple):
        ends = () if said is None else tuple(each for each in said if each is not None)
        return len(ends) == len(made) and bool(np.allclose(ends, made, atol=ROUNDING))
    return bool(said == made)


def _share(found: pd.Series, clusters: pd.Series) -> tuple[float, ...]:
    return over_clusters(found, clusters) if len(found) else ()


def _figures(export: Export, kind: Kind, said: Mapping[str, Any]) -> dict[str, Any]:
    attempts, assignments = export.attempts, export.assignments
    mine, judged = attempts[attempts["in_part"]], attempts[attempts["judged"]]
    refused = assignments["standing"] == "refused"
    counting = export.stage("writing")
    decided = attempts[attempts["validation"].isin(["valid", "invalid"])]
    valid = decided["validation"] == "valid"
    now = reached(export, kind)
    made: dict[str, Any] = {
        "hits_submitted": now["hits"],
        "workers": mine["worker"].nunique(),
        "workers_revoked": assignments[(assignments["discarded_by"] == "reviewer") & ~refused]["worker"].nunique(),
        "writers_discarded": assignments[assignments["discarded_by"] == "votes"]["worker"].nunique(),
        "newcomers_refused": assignments[refused]["worker"].nunique(),
        "attempts": len(mine),
        "retracted": len(mine) - len(judged),
        "fooled": int(is_true(judged["fooled"]).sum()),
        "error_rate": _share(is_true(judged["fooled"]), judged["worker"]),
        "checked.settled": len(decided),
        "checked.kept": int(valid.sum()),
        "checked.votes": int(attempts["counted_votes"].map(len).sum()),
        "checked.votes_saved": int(attempts["votes_saved"].fillna(0).astype(int).sum()),
        "checked.kept_share": _share(valid, decided["worker"]),
        "checked.works": kind.works,
        "checked.kept_as": kind.kept,
        "review.reviewed": int(counting["review"].notna().sum()),
        "review.accepted": int((counting["review"] == "accepted").sum()),
        "models": sorted({f"{model['name']} {model['hash'][:8]}" for model in mine["model"]}),
    }
    made |= {f"arms.{name}": value for name, value in _arms(export, said).items()}
    if totals := said["totals"]:
        earned = int(assignments["earned_cents"].fillna(0).sum())
        made["totals.paid_cents"] = earned - totals["owed_cents"]
        for stage in ("screening", "writing", "validation"):
            made[f"totals.submissions.{stage}"] = len(export.stage(stage))
    if forecast := said["forecast"]:
        made["forecast"] = [
            {**one, "reached": now[one["name"]], "within": one["low"] <= now[one["name"]] <= one["high"]}
            for one in forecast
        ]
    return made


def _arms(export: Export, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the workers drawn into each arm of the round, the HITs that count, their tries, and the wins."""
    found = dict[str, Any]()
    taken = export.assignments[export.assignments["stage"] == "writing"]
    taken = taken[taken["round"] == said["round"]]
    judged = export.attempts[export.attempts["judged"] & (export.attempts["round"] == said["round"])]
    for name in said["arms"]:
        mine, tried = taken[taken["arm"] == name], judged[judged["arm"] == name]
        found[f"{name}.workers"] = mine["worker"].nunique()
        found[f"{name}.hits"] = int(mine["dropped"].isna().sum())
        found[f"{name}.tries"] = len(tried)
        found[f"{name}.wins"] = int(is_true(tried["fooled"]).sum())
        found[f"{name}.error_rate"] = _share(is_true(tried["fooled"]), tried["worker"])
    return found
