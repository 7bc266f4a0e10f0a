"""`review grant`, `refuse`, `revoke` and their like: who may work, and whether the marketplace has it so."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import chain

import click
from rich.console import Console

from beat_the_ai.campaign.money.payables import owed_to
from beat_the_ai.campaign.service.workforce import workforce_of
from beat_the_ai.cli.payments import campaign_argument, json_option
from beat_the_ai.cli.review.options import (
    endpoint_option,
    opened,
    reason_option,
    review_desk,
    reviewer_option,
    worker_argument,
)
from beat_the_ai.cli.review.people import acting, machine_user
from beat_the_ai.cli.review.tables import consequences_text, differences_table, outcome_text
from beat_the_ai.errors import PaymentError
from beat_the_ai.review import ReviewDesk, Reviewer, WorkerDecision
from beat_the_ai.review.decisions import Change
from beat_the_ai.review.journal import Journal
from beat_the_ai.review.views import Outcome
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Difference, consequences

SECOND_PERSON = "The reviews do not recommend it: it will wait until a second lead confirms it."


@click.command()
@campaign_argument
@worker_argument
@reviewer_option
@click.option("--reason", default="", help="Needed for a worker who never handed in a screening.")
@endpoint_option
@json_option
def grant(campaign: str, worker: str, reviewer: str, reason: str, endpoint: str | None, as_json: bool) -> None:
    """Let WORKER in: a newcomer, whatever the grader says, or one who asks for it on the marketplace."""
    _decide(campaign, worker, reviewer, "grant", reason, endpoint, as_json=as_json)


@click.command()
@campaign_argument
@worker_argument
@reviewer_option
@reason_option
@endpoint_option
@json_option
def refuse(campaign: str, worker: str, reviewer: str, reason: str, endpoint: str | None, as_json: bool) -> None:
    """Keep WORKER, a newcomer, out. Of a worker without a screening only the request is turned down."""
    _decide(campaign, worker, reviewer, "refuse", reason, endpoint, as_json=as_json)


@click.command()
@campaign_argument
@worker_argument
@reviewer_option
@reason_option
@endpoint_option
@click.option("--confirm", is_flag=True, help="Revoke. Without it only the consequences are shown.")
@json_option
def revoke(
    campaign: str, worker: str, reviewer: str, reason: str, endpoint: str | None, confirm: bool, as_json: bool
) -> None:
    """Let WORKER in no more and discard all that the worker did; what was earned stays paid.

    What the reviews do not recommend waits for a second lead: `review confirm` or `review withdraw`.
    """
    if confirm:
        _decide(campaign, worker, reviewer, "revoke", reason, endpoint, as_json=as_json)
        return
    with review_desk(campaign, endpoint) as desk:
        desk.decisions.check_known(worker)
        _show_consequences(desk, worker, as_json=as_json)
        if desk.decisions.needs_second_person(worker):
            click.echo(SECOND_PERSON, err=True)
    click.echo("Nothing was changed. Revoke with --confirm.", err=True)


def _show_consequences(desk: ReviewDesk, worker: str, *, as_json: bool) -> None:
    campaign = BoundCampaign.open(desk.store, desk.campaign.id)
    effect = consequences(campaign, worker, owed_to(campaign, worker))
    if as_json:
        click.echo(json.dumps(asdict(effect)))
    else:
        Console().print(consequences_text(effect))


@click.command()
@campaign_argument
@worker_argument
@reviewer_option
@endpoint_option
@json_option
def confirm(campaign: str, worker: str, reviewer: str, endpoint: str | None, as_json: bool) -> None:
    """Revoke WORKER, as another lead has proposed. `review revoke` without --confirm says what it discards."""
    _decide(campaign, worker, reviewer, "confirm", "", endpoint, as_json=as_json)


@click.command()
@campaign_argument
@worker_argument
@reviewer_option
@click.option("--reason", default="", help="Why, if it needs saying.")
@json_option
def withdraw(campaign: str, worker: str, reviewer: str, reason: str, as_json: bool) -> None:
    """Take back the proposal to revoke WORKER that waits for a second lead, your own or another's."""
    _decide(campaign, worker, reviewer, "withdraw", reason, None, as_json=as_json)


@click.command()
@campaign_argument
@worker_argument
@reviewer_option
@reason_option
@endpoint_option
@json_option
def reinstate(campaign: str, worker: str, reviewer: str, reason: str, endpoint: str | None, as_json: bool) -> None:
    """Take a revocation of WORKER back: the work counts again."""
    _decide(campaign, worker, reviewer, "reinstate", reason, endpoint, as_json=as_json)


def _decide(
    campaign: str, worker: str, reviewer: str, change: Change, reason: str, endpoint: str | None, *, as_json: bool
) -> None:
    """Raises `PaymentError` when the marketplace did not follow, so that the exit status tells it too."""
    with review_desk(campaign, endpoint) as desk:
        decided: WorkerDecision = desk.decisions.decide(acting(desk.store, reviewer), worker, change, reason)
    click.echo(json.dumps(Outcome.of(decided).sent()) if as_json else outcome_text(decided, change, campaign))
    if decided.event is not None and decided.event.answer not in (None, "confirmed"):
        raise PaymentError(
            f"It holds here at once, but the marketplace did not follow: {decided.event.answer_note} "
            "Run `beat-the-ai review reconcile` later."
        )


@click.command()
@campaign_argument
@endpoint_option
@click.option("--dry-run", is_flag=True, help="List the differences, and mend nothing.")
@json_option
def reconcile(campaign: str, endpoint: str | None, dry_run: bool, as_json: bool) -> None:
    """Compare everybody's standing, and what was withheld, with the marketplace, and put the marketplace right."""
    from beat_the_ai.campaign.money.at_the_crowd import reject_withheld  # Mephisto takes a second to import

    with opened(campaign) as bound, workforce_of(bound, endpoint) as workforce:

        def compare(*, mend: bool) -> list[Difference]:
            found = workforce.reconcile(mend=mend)
            campaigns = BoundCampaign.all_in(bound.store)
            late = (reject_withheld(each, endpoint, mend=mend) for each in campaigns)
            return [*found, *chain.from_iterable(late)]

        if dry_run:
            found = compare(mend=False)
        else:
            who = Reviewer(machine_user(), lead=True, machine_user=machine_user())
            with Journal(bound.store).entry(who, "reconcile"):
                found = compare(mend=True)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found]))
    elif found:
        Console().print(differences_table(found))
    else:
        click.echo("The marketplace agrees with every standing, and pays nothing that is withheld.")
    if not dry_run and not all(one.mended for one in found):
        raise PaymentError("Some differences are not mended; the list says why. Run it again later.")
