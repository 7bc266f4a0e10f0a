"""`people`: invite, import, list and remove the people of your own crowd, and serve their portal."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from beat_the_ai.cli.erasing_due import erase_due
from beat_the_ai.cli.forgetting import forget
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.people_place import on_people, people_option
from beat_the_ai.cli.recruiting import bonus_batch, recruiter_studies
from beat_the_ai.cli.terminal import shown
from beat_the_ai.crowds import recruiters_of
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.files.permissions import private_files
from beat_the_ai.listening import ConnectionLimits
from beat_the_ai.listening.options import connection_options
from beat_the_ai.marketplace import server, withdrawals
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people import (
    changes,
    enrolment,
    invitations,
    letters,
    mail,
    mailing,
    payouts,
    person,
    roster,
    sign_in_links,
    store,
    studies,
)
from beat_the_ai.process.parent_death import end_with_the_starter
from beat_the_ai.rules.amounts import show

days_option = click.option(
    "--days", type=click.IntRange(1, invitations.MAX_DAYS), default=30, show_default=True, help="It works so long."
)
group_option = click.option("--group", metavar="NAME", help="The people of this group.")
who_argument = click.argument("who", nargs=-1, required=True)


@click.group()
def people() -> None:
    """Invite and manage the people of your own crowd (crowd=own).

    WHO is a name, an e-mail address or a worker id.
    """


@people.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--group", metavar="NAME", help="Put everybody on the list into this group, too.")
@on_people
def import_(file: Any, group: str | None, market: Market) -> None:
    """Add the people of a CSV file (name, email, group, country), or of a list with one on each line.

    Whoever is known already stays as they are, so a longer list can be imported again. A list with a fault is refused
    as a whole. Nobody gets an e-mail before `people invite`.
    """
    listed = roster.read_roster(file.read(), Path(file.name).name)
    groups = () if group is None else (person.clean_group(group),)
    with market.writing() as moment:
        done = enrolment.enrol(moment, listed, groups)
    repeated = f", {done.repeated} repeated on the list" if done.repeated else ""
    click.echo(f"Added {done.added}; {done.here} were here{repeated}. Invite them: {_self('invite')}")


@people.command()
@click.argument("who", nargs=-1)
@group_option
@click.option("--again", is_flag=True, help="Also whoever got an e-mail before and has not joined.")
@click.option(
    "--csv", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write links for a mail merge here."
)
@days_option
@on_people
def invite(who: Sequence[str], group: str | None, again: bool, file: Path | None, days: int, market: Market) -> None:
    """Invite WHO, or everybody who is not invited yet: by e-mail, or with --csv as a list of links.

    Somebody new is added. E-mail goes over the server of `people mail-server`; an invitation that was sent is not sent
    again. Each link works once, for one person.
    """
    if who and group is not None:
        raise InvalidInput("--group", "Name people or a group, not both.")
    with market.writing() as moment:
        person.check_group(moment, group)
        invited = partial(person.list_people, moment, group, "invited")
        chosen = [enrolment.found_or_added(moment, one) for one in who] if who else invited()
        for one in chosen:
            invitations.check_invited(one)
        address, mail_server = store.portal_address(moment), mail.mail_server(moment)
    waiting = [one for one in chosen if who or again or file or one.mailed_at is None]
    if not waiting:
        click.echo("Nobody waits for an invitation. --again writes once more to those who have not joined.")
    elif file is not None:
        _write_links(market, waiting, address, timedelta(days=days), file)
    elif mail_server is None:
        for one in waiting:
            with market.writing() as moment:
                token = invitations.invite(moment, one, timedelta(days=days))
            click.echo(f"{shown(one.shown_name)}: {letters.join_address(address, token)}")
    else:
        _send_invitations(market, waiting, timedelta(days=days), mail_server)


def _write_links(market: Market, invited: Sequence[person.Person], address: str, lasts: timedelta, file: Path) -> None:
    with market.writing() as moment:
        links = [letters.join_address(address, invitations.invite(moment, one, lasts)) for one in invited]
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(("name", "email", "link"))
    rows.writerows((one.shown_name, one.email or "", link) for one, link in zip(invited, links, strict=True))
    with private_files(), replacing(file) as draft:
        draft.write(text.getvalue().encode())
    click.echo(f"{file} has {len(invited)} links, each for one person. Keep it private.")


def _send_invitations(
    market: Market, invited: Sequence[person.Person], lasts: timedelta, mail_server: mail.MailServer
) -> None:
    reached = [one for one in invited if one.email is not None]
    refusals = list[str]()
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("sending", total=len(reached))
        for sent in mailing.send_invitations(market, reached, lasts, mail_server):
            if sent.refusal:
                refusals.append(f"{sent.letter.email}: {sent.refusal}")
            progress.advance(task)
    click.echo(f"Sent {len(reached) - len(refusals)} of {len(invited)} invitations.")
    for line in refusals:
        click.echo(f"refused: {shown(line)}")
    for one in invited:
        if one.email is None:
            click.echo(f"no e-mail address: {shown(one.shown_name)}. Hand over a link: {_self('invite --csv FILE')}")


@people.command("open-link")
@click.option("--places", type=click.IntRange(1, invitations.MAX_PLACES), default=50, show_default=True)
@click.option("--domain", metavar="DOMAIN", help="For e-mail addresses of this domain, which are confirmed.")
@click.option("--approve", is_flag=True, help="Whoever joins waits for `people approve`.")
@click.option("--group", metavar="NAME", help="Whoever joins is in this group.")
@days_option
@on_people
def open_link(places: int, domain: str | None, approve: bool, group: str | None, days: int, market: Market) -> None:
    """Print a link by which several people can join, as for a mailing list or a course page."""
    with market.writing() as moment:
        terms = invitations.OpenTerms(places, domain, approve, None if group is None else person.clean_group(group))
        token = invitations.invite_openly(moment, terms, timedelta(days=days))
        address = store.portal_address(moment)
    click.echo(letters.join_address(address, token))


@people.command()
@on_people
def links(market: Market) -> None:
    """List the open links by which people can still join."""
    with market.reading() as moment:
        still_open = invitations.open_links(moment)
    table = Table("id", "joined", "places", "until", "for", "group", box=None, pad_edge=False)
    for one in still_open:
        terms = f"@{one.domain}" if one.domain else "approval" if one.needs_approval else "anybody"
        until = f"{one.expires_at:%Y-%m-%d}"
        table.add_row(one.id, str(one.joined), str(one.places), until, terms, one.group_name or "")
    Console().print(table)


@people.command("close-link")
@click.argument("link")
@on_people
def close_link(link: str, market: Market) -> None:
    """Take a LINK back, named by itself or by its id: nobody else can join by it."""
    with market.writing() as moment:
        invitations.revoke(moment, link.rstrip("/").rpartition("/")[2])
    click.echo("Nobody can join by this link any more.")


@people.command("list")
@group_option
@click.option("--state", type=click.Choice(person.STATES))
@click.option("--find", "words", default="", metavar="WORDS", help="In name, e-mail address or worker id.")
@json_option
@on_people
def list_(group: str | None, state: str | None, words: str, as_json: bool, market: Market) -> None:
    """List people, with their state and groups."""
    with market.reading() as moment:
        person.check_group(moment, group)
        chosen, withdrawn = person.list_people(moment, group, state, words), withdrawals.everybody(moment)
    if as_json:
        nothing = dict.fromkeys(("withdrawn_at", "erase_at"))
        said = {name: {"withdrawn_at": each.at, "erase_at": each.erase_at} for name, each in withdrawn.items()}
        click.echo(json.dumps([asdict(one) | said.get(one.worker_id, nothing) for one in chosen], default=str))
        return
    table = Table("name", "e-mail", "worker", "state", "groups", box=None, pad_edge=False)
    for one in chosen:
        state_now = _state(one, withdrawn.get(one.worker_id))
        cells = (one.name or "", one.email or "", one.worker_id, state_now, ", ".join(one.groups))
        table.add_row(*map(shown, cells))
    Console().print(table)
    click.echo(f"{len(chosen)} {_people(len(chosen))}")
    if asking := sum(each.asks_for_erasure for each in withdrawn.values()):
        click.echo(f"{asking} {_people(asking)} asked to be erased: {_self('forget --requested')}")


def _state(one: person.Person, withdrawal: withdrawals.Withdrawal | None) -> str:
    if withdrawal is None:
        return one.state
    asked = f", asked to be erased on {withdrawal.erase_at:%Y-%m-%d}" if withdrawal.erase_at else ""
    return f"{one.state}, withdrew on {withdrawal.at:%Y-%m-%d}{asked}"


def _changes(change: changes.Change, done: str, help_text: str) -> None:
    @people.command(change, help=help_text)
    @who_argument
    @on_people
    def command(who: Sequence[str], market: Market) -> None:
        with market.writing() as moment:
            chosen = [person.find(moment, one) for one in who]
            changes.change_states(moment, chosen, change)
        for one in chosen:
            click.echo(f"{shown(one.shown_name)} {done}.")


_changes("approve", "may work", "Let WHO in after joining by a link.")
_changes(
    "suspend",
    "is signed out and cannot sign in",
    "Let WHO in no more, until `restore`. Work that was done counts and is paid.",
)
_changes("restore", "is back", "Undo `suspend`: WHO has the state from before.")
_changes(
    "remove",
    "is removed, with name, e-mail address and password",
    "Erase the account of WHO. The worker id stays with the work and in the books.",
)


people.add_command(forget)
people.add_command(erase_due)


@people.command()
@click.argument("action", type=click.Choice(("add", "remove")))
@click.argument("group")
@who_argument
@on_people
def group(action: changes.GroupChange, group: str, who: Sequence[str], market: Market) -> None:
    """Put WHO into a group, or take WHO out of it."""
    with market.writing() as moment:
        changes.change_groups(moment, [person.find(moment, each) for each in who], action, group)
    click.echo(f"{len(who)} {_people(len(who))}: {'in' if action == 'add' else 'no longer in'} {group.strip()}.")


@people.command("sign-in-link")
@click.argument("who")
@on_people
def sign_in_link(who: str, market: Market) -> None:
    """Print a link that signs WHO in once, within a week: for whoever lost password and mailbox."""
    with market.writing() as moment:
        token = sign_in_links.hand_over(moment, person.find(moment, who))
        address = store.portal_address(moment)
    click.echo(letters.sign_in_address(address, token))


@people.command()
@who_argument
@on_people
def reopen(who: Sequence[str], market: Market) -> None:
    """Let WHO, whom a recruiter has sent, go on with their visit in the next browser that opens their link."""
    with market.writing() as moment:
        for one in [person.find(moment, each) for each in who]:
            studies.release(moment, one)
    click.echo(f"{len(who)} {_people(len(who))} may go on in another browser.")


@people.command()
@group_option
@click.option("--csv", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write the table here.")
@on_people
def owed(group: str | None, file: Path | None, market: Market) -> None:
    """Show what people have earned, were paid, and are owed."""
    with market.reading() as moment:
        person.check_group(moment, group)
        rows, unit = payouts.owed(moment, group), store.unit_of(moment)
    if file is not None:
        with private_files(), replacing(file) as draft:
            draft.write(payouts.as_csv(rows).encode())
    table = Table("name", "e-mail", "worker", "earned", "paid", "owed", box=None, pad_edge=False)
    for one in rows:
        amounts = (show(cents, unit) for cents in (one.earned_cents, one.paid_cents, one.cents))
        table.add_row(shown(one.person.shown_name), shown(one.person.email or ""), one.person.worker_id, *amounts)
    Console().print(table)
    mine = [one for one in rows if not one.is_paid_by_recruiter]
    click.echo(f"{show(sum(one.cents for one in mine), unit)} owed to {len(mine)} {_people(len(mine))}")
    if theirs := [one for one in rows if one.is_paid_by_recruiter]:
        click.echo(
            f"{show(sum(one.cents for one in theirs), unit)} to {len(theirs)} {_people(len(theirs))} by the recruiter"
        )


@people.command()
@click.argument("file", type=click.File("rb"))
@click.option("--as", "reference", required=True, metavar="REFERENCE", help="As in November: it counts once for each.")
@on_people
def paid(file: Any, reference: str, market: Market) -> None:
    """Note what you have paid people: a CSV file with worker (id or e-mail address) and amount, or owed.

    The file of `people owed --csv` will do. The same REFERENCE again is the same payment, however often it is noted.
    """
    with market.writing() as moment:
        amounts = payouts.read_amounts(moment, file.read(), Path(file.name).name)
        new, unit = payouts.note(moment, reference, amounts), store.unit_of(moment)
    cents = sum(amounts[worker_id] for worker_id in new)
    click.echo(
        f"Noted {show(cents, unit)} for {len(new)} {_people(len(new))}; {len(amounts) - len(new)} were noted before."
    )


@people.command("mail-server")
@click.argument("url", required=False, metavar="[URL]")
@click.option("--sender", metavar="SENDER", help="As in 'The lab <lab@example.org>'.")
@click.option("--none", is_flag=True, help="Send no e-mail any more.")
@on_people
def mail_server(url: str | None, sender: str | None, none: bool, market: Market) -> None:
    """Show or set the server for e-mail: smtp://USER@HOST:587, or smtps://USER@HOST.

    The password is read from BEAT_THE_AI_SMTP_PASSWORD whenever something is sent, and kept nowhere.
    """
    with market.writing() as moment:
        if none:
            mail.keep_server(moment, None)
        elif url is None and sender is not None:
            raise InvalidInput("URL", "Name the server, too: smtp://USER@HOST:587.")
        elif url is not None:
            if sender is None:
                raise InvalidInput("sender", "Say who the e-mails are from: --sender 'The lab <lab@example.org>'.")
            mail.keep_server(moment, mail.check_server(url, sender))
        server_now = mail.mail_server(moment)
    click.echo("No e-mail is sent." if server_now is None else f"{server_now.url}, from {server_now.sender}")


@people.command()
@click.argument("url", required=False, metavar="[URL]")
@on_people
def address(url: str | None, market: Market) -> None:
    """Show or set the address under which people reach the portal; links begin with it."""
    with market.writing() as moment:
        if url is not None:
            store.keep_address(moment, url)
        click.echo(store.portal_address(moment))


@people.command()
@click.argument("tag", required=False, metavar="[LANGUAGE]")
@on_people
def language(tag: str | None, market: Market) -> None:
    """Show or set the language of invitations, and of the portal for browsers that ask for none of its languages."""
    with market.writing() as moment:
        if tag is not None:
            store.keep_language(moment, tag)
        click.echo(store.language_of(moment))


@people.command()
@people_option
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8700, show_default=True, help="0 takes a free one.")
@click.option("--rehearsal", is_flag=True, help="With a clock that can be advanced, and failures on purpose.")
@connection_options
def serve(place: str, host: str, port: int, rehearsal: bool, limits: ConnectionLimits) -> None:
    """Serve the portal until stopped, for all campaigns of these people; `launch` serves it for its own campaign."""
    end_with_the_starter()
    with store.people_at(place, create=True) as market, market.reading() as moment:
        public, post = store.portal_address(moment), mail.mail_server(moment)
    if post is not None and post.lacks_password:
        click.echo(f"No e-mail is sent from here: {mail.PASSWORD_VARIABLE} is not set.", err=True)
    hosts = (*limits.hosts, str(urlsplit(public).hostname))
    recruiters = partial(recruiters_of, place=place)
    limits = replace(limits, hosts=hosts)
    server.serve(store.store_url(place), host, port, limits=limits, rehearsal=rehearsal, recruiters_of=recruiters)


people.add_command(recruiter_studies)
people.add_command(bonus_batch)


def _people(count: int) -> str:
    return "person" if count == 1 else "people"


def _self(command: str) -> str:
    return f"beat-the-ai people {command}"
