"""`review grant`, `refuse`, `revoke` and their like: who may work, and whether the marketplace has it so."""

from __future__ import annotations

from itertools import chain

import click
from rich.console import Console

from beat_the_ai.campaign.money.payables import owed_to
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.cli.review.options import endpoint_option, reason_option, reviewer_option, worker_argument
from beat_the_ai.cli.review.people import operator
from beat_the_ai.cli.review.tables import consequences_text, differences_table, outcome_text
from beat_the_ai.errors import BeatTheAIError, PaymentError, Refused
from beat_the_ai.review import Reviewer
from beat_the_ai.review.decisions import Change
from beat_the_ai.review.views import Outcome
from beat_the_ai.rules.text import printable
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Difference, consequences

SECOND_PERSON = "The reviews do not recommend it: it will wait until a second lead confirms it."


@click.command()
@on_campaign
@click.argument("workers", metavar="WORKER...", nargs=-1, required=True)
@reviewer_option
@click.option("--reason", default="", help="Needed for a worker who never handed in a screening.")
@endpoint_option
@json_option
def grant(review: ReviewCommand, workers: tuple[str, ...], reason: str) -> None:
    """Let each WORKER in: a newcomer, whatever the grader says, or one who asks for it on the marketplace.

    Each is a decision of its own. With --json each worker has a line.
    """
    who, failures = review.acting(), dict[str, BeatTheAIError]()
    for worker in dict.fromkeys(workers):
        try:
            _decide(review, worker, "grant", reason, who)
        except BeatTheAIError as failure:
            if len(workers) == 1:
                raise
            failures[worker] = failure
    if failures:
        left = "; ".join(f"{printable(worker, max_chars=255)}: {failure}" for worker, failure in failures.items())
        raise Refused(f"{len(failures)} of {len(set(workers))} workers are left. {left}")


@click.command()
@on_campaign
@worker_argument
@reviewer_option
@reason_option
@endpoint_option
@json_option
def refuse(review: ReviewCommand, worker: str, reason: str) -> None:
    """Keep WORKER, a newcomer, out. Of a worker without a screening only the request is turned down."""
    _decide(review, worker, "refuse", reason)


@click.command()
@on_campaign
@worker_argument
@reviewer_option
@reason_option
@endpoint_option
@click.option("--confirm", is_flag=True, help="Revoke. Without it only the consequences are shown.")
@json_option
def revoke(review: ReviewCommand, worker: str, reason: str, confirm: bool) -> None:
    """Let WORKER in no more and discard all that the worker did; what was earned stays paid.

    What the reviews do not recommend waits for a second lead: `review confirm` or `review withdraw`.
    """
    if confirm:
        _decide(review, worker, "revoke", reason)
        return
    decisions = review.desk.decisions
    decisions.check_known(worker)
    effect = consequences(review.campaign, worker, owed_to(review.campaign, worker))
    if review.as_json:
        review.show(effect)
    else:
        Console().print(consequences_text(effect, review.campaign.crowd.unit))
    if decisions.needs_second_person(worker):
        click.echo(SECOND_PERSON, err=True)
    click.echo("Nothing was changed. Revoke with --confirm.", err=True)


@click.command()
@on_campaign
@worker_argument
@reviewer_option
@endpoint_option
@json_option
def confirm(review: ReviewCommand, worker: str) -> None:
    """Revoke WORKER, as another lead has proposed. `review revoke` without --confirm says what it discards."""
    _decide(review, worker, "confirm")


@click.command()
@on_campaign
@worker_argument
@reviewer_option
@click.option("--reason", default="", help="Why, if it needs saying.")
@json_option
def withdraw(review: ReviewCommand, worker: str, reason: str) -> None:
    """Take back the proposal to revoke WORKER that waits for a second lead, your own or another's."""
    _decide(review, worker, "withdraw", reason)


@click.command()
@on_campaign
@worker_argument
@reviewer_option
@reason_option
@endpoint_option
@json_option
def reinstate(review: ReviewCommand, worker: str, reason: str) -> None:
    """Take a revocation of WORKER back: the work counts again."""
    _decide(review, worker, "reinstate", reason)


def _decide(review: ReviewCommand, worker: str, change: Change, reason: str = "", who: Reviewer | None = None) -> None:
    """Raise `PaymentError` when the marketplace did not follow, so that the exit status tells it too."""
    decision = review.desk.decisions.decide(who or review.acting(), worker, change, reason)
    review.show(Outcome.of(decision).sent(), outcome_text(decision, change, review.place))
    if decision.event is not None and decision.event.answer not in (None, "confirmed"):
        raise PaymentError(
            f"It holds here at once, but the marketplace did not follow: {decision.event.answer_note} "
            "Run `beat-the-ai review reconcile` later."
        )


@click.command()
@on_campaign
@endpoint_option
@click.option("--dry-run", is_flag=True, help="List the differences, and mend nothing.")
@json_option
def reconcile(review: ReviewCommand, dry_run: bool) -> None:
    """Compare everybody's standing, and what was withheld, with the marketplace, and put the marketplace right."""
    from beat_the_ai.campaign.money.at_the_crowd import reject_withheld  # Mephisto takes a second to import

    workforce = review.workforce

    def compare(*, mend: bool) -> list[Difference]:
        differences = workforce.reconcile(mend=mend)
        campaigns = BoundCampaign.all_in(review.store)
        late = (reject_withheld(campaign, review.endpoint, mend=mend) for campaign in campaigns)
        return [*differences, *chain.from_iterable(late)]

    if dry_run:
        differences = compare(mend=False)
    else:
        with review.entry(operator(), "reconcile"):
            differences = compare(mend=True)
    agreed = "The marketplace agrees with every standing, and pays nothing that is withheld."
    review.show_rows(differences, differences_table, agreed)
    if not dry_run and not all(difference.mended for difference in differences):
        raise PaymentError("Some differences are not mended; the list says why. Run it again later.")
