"""The reviewer on the command line: the user of the machine, under a name that is claimed, or proven by a password."""

from __future__ import annotations

import sys

import click

from beat_the_ai.errors import Refused
from beat_the_ai.process.user import machine_user
from beat_the_ai.review import Reviewer, check_name, is_password
from beat_the_ai.review.accounts import NotSignedIn
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import Account, Store, now


def acting(store: Store, claimed: str) -> Reviewer:
    """Return the reviewer who acts. A name without an account is a requester's; the name of an account is proven.

    Raises `Refused` for the name of an account in another spelling, or of one that was removed; `NotSignedIn`.
    """
    name = check_name(claimed)
    account = next((one for one in store.accounts.all() if one.name.casefold() == name.casefold()), None)
    if account is None:
        return Reviewer(name, Role.REQUESTER, machine_user())
    if account.name != name:
        raise Refused(f"There is a reviewer {account.name!r}. Write the name like that, or take another one.")
    if account.removed_at is not None:
        raise Refused(f"Reviewer {name!r} was removed. Decide under another name.")
    _prove(store, account)
    return Reviewer(name, account.role, machine_user())


def operator() -> Reviewer:
    """Return the user of this machine as a requester: whoever has the store has all of it."""
    return Reviewer(machine_user(), Role.REQUESTER, machine_user())


def _prove(store: Store, account: Account) -> None:
    click.echo(f"{account.name} has an account.", err=True)
    if not is_password(password(), account):
        store.audit.add(now(), account.name, "sign_in_failed", note="command line", machine_user=machine_user())
        raise NotSignedIn(
            f"This is not the password of {account.name}. Give it when it is asked for, or as the first line of "
            "standard input; or decide on the review page."
        )


def password(*, new: bool = False) -> str:
    """Asked for, or the first line of standard input where nobody sits at a terminal."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    given: str = click.prompt("Password", hide_input=True, confirmation_prompt=new, err=True)
    return given
