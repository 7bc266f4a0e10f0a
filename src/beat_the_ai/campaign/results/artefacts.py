"""A campaign's artefacts: found once, and kept in its folder for report and card, which train nothing."""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter

from beat_the_ai.analysis.artefacts.findings import Findings
from beat_the_ai.analysis.artefacts.sections import baseline_sections
from beat_the_ai.dataset.export import collect
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.kept import KeptFile
from beat_the_ai.rules.artefacts import Artefacts
from beat_the_ai.rules.corpora import LabelledWork
from beat_the_ai.rules.kind import Kind
from beat_the_ai.statistics.section import Section
from beat_the_ai.terms.campaign import BoundCampaign

KEPT = KeptFile(
    "artefacts.json", TypeAdapter(Findings), "findings", "Remove it, or make it anew with `beat-the-ai artefacts`."
)


def artefacts_of(kind: Kind) -> Artefacts:
    """Raises `InvalidInput` for a kind of task without any."""
    if kind.artefacts is None:
        raise InvalidInput("--task", f"{kind.name} does not say what could give its answers away.")
    return kind.artefacts


def works_of_campaign(placement: Placement) -> list[LabelledWork]:
    """Return the dataset of a campaign, part after part."""
    artefacts = artefacts_of(placement.campaign.kind)
    return [artefacts.work(example) for examples in collect(placement).values() for example in examples]


def keep(folder: Path, findings: Findings) -> Path:
    """Write the findings on a campaign to its folder, without what anybody has written. Return the file."""
    return KEPT.write(folder, findings.kept)


def kept_findings(folder: Path | None, campaign: BoundCampaign) -> Findings | None:
    """Return what was found in the campaign of a folder, if anything was looked for.

    Raises `InvalidInput` for another file.
    """
    findings = None if folder is None else KEPT.read(folder)
    return findings if findings is not None and findings.dataset.name == campaign.id else None


def kept_sections(findings: Findings | None, kind: Kind) -> list[Section]:
    """Return the sections of a campaign's report on what was found."""
    return [] if findings is None or kind.artefacts is None else baseline_sections(findings, kind.artefacts)


def kept_warnings(findings: Findings | None) -> list[str]:
    """Return the sentences of the data card."""
    if findings is None:
        return []
    of = f"That is of the {findings.dataset.examples:,} examples at that time; see `beat-the-ai artefacts`."
    return [f"{warning} {of}" for warning in findings.warnings]
