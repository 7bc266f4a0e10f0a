"""`people forget`: erase a person from the store of people and from every campaign."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.cli.people_place import DEFAULT_PEOPLE, people_option
from beat_the_ai.cli.terminal import shown
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.files.masking import mask
from beat_the_ai.files.permissions import PRIVATE
from beat_the_ai.marketplace import withdrawals
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people import campaigns, erasure, payouts, person, store
from beat_the_ai.rules.amounts import show
from beat_the_ai.rules.ids import new_pseudonym

if TYPE_CHECKING:
    from beat_the_ai.campaign.erasure.person import CampaignPlace

HIDDEN = "***"  # in a URL without its password
COPIES = (
    "Exports, reports and models that were made before still have this data: export anew, and delete every copy. "
    "docs/how-to/erase-a-person.md says what to do about backups."
)


@dataclass(frozen=True)
class Somebody:
    """Whom to erase: a worker at the crowd, and a person if the store of people knows them."""

    worker: str
    known: person.Person | None = None

    @property
    def name(self) -> str:
        return self.worker if self.known is None else shown(self.known.shown_name)


@click.command("forget")
@click.argument("who", nargs=-1)
@click.option("--requested", is_flag=True, help="Everybody who has asked for it on the portal.")
@click.option(
    "--campaign",
    "given",
    multiple=True,
    metavar="CAMPAIGN",
    help="Its folder or database URL, where these people's store does not know it; several are allowed.",
)
@click.option("--unpaid", is_flag=True, help="Also those to whom money is owed: nobody can pay them afterwards.")
@click.option("--dry-run", is_flag=True, help="List what would go and what would stay, and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@people_option
def forget(
    who: Sequence[str], requested: bool, given: Sequence[str], unpaid: bool, dry_run: bool, yes: bool, place: str
) -> None:
    """Erase WHO: texts, answers, names and ids, from every campaign and from the store of people.

    The books keep amounts, under a random pseudonym. Stop the campaigns first; the portal may run. Where a crowd has no
    store of people, WHO is a worker id and --campaign is needed. If it is interrupted, run it again.
    """
    if bool(who) == requested:
        raise InvalidInput("WHO", "Name somebody, or give --requested for everybody who has asked for it.")
    with _people(place, given) as market, ExitStack() as opened:
        if market is not None and erasure.scrub(market):
            click.echo("An erasure before this one is finished by now.")
        chosen = _chosen(market, who, given, requested=requested)
        if not chosen:
            click.echo("Nobody has asked to be erased.")
            return
        places = _places(market, given, [one.worker for one in chosen], opened)
        for one in chosen:
            _show(one, places, market)
            _check(one, places, market, unpaid=unpaid)
        if dry_run:
            click.echo("Nothing was changed.")
            return
        if not yes and not click.confirm(f"Erase {len(chosen)} for good?"):
            raise Refused("Nothing was changed.")
        for one in chosen:
            _forget(one, places, market, place, unpaid=unpaid)
    click.echo(COPIES)


@contextmanager
def _people(place: str, given: Sequence[str]) -> Iterator[Market | None]:
    """Open the store of people; None where there is none and campaigns are named."""
    if given and place == DEFAULT_PEOPLE and not store.is_there(place):
        yield None
        return
    with store.people_at(place) as market:
        yield market


def _chosen(market: Market | None, who: Sequence[str], given: Sequence[str], *, requested: bool) -> list[Somebody]:
    if market is None:
        return [Somebody(each) for each in who]
    with market.reading() as moment:
        if requested:
            asked = [one.worker_id for one in withdrawals.everybody(moment).values() if one.asks_for_erasure]
            return [Somebody(one.worker_id, one) for one in person.people_with(moment, asked)]
        chosen = []
        for each in who:
            try:
                found = person.find(moment, each)
            except InvalidInput:
                if not given:
                    raise
                chosen.append(Somebody(each))
            else:
                chosen.append(Somebody(found.worker_id, found))
    return chosen


def _places(
    market: Market | None, given: Sequence[str], workers: Collection[str], opened: ExitStack
) -> list[CampaignPlace]:
    """Open every campaign. Raises `InvalidInput` for one that is not found and that somebody has worked in."""
    from beat_the_ai.campaign.erasure.person import CampaignPlace  # Mephisto takes a second to import

    places = [opened.enter_context(CampaignPlace.opened(each)) for each in given]
    if market is None:
        return places
    with market.reading() as moment:
        noted = campaigns.places(moment)
        annotations = {each for worker in workers for each in campaigns.annotations_of(moment, worker)}
    here = {str(Path(each).resolve()) for each in given}
    for each in dict.fromkeys(place for of_campaign in noted.values() for place in of_campaign):
        if HIDDEN not in each and each not in here:
            try:
                places.append(opened.enter_context(CampaignPlace.opened(each)))
            except InvalidInput:
                click.echo(f"Not found: {each}. If the campaign has moved, name it with --campaign.", err=True)
    reached = {prefix for place in places for prefix in place.prefixes()}
    for annotation in sorted(annotations):
        if not annotation.startswith(tuple(reached)):
            known = next(
                (", ".join(of) for prefix, of in noted.items() if annotation.startswith(prefix)), "nobody knows"
            )
            campaign = annotation.split(":")[1] if ":" in annotation else annotation
            raise InvalidInput(
                "--campaign", f"The store of campaign {campaign} is not reached ({known}). Name it: --campaign PLACE."
            )
    return places


def _show(one: Somebody, places: Sequence[CampaignPlace], market: Market | None) -> None:
    table = Table("where", "goes", "stays", title=one.name, title_justify="left")
    for place in places:
        holdings = place.holdings(one.worker)
        goes = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in holdings.rows.items())
        table.add_row(
            place.place, goes or "nothing", f"{place.amount(holdings.paid_cents)} in {holdings.payments} payments"
        )
    if market is not None and one.known is not None:
        with market.reading() as moment:
            books = next(each for each in payouts.owed(moment) if each.person.worker_id == one.worker)
            unit = store.unit_of(moment)
        goes = "name, e-mail address, password, groups, links, messages, answers, ids"
        table.add_row("people", goes, f"earned {show(books.earned_cents, unit)}, paid {show(books.paid_cents, unit)}")
    Console().print(table)


def _check(one: Somebody, places: Sequence[CampaignPlace], market: Market | None, *, unpaid: bool) -> None:
    """Raise `Refused` before anything is erased anywhere."""
    for place in places:
        place.check(one.worker, unpaid=unpaid)
    if market is None or one.known is None or unpaid:
        return
    with market.reading() as moment:
        cents = next(each.cents for each in payouts.owed(moment) if each.person.worker_id == one.worker)
        unit = store.unit_of(moment)
    if cents > 0:
        raise Refused(
            f"{show(cents, unit)} are owed to {one.name}. Pay, and note it: beat-the-ai people paid FILE --as "
            "REFERENCE. Afterwards nobody knows whom to pay; --unpaid erases nevertheless."
        )


def _forget(
    one: Somebody, places: Sequence[CampaignPlace], market: Market | None, people: str, *, unpaid: bool
) -> None:
    """Campaigns first: until the last step the store of people knows whom it is about."""
    pseudonym = new_pseudonym()
    if market is not None and one.known is not None:
        with market.writing() as moment:
            pseudonym = erasure.begin(moment, one.worker)
    found = one.known is not None
    for place in places:
        erased = place.erase(one.worker, pseudonym, unpaid=unpaid)
        found = found or erased.found
        for file in erased.files:
            click.echo(f"{file} has changed: models that were trained on it before still know it.")
    if market is not None and one.known is not None:
        with market.reading() as moment:
            ids = erasure.ids_in_logs(moment, one.worker)
        _mask(people, ids)  # if the rest breaks off, nobody knows these ids any more
        with market.writing() as moment:
            erasure.erase(moment, one.worker, pseudonym)
        _mask(people, ids)
        erasure.scrub(market)
    click.echo(f"{one.name} is erased. The books have {pseudonym}." if found else f"Nothing of {one.name} was found.")


def _mask(people: str, ids: Sequence[str]) -> None:
    """Overwrite ids in the portal's logs. A database has none beside it."""
    logs = [] if store.is_database(people) else sorted((Path(people) / PRIVATE).glob("*.log"))
    for log in logs:
        for each in ids:
            mask(log, each)
