"""Sections of a report, and sentences of a card, on what commands have found and the campaign's folder keeps."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.campaign.results import artefacts, vote_labels
from beat_the_ai.dataset.card import FoundBefore
from beat_the_ai.statistics.section import Section
from beat_the_ai.terms.campaign import BoundCampaign


def found_before(folder: Path | None, campaign: BoundCampaign) -> FoundBefore:
    """Return the sentences of the data card. Raises `InvalidInput` for a kept file of another version."""
    return FoundBefore(
        artefacts.kept_warnings(artefacts.kept_findings(folder, campaign)),
        vote_labels.kept_sentences(vote_labels.kept_findings(folder, campaign)),
    )


def kept_sections(folder: Path, campaign: BoundCampaign) -> list[Section]:
    """Return the sections of the report. Raises `InvalidInput` for a kept file of another version."""
    return [
        *artefacts.kept_sections(artefacts.kept_findings(folder, campaign), campaign.kind),
        *vote_labels.kept_sections(vote_labels.kept_findings(folder, campaign)),
    ]
