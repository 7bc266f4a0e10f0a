"""`review reviewer add | password | remove | list`: who may use the review page."""

from __future__ import annotations

import getpass
import json
import sys

import click

from beat_the_ai.cli.payments import campaign_argument, json_option
from beat_the_ai.cli.stores import campaign_store
from beat_the_ai.review import new_account, new_password
from beat_the_ai.store import now

name_argument = click.argument("name", metavar="NAME")


@click.group()
def reviewer() -> None:
    """Accounts for the review page. Whoever has the store can review on the command line without one."""


@reviewer.command()
@campaign_argument
@name_argument
def add(campaign: str, name: str) -> None:
    """Add a reviewer. The password is asked for, or read as the first line of standard input."""
    with campaign_store(campaign) as store:
        made = new_account(store, name, _password())
        store.audit.add(now(), _operator(), "account_added", made.name)
    click.echo(f"Reviewer {made.name} can sign in.")


@reviewer.command()
@campaign_argument
@name_argument
def password(campaign: str, name: str) -> None:
    """Give a reviewer another password; whoever is signed in under the name is signed out."""
    with campaign_store(campaign) as store:
        new_password(store, name, _password())
        store.audit.add(now(), _operator(), "password_changed", name)
    click.echo(f"Reviewer {name} has a new password.")


@reviewer.command()
@campaign_argument
@name_argument
def remove(campaign: str, name: str) -> None:
    """Let a reviewer in no more. Reviews stay; `password` lets the reviewer in again."""
    with campaign_store(campaign) as store:
        store.accounts.remove(name, now())
        store.audit.add(now(), _operator(), "account_removed", name)
    click.echo(f"Reviewer {name} cannot sign in any more.")


@reviewer.command("list")
@campaign_argument
@json_option
def list_(campaign: str, as_json: bool) -> None:
    """The accounts, and whether they can sign in."""
    with campaign_store(campaign) as store:
        accounts = {account.name: account.removed_at is None for account in store.accounts.all()}
    if as_json:
        click.echo(json.dumps([{"name": name, "can_sign_in": open_} for name, open_ in accounts.items()]))
        return
    for name, open_ in accounts.items():
        click.echo(name if open_ else f"{name} (removed)")


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    given: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return given


def _operator() -> str:
    """Who stands in the log: the user of this machine, told apart from reviewers."""
    return f"{getpass.getuser()} (command line)"
