"""The export of a campaign, with all that the store and its rounds' terms say of it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from beat_the_ai.campaign.stores import samples_of
from beat_the_ai.campaign.validated import Findings, divisions_of
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.store import Campaign, Store
from beat_the_ai.workforce.kinds import current_kind


def write_export(
    store: Store, campaign: Campaign, findings: Findings, out: Path, formats: Iterable[str] | None = None
) -> list[Path]:
    """As `dataset.export.export_campaign`."""
    kind, divisions, samples = current_kind(store, campaign), divisions_of(store, campaign), samples_of(store, campaign)
    return export_campaign(store, campaign, out, kind, formats, divisions, findings.validation, samples)
