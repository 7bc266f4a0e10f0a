"""`review reviewer add | role | password | remove | list`: who may use the review page, and as what."""

from __future__ import annotations

from pathlib import Path

import click

from beat_the_ai.campaign.starting.accounts import new_accounts
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.cli.review.people import operator, password
from beat_the_ai.review import new_account, new_password
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import now
from beat_the_ai.terms.locate import is_folder_of_campaigns

ROLES = click.Choice([role.value for role in Role])
name_argument = click.argument("name", metavar="NAME")


@click.group()
def reviewer() -> None:
    """Accounts for the console and the review.

    A reviewer judges HITs. A lead decides about workers and watches the console, too. A requester may do everything. An
    observer watches the console, with pseudonyms for workers. Whoever has the store is a requester on the command line,
    under a name that has no account.
    """


@reviewer.command()
@on_campaign
@name_argument
@click.option("--role", type=ROLES, default=Role.REVIEWER.value, show_default=True, help="What the account may do.")
def add(review: ReviewCommand, name: str, role: str) -> None:
    """Add an account. The password is asked for, or read as the first line of standard input.

    CAMPAIGN may be a folder of campaigns, too. Requesters with an account there start campaigns in the console of the
    folder, the first one too.
    """
    if is_folder_of_campaigns(review.place):
        new_accounts(Path(review.place))
    store, chosen = review.store, password(new=True)
    with review.entry(operator(), "account_added", name, role):
        account = new_account(store, name, chosen, role=Role(role))
    click.echo(f"{account.name} can sign in. Role: {role}.")


@reviewer.command()
@on_campaign
@name_argument
@click.argument("role", type=ROLES)
def role(review: ReviewCommand, name: str, role: str) -> None:
    """Give NAME another role; whoever is signed in under the name is signed out."""
    with review.entry(operator(), "role_changed", name, role):
        review.store.accounts.set_role(name, Role(role))
    click.echo(f"{name} has the role {role}.")


@reviewer.command("password")
@on_campaign
@name_argument
def password_(review: ReviewCommand, name: str) -> None:
    """Give a reviewer another password; whoever is signed in under the name is signed out."""
    store, chosen = review.store, password(new=True)
    with review.entry(operator(), "password_changed", name):
        new_password(store, name, chosen)
    click.echo(f"Reviewer {name} has a new password.")


@reviewer.command()
@on_campaign
@name_argument
def remove(review: ReviewCommand, name: str) -> None:
    """Let a reviewer in no more. Reviews stay; `password` lets the reviewer in again."""
    with review.entry(operator(), "account_removed", name):
        review.store.accounts.remove(name, now())
    click.echo(f"Reviewer {name} cannot sign in any more.")


@reviewer.command("list")
@on_campaign
@json_option
def list_(review: ReviewCommand) -> None:
    """The accounts, what they may do, and whether they can sign in."""
    accounts = review.store.accounts.all()
    rows = [{"name": one.name, "role": one.role.value, "can_sign_in": one.removed_at is None} for one in accounts]
    review.show(rows, *(f"{one.name} ({one.role.value}{', removed' if one.removed_at else ''})" for one in accounts))
