"""The files of a campaign's results: the dataset in every format, and the report."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.analysis.pages import report_page
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.results.report import Subject, subject_of
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.files import write_text
from beat_the_ai.process.gc_control import search_paused
from beat_the_ai.terms.campaign import BoundCampaign

REPORT_FILE = "report.html"


@search_paused()
def export_and_report(campaign: BoundCampaign, out: Path) -> Subject:
    """Write the dataset in every format, and the report on it. Return the subject of the report."""
    with CampaignOutcomes.at_one_moment(campaign) as outcomes:
        export_campaign(outcomes.placement, out)
        subject = subject_of(outcomes, out)
    write_report(subject, out / REPORT_FILE)
    return subject


def write_report(subject: Subject, path: Path) -> None:
    """Write a report as a page of HTML."""
    page = report_page(subject.title, subject.introduction, subject.sections, subject.paper, subject.warning)
    write_text(path, page)
