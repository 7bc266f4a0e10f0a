"""`export`: datasets out of campaigns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from rich.progress import MofNCompleteColumn

from beat_the_ai.campaign.results.assignments import assignments_table
from beat_the_ai.campaign.results.kept_findings import found_before
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.results.unvalidated import waits_for_validation
from beat_the_ai.cli.logged import log_of_all
from beat_the_ai.cli.shown_progress import Advance, Watch, shown_progress
from beat_the_ai.cli.targets import campaign_folder
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.format import COMMON, check_formats, formats_of
from beat_the_ai.dataset.packing import pack
from beat_the_ai.dataset.records import Placed
from beat_the_ai.dataset.tally import Tally
from beat_the_ai.files.permissions import PRIVATE
from beat_the_ai.process.gc_control import search_paused
from beat_the_ai.process.signals import interrupted
from beat_the_ai.store import Store
from beat_the_ai.store.audit import EXPORTED
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store, main_campaigns

AT_A_TIME = 100


@click.command()
@click.argument("campaign", metavar="CAMPAIGN")
@click.option(
    "--format",
    "formats",
    multiple=True,
    help=f"One of {', '.join(COMMON)}, or of the task's own, such as squad; more than one is allowed. Else all.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="A folder, or a file NAME.zip without private files."
)
@search_paused()
def export(campaign: str, formats: tuple[str, ...], out: Path) -> None:
    """Export CAMPAIGN (its folder, SQLite file or database URL) to --out, or each of several to a folder in it."""
    with campaign_store(campaign) as store, interrupted(), _folder(out) as folder:
        written = _exported(store, formats, folder, out, campaign_folder(campaign))
        if folder != out:
            shared = [path for path in written if PRIVATE not in path.relative_to(folder).parts]
            pack(folder, shared, out)
            written = [out]
    for path in written:
        click.echo(path)


def _exported(
    store: Store, formats: tuple[str, ...], out: Path, named: Path, folder_of_campaign: Path | None
) -> list[Path]:
    """Write all campaigns of a store, log it, and return the files."""
    campaigns = main_campaigns(store)
    check_formats(formats, [one.kind for one in campaigns])
    log_of_all(store, EXPORTED, named.name)
    written: list[Path] = []
    with shown_progress(MofNCompleteColumn()) as watch:
        for one in campaigns:
            known = formats_of(one.kind)
            chosen = [name for name in formats or known if name in known]
            with CampaignOutcomes.recorded(one) as outcomes:
                tally = _WatchedTally(_attempts(one, watch))
                folder = out if len(campaigns) == 1 else out / one.id
                tables = [assignments_table(outcomes)]
                found = found_before(folder_of_campaign, one)
                written += export_campaign(outcomes.placement, folder, chosen, tally, tables, found)
                waiting = waits_for_validation(outcomes.placement, tally)
            for sentence in waiting:
                click.echo(sentence, err=True)
    return written


@contextmanager
def _folder(out: Path) -> Iterator[Path]:
    """Yield the folder to export to: a draft beside a ZIP file."""
    if out.suffix != ".zip":
        yield out
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as draft:
        yield Path(draft)


def _attempts(campaign: BoundCampaign, watch: Watch) -> Advance:
    return watch(f"exporting {campaign.id}", sum(campaign.store.attempts.numbers_by_worker(campaign.id).values()))


class _WatchedTally(Tally):
    """A tally that says how many attempts it has counted."""

    def __init__(self, advance: Advance) -> None:
        super().__init__()
        self._advance = advance
        self._counted = 0

    def count(self, placed: Placed) -> None:
        super().count(placed)
        self._counted += 1
        if self._counted % AT_A_TIME == 0:
            self._advance(AT_A_TIME)
