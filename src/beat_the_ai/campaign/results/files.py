"""The files of a campaign's results: the dataset in every format, and the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from beat_the_ai.analysis.pages import report_page
from beat_the_ai.campaign.results.assignments import assignments_table
from beat_the_ai.campaign.results.kept_findings import found_before
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
    found = found_before(out, campaign)
    with CampaignOutcomes.recorded(campaign) as outcomes:
        export_campaign(outcomes.placement, out, further=[assignments_table(outcomes)], found=found)
        subject = subject_of(outcomes, out)
    write_report(subject, out / REPORT_FILE)
    return subject


def report_figures(subject: Subject) -> dict[str, Any]:
    """Return a report as JSON: of each section the title, its place in the paper, the text, and the table."""
    return {
        "title": subject.title,
        "introduction": subject.introduction,
        "warning": subject.warning,
        "sections": [
            {
                "title": each.title,
                "source": each.source,
                "text": each.text,
                "header": list(each.table.header),
                "rows": [list(row) for row in each.table.rows],
            }
            for each in subject.sections
        ],
    }


def write_report(subject: Subject, path: Path) -> None:
    """Write a report as a page of HTML."""
    page = report_page(subject.title, subject.introduction, subject.sections, subject.paper, subject.warning)
    write_text(path, page)
