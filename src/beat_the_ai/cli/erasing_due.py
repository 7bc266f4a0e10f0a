"""`people erase-due`: erase personal data whose time is over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import click

from beat_the_ai.cli.terminal import shown
from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.people import erasure, payouts, store
from beat_the_ai.store import Store, now
from beat_the_ai.terms.locate import campaign_store, main_campaigns


@click.command("erase-due")
@click.argument("campaigns", metavar="CAMPAIGN...", nargs=-1, required=True)
@click.option("--dry-run", is_flag=True, help="List what is due, and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase_due(campaigns: Sequence[str], dry_run: bool, yes: bool) -> None:
    """Erase what the `keeping` settings of each CAMPAIGN (its folder or database) no longer keep.

    Answers to surveys, logs, and the names of people who work in no other campaign than these. It may be run again at
    any time. Nothing is ever erased by itself.
    """
    with ExitStack() as opened:
        planned = [_Planned.of(place, opened.enter_context(campaign_store(place))) for place in campaigns]
        leaving = _leaving(planned)
        if dry_run or not any(each.due for each in planned):
            click.echo("Nothing was changed.")
            return
        if not yes and not click.confirm("Erase this for good?"):
            raise Refused("Nothing was changed.")
        for each in planned:
            each.erase()
        for people, workers in leaving.items():
            _erase_names(people, workers)


@dataclass(frozen=True)
class _Planned:
    """The kinds of data that are `due` in a store. `prefixes` begin the annotations of HITs, by the store of people."""

    place: str
    store: Store
    due: set[str]
    prefixes: Mapping[str, set[str]]

    @classmethod
    def of(cls, place: str, opened: Store) -> _Planned:
        from beat_the_ai.campaign.erasure.keeping import PEOPLE, Due  # Mephisto takes a second to import
        from beat_the_ai.campaign.money.payables import annotations_prefix

        due: set[str] = set()
        prefixes: defaultdict[str, set[str]] = defaultdict(set)
        for campaign in main_campaigns(opened):
            times = Due.of(campaign)
            over = times.by(now())
            due |= over
            click.echo(f"{place}: {times.words(now())}")
            if PEOPLE in over and campaign.crowd.people is not None:
                prefixes[campaign.crowd.people].add(annotations_prefix(campaign.record))
        return cls(place, opened, due, prefixes)

    def erase(self) -> None:
        """Erase answers and logs that are due."""
        from beat_the_ai.campaign.erasure.keeping import ANSWERS, LOGS, empty_logs

        if ANSWERS in self.due:
            count = sum(self.store.forms.blank(each) for each in self.store.campaigns.ids())
            self.store.database.scrub()
            click.echo(f"{self.place}: {count} answered forms are blank.")
        if LOGS in self.due and "://" not in self.place and Path(self.place).is_dir():
            click.echo(f"{self.place}: {len(empty_logs(Path(self.place)))} logs are empty.")


def _leaving(planned: Sequence[_Planned]) -> dict[str, list[str]]:
    """Return by their store the people whose names are due. Those to whom money is owed stay, and are told."""
    prefixes: defaultdict[str, set[str]] = defaultdict(set)
    for each in planned:
        for people, of_people in each.prefixes.items():
            prefixes[people] |= of_people
    leaving = {}
    for people, of_people in prefixes.items():
        with store.people_at(people) as market, market.reading() as moment:
            workers = erasure.workers_of_only(moment, of_people)
            owed = {one.person.worker_id: one for one in payouts.owed(moment) if one.cents > 0}
        for worker in workers:
            if worker in owed:
                click.echo(f"{shown(owed[worker].person.shown_name)} stays: money is owed. Pay it and note it first.")
        leaving[people] = [worker for worker in workers if worker not in owed]
        click.echo(f"{people}: {len(leaving[people])} names are due.")
    return leaving


def _erase_names(people: str, workers: Sequence[str]) -> None:
    with store.people_at(people) as market:
        with market.writing() as moment:
            for worker in workers:
                erasure.forget_names(moment, worker)
        market.scrub()
    click.echo(f"{people}: {len(workers)} names are erased.")
