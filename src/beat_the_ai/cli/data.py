"""`export`: datasets out of campaigns."""

from __future__ import annotations

from pathlib import Path

import click

from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.results.unvalidated import waits_for_validation
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.format import COMMON, check_formats, formats_of
from beat_the_ai.dataset.tally import Tally
from beat_the_ai.process.gc_control import search_paused
from beat_the_ai.terms.locate import campaign_store, main_campaigns


@click.command()
@click.argument("campaign", metavar="CAMPAIGN")
@click.option(
    "--format",
    "formats",
    multiple=True,
    help=f"One of {', '.join(COMMON)}, or of the task's own, such as squad; more than one is allowed. Else all.",
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True)
@search_paused()
def export(campaign: str, formats: tuple[str, ...], out: Path) -> None:
    """Export CAMPAIGN (its folder, SQLite file or database URL) to --out, or each of several to a folder in it."""
    with campaign_store(campaign) as store:
        written = main_campaigns(store)
        check_formats(formats, [one.kind for one in written])
        for one in written:
            folder = out if len(written) == 1 else out / one.id
            known = formats_of(one.kind)
            chosen = [name for name in formats or known if name in known]
            with CampaignOutcomes.at_one_moment(one) as outcomes:
                tally = Tally()
                paths = export_campaign(outcomes.placement, folder, chosen, tally)
                waiting = waits_for_validation(outcomes.placement, tally)
            for path in paths:
                click.echo(path)
            for sentence in waiting:
                click.echo(sentence, err=True)
