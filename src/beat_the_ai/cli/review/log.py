"""`review audit`: what was done in the review, and whether the log is as it was written."""

from __future__ import annotations

import click

from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.cli.review.tables import log_line
from beat_the_ai.errors import InvalidInput, StoreError
from beat_the_ai.review.views import LogEntry


@click.command()
@on_campaign
@click.option("--check", is_flag=True, help="Check the chain of hashes instead of printing the log.")
@click.option("--head", metavar="HASH", help="With --check: what an earlier check printed must still be in the log.")
@json_option
def audit(review: ReviewCommand, check: bool, head: str | None) -> None:
    """Show the log of the review, oldest first, sign-ins included; others' verdicts are not left out here.

    With --check the exit status is 1 when an entry was changed, taken out or slipped in. An end that was cut off, or a
    log that was written anew as a whole, shows only against a --head that was noted before.
    """
    if head is not None and not check:
        raise InvalidInput("--head", "--head is for --check. Give both.")
    if check:
        _check(review, head)
        return
    entries = review.store.audit.entries(limit=None)[::-1]
    if review.as_json:
        review.show([LogEntry.model_validate(entry).sent() for entry in entries])
    else:
        review.show(None, *map(log_line, entries))


def _check(review: ReviewCommand, head: str | None) -> None:
    """Raise `StoreError`, which names the first entry that does not fit."""
    audit_log = review.store.audit
    chain = audit_log.check()
    if review.as_json:
        review.show({"entries": chain.entries, "head": chain.head, "broken": chain.broken})
    if chain.broken is not None:
        raise StoreError(
            f"Entry {chain.broken} of the log does not fit: it was changed, or an entry was taken out or slipped in "
            f"before it. The {chain.entries} before it are as they were written."
        )
    if head is not None and not audit_log.holds(head):
        raise StoreError(f"The log does not hold {head[:64]!r} any more: its end was cut off, or it was written anew.")
    if not review.as_json:
        click.echo(f"{chain.entries} entries, each as it was written. Note the head: {chain.head}")
