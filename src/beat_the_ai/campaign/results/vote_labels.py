"""Labels by models of a campaign's votes: found once, and kept in its folder for report and card, which fit nothing."""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter

from beat_the_ai.analysis.votes.findings import VoteFindings, few_words, labels_section, trust_section
from beat_the_ai.analysis.votes.labels import VotedWork, VoteLabels, vote_labels
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.results.responses import voted
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.files.kept import KeptFile
from beat_the_ai.rules.protocol import Value
from beat_the_ai.statistics.section import Section
from beat_the_ai.terms.campaign import BoundCampaign


class Kept(Value):
    """The findings of a campaign, under its name."""

    campaign: str
    findings: VoteFindings


KEPT = KeptFile("votes.json", TypeAdapter(Kept), "findings", "Remove it, or make it anew with `beat-the-ai votes`.")


def keep(folder: Path, campaign: BoundCampaign, labels: VoteLabels) -> Path:
    """Write the findings on a campaign's votes to its folder, which name nobody. Return the file."""
    return KEPT.write(folder, Kept(campaign=campaign.id, findings=labels.findings))


def kept_findings(folder: Path | None, campaign: BoundCampaign) -> VoteFindings | None:
    """Return what the models found in the campaign of a folder, if they were asked.

    Raises `InvalidInput` for another file.
    """
    kept = None if folder is None else KEPT.read(folder)
    return kept.findings if kept is not None and kept.campaign == campaign.id else None


def kept_sections(findings: VoteFindings | None) -> list[Section]:
    """Return the sections of a campaign's report on what the models found."""
    return [] if findings is None else [labels_section(findings), trust_section(findings)]


def kept_sentences(findings: VoteFindings | None) -> list[str]:
    """Return the sentences of the data card."""
    if findings is None or not findings.parts:
        return []
    whole = findings.parts[-1]
    differ = " and ".join(f"{count:,} ({name})" for name, count in whole.differ.items())
    return [
        f"Models of the votes give another label than the rule to {differ} of the {whole.decided:,} works that were "
        f"decided at that time. {few_words(findings)}The dataset has the rule's labels; see `beat-the-ai votes`."
    ]


def vote_labels_of(outcomes: CampaignOutcomes) -> VoteLabels:
    """Return the labels of the works that people voted on, whatever became of these."""
    campaign = outcomes.campaign
    works = [
        VotedWork(
            voted(placed, campaign),
            placed.context_part,
            placed.outcome.validity,
            placed.outcome.adjudication.label,
        )
        for placed in outcomes.placement.attempts()
        if placed.outcome is not None and placed.context_part is not None
    ]
    gold = {
        pseudonym(each.worker, campaign.record): (each.gold_right, each.gold)
        for each in outcomes.validators
        if each.gold
    }
    return vote_labels(works, gold, campaign.kind)
