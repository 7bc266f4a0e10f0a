"""`review reviewer add | role | password | remove | list`: who may use the review page, and as what."""

from __future__ import annotations

import click

from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.cli.review.people import operator, password
from beat_the_ai.review import new_account, new_password
from beat_the_ai.store import Account, now

LEAD, REVIEWER = "lead", "reviewer"
name_argument = click.argument("name", metavar="NAME")


@click.group()
def reviewer() -> None:
    """Accounts for the review: reviewers judge HITs, leads decide about workers, too.

    Whoever has the store can review on the command line without one, as a lead, under a name that has no account.
    """


@reviewer.command()
@on_campaign
@name_argument
@click.option("--lead", is_flag=True, help="May grant, refuse, revoke and reinstate workers as well.")
def add(review: ReviewCommand, name: str, lead: bool) -> None:
    """Add a reviewer. The password is asked for, or read as the first line of standard input."""
    store, chosen = review.store, password(new=True)
    with review.entry(operator(), "account_added", name, LEAD if lead else REVIEWER):
        account = new_account(store, name, chosen, lead=lead)
    click.echo(f"Reviewer {account.name} can sign in{' as a lead' if lead else ''}.")


@reviewer.command()
@on_campaign
@name_argument
@click.argument("role", type=click.Choice((REVIEWER, LEAD)))
def role(review: ReviewCommand, name: str, role: str) -> None:
    """Make NAME a lead, or a reviewer who judges alone; whoever is signed in under the name is signed out."""
    with review.entry(operator(), "role_changed", name, role):
        review.store.accounts.set_role(name, lead=role == LEAD)
    click.echo(f"Reviewer {name} is a {role}.")


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
    rows = [{"name": one.name, "role": _role(one), "can_sign_in": one.removed_at is None} for one in accounts]
    review.show(rows, *(f"{one.name} ({_role(one)}{', removed' if one.removed_at else ''})" for one in accounts))


def _role(account: Account) -> str:
    return LEAD if account.lead else REVIEWER
