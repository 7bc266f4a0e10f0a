"""`export`: datasets out of campaigns."""

from __future__ import annotations

from pathlib import Path

import click

from beat_the_ai.campaign.export import write_export
from beat_the_ai.campaign.stores import campaign_store
from beat_the_ai.campaign.validated import Findings
from beat_the_ai.dataset.format import COMMON, check_formats, formats_of
from beat_the_ai.process.gc_control import search_paused
from beat_the_ai.workforce.kinds import current_kind
from beat_the_ai.workforce.screening import SCREENING_OF


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
        every = [store.campaigns.get(campaign_id) for campaign_id in store.campaigns.ids()]
        # What newcomers wrote is no part of a dataset.
        written = [one for one in every if SCREENING_OF not in one.config]
        kinds = {one.id: current_kind(store, one) for one in written}
        check_formats(formats, kinds.values())
        for one in written:
            folder = out if len(written) == 1 else out / one.id
            known = formats_of(kinds[one.id])
            chosen = [name for name in formats or known if name in known]
            for path in write_export(store, one, Findings(store, one), folder, chosen):
                click.echo(path)
