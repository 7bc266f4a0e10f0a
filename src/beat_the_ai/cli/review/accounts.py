"""`review reviewer add | role | password | remove | list`: who may use the review page, and as what."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager

import click

from beat_the_ai.cli.payments import campaign_argument, json_option
from beat_the_ai.cli.review.people import machine_user, password
from beat_the_ai.review import new_account, new_password
from beat_the_ai.review.accounts import Reviewer
from beat_the_ai.review.journal import Journal
from beat_the_ai.store import Account, Store, now
from beat_the_ai.terms.locate import campaign_store

LEAD, REVIEWER = "lead", "reviewer"
name_argument = click.argument("name", metavar="NAME")


@click.group()
def reviewer() -> None:
    """Accounts for the review: reviewers judge HITs, leads decide about workers, too.

    Whoever has the store can review on the command line without one, as a lead, under a name that has no account.
    """


@reviewer.command()
@campaign_argument
@name_argument
@click.option("--lead", is_flag=True, help="May grant, refuse, revoke and reinstate workers as well.")
def add(campaign: str, name: str, lead: bool) -> None:
    """Add a reviewer. The password is asked for, or read as the first line of standard input."""
    with campaign_store(campaign) as store:
        chosen = password(new=True)
        with _entry(store, "account_added", name, LEAD if lead else REVIEWER):
            account = new_account(store, name, chosen, lead=lead)
    click.echo(f"Reviewer {account.name} can sign in{' as a lead' if lead else ''}.")


@reviewer.command()
@campaign_argument
@name_argument
@click.argument("role", type=click.Choice((REVIEWER, LEAD)))
def role(campaign: str, name: str, role: str) -> None:
    """Make NAME a lead, or a reviewer who judges alone; whoever is signed in under the name is signed out."""
    with campaign_store(campaign) as store, _entry(store, "role_changed", name, role):
        store.accounts.set_role(name, lead=role == LEAD)
    click.echo(f"Reviewer {name} is a {role}.")


@reviewer.command("password")
@campaign_argument
@name_argument
def password_(campaign: str, name: str) -> None:
    """Give a reviewer another password; whoever is signed in under the name is signed out."""
    with campaign_store(campaign) as store:
        chosen = password(new=True)
        with _entry(store, "password_changed", name):
            new_password(store, name, chosen)
    click.echo(f"Reviewer {name} has a new password.")


@reviewer.command()
@campaign_argument
@name_argument
def remove(campaign: str, name: str) -> None:
    """Let a reviewer in no more. Reviews stay; `password` lets the reviewer in again."""
    with campaign_store(campaign) as store, _entry(store, "account_removed", name):
        store.accounts.remove(name, now())
    click.echo(f"Reviewer {name} cannot sign in any more.")


@reviewer.command("list")
@campaign_argument
@json_option
def list_(campaign: str, as_json: bool) -> None:
    """The accounts, what they may do, and whether they can sign in."""
    with campaign_store(campaign) as store:
        accounts = store.accounts.all()
    if as_json:
        shown = [{"name": one.name, "role": _role(one), "can_sign_in": one.removed_at is None} for one in accounts]
        click.echo(json.dumps(shown))
        return
    for one in accounts:
        click.echo(f"{one.name} ({_role(one)}{'' if one.removed_at is None else ', removed'})")


def _role(account: Account) -> str:
    return LEAD if account.lead else REVIEWER


def _entry(store: Store, action: str, name: str, note: str = "") -> AbstractContextManager[None]:
    who = Reviewer(machine_user(), lead=True, machine_user=machine_user())
    return Journal(store).entry(who, action, name, note)
