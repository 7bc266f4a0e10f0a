"""`review`: the sample of HITs, what reviewers say of it, and who may go on working."""

from __future__ import annotations

import getpass
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from beat_the_ai.cli.held import held, release
from beat_the_ai.cli.payments import campaign_argument, json_option
from beat_the_ai.cli.review_tables import agreement_text, consequences_text, differences_table, hits_table, people_table
from beat_the_ai.cli.reviewers import reviewer
from beat_the_ai.cli.sections import PaySection, RoundSection, terms_of
from beat_the_ai.cli.stores import campaign_store
from beat_the_ai.cli.workforce import workforce_of
from beat_the_ai.errors import InvalidInput, PaymentError, UnknownName
from beat_the_ai.payments import Owed, owed_by
from beat_the_ai.review import ReviewDesk
from beat_the_ai.review import serve as serve_page
from beat_the_ai.store import Store
from beat_the_ai.workforce import (
    Assessment,
    Consequences,
    Evidence,
    Reviewing,
    SampledHit,
    assess,
    consequences,
    evidence_for,
)
from beat_the_ai.workforce.screening import SCREENING_OF

PAGE = Path(__file__).resolve().parents[3] / "webapp" / "review" / "dist"

reviewer_option = click.option(
    "--reviewer", metavar="NAME", default=getpass.getuser, help="Who reviews; otherwise the user of this machine."
)
endpoint_option = click.option(
    "--endpoint", metavar="URL", help="A requester API like MTurk's; otherwise as boto3 finds it."
)
reason_option = click.option("--reason", required=True, help="Kept with the decision; the worker does not see it.")
min_reviews_option = click.option(
    "--min-reviews",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Reviews before a revocation is recommended; the paper's rule is 1.",
)
assignment_argument = click.argument("assignment", metavar="ASSIGNMENT")
worker_argument = click.argument("worker", metavar="WORKER")


class _ServesWithoutSubcommand(click.Group):
    """`review CAMPAIGN` is `review serve CAMPAIGN`."""

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        named = self.get_command(context, arguments[0]) is not None
        return super().resolve_command(context, arguments if named else ["serve", *arguments])


@click.group(cls=_ServesWithoutSubcommand, subcommand_metavar="CAMPAIGN | COMMAND [ARGS]...")
def review() -> None:
    """Review workers' HITs, and say who may go on working.

    CAMPAIGN is the campaign's folder, its SQLite file or a database URL. With nothing but it, the page is served.
    """


review.add_command(reviewer)
review.add_command(held)
review.add_command(release)


@contextmanager
def _opened(given: str) -> Iterator[tuple[Store, str]]:
    """The store and its campaign; that of sample HITs does not count. Raises `InvalidInput` for several or none."""
    with campaign_store(given) as store:
        ids = [name for name in store.campaigns.ids() if SCREENING_OF not in store.campaigns.get(name).config]
        if len(ids) != 1:
            raise InvalidInput("CAMPAIGN", f"{given} holds {len(ids)} campaigns; one is needed for a review.")
        yield store, ids[0]


@review.command()
@campaign_argument
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 takes a free one.")
@min_reviews_option
@endpoint_option
def serve(campaign: str, host: str, port: int, min_reviews: int, endpoint: str | None) -> None:
    """Serve the reviewers' page until stopped; its address is printed as JSON.

    Reviewers sign in with an account: `beat-the-ai review reviewer add CAMPAIGN NAME`.
    """
    with _opened(campaign) as (store, campaign_id), workforce_of(store, campaign_id, endpoint) as workforce:
        desk = ReviewDesk(
            store, campaign_id, workforce, owed=lambda: _owed(store, campaign_id), min_reviews=min_reviews
        )
        if all(account.removed_at for account in store.accounts.all()):
            click.echo(f"Nobody can sign in yet. Run: beat-the-ai review reviewer add {campaign} NAME", err=True)
        serve_page(desk, PAGE, host, port)


@review.command("list")
@campaign_argument
@reviewer_option
@click.option("--worker", metavar="ID", help="Only this worker.")
@min_reviews_option
@json_option
def list_(campaign: str, reviewer: str, worker: str | None, min_reviews: int, as_json: bool) -> None:
    """What has to be reviewed, everything that was written there, and how each worker stands.

    The sample is filled up first. Other reviewers' verdicts are shown once your own stands.
    """
    with _opened(campaign) as (store, campaign_id):
        reviewing = Reviewing(store, campaign_id)
        reviewing.draw()
        people = [one for one in assess(store, campaign_id, min_reviews=min_reviews) if worker in (None, one.worker)]
        if worker is not None and not people:
            raise UnknownName("worker", worker, (one.worker for one in assess(store, campaign_id)))
        hits = reviewing.queue(reviewer, worker)
        evidence = evidence_for(store, campaign_id, {one.assignment.id for one in hits})
        owed = _owed(store, campaign_id)
        effects = {one.worker: consequences(store, campaign_id, one.worker, owed) for one in people if one.recommended}
        agreement = reviewing.agreement()
    if as_json:
        told = {
            "campaign": campaign_id,
            "workers": [_person(one, effects.get(one.worker)) for one in people],
            "hits": [_hit(one, evidence[one.assignment.id]) for one in hits],
            "agreement": {
                "units": agreement.units,
                "percent": agreement.percent,
                "alpha": agreement.alpha,
                "kappa": [{"reviewers": list(pair), "kappa": kappa} for pair, kappa in agreement.kappa.items()],
            },
        }
        click.echo(json.dumps(told, default=str))
        return
    console = Console()
    console.print(people_table(campaign_id, people))
    for effect in effects.values():
        console.print(consequences_text(effect))
    console.print(hits_table(hits, evidence), agreement_text(agreement))


def _person(one: Assessment, effect: Consequences | None) -> dict[str, Any]:
    return {**asdict(one), "accuracy": one.accuracy, "consequences": None if effect is None else asdict(effect)}


def _hit(one: SampledHit, evidence: list[Evidence]) -> dict[str, Any]:
    return {
        "assignment": one.assignment.id,
        "worker": one.assignment.worker,
        "context_id": one.hit.context.id,
        "context": one.hit.context.text,
        "feedback": one.assignment.feedback,
        "submitted_at": one.assignment.submitted_at,
        "attempts": [
            {
                "attempt_id": made.id,
                **made.work,
                "model_answer": made.prediction,
                "fooled": made.fooled,
                "retracted": made.retracted,
                "flag": made.flag_reason,
                "telemetry": asdict(one.telemetry[made.id]) if made.id in one.telemetry else None,
            }
            for made in one.attempts
        ],
        "evidence": [asdict(item) for item in evidence],
        "mine": None if one.mine is None else {"verdict": one.mine.verdict, "reason": one.mine.reason},
        "others": [asdict(other) for other in one.others],
    }


def _owed(store: Store, campaign_id: str) -> list[Owed]:
    """What the campaign's own configuration makes of the work; nothing where it has none."""
    config = store.campaigns.get(campaign_id).config
    if "pay" not in config or "round" not in config:
        return []
    pay = PaySection.model_validate(config["pay"])
    return owed_by(store, campaign_id, pay.tariff(terms_of(RoundSection.model_validate(config["round"]), pay)))


@review.command()
@campaign_argument
@assignment_argument
@reviewer_option
@click.option("--reason", default="", help="What is good about it, if it needs saying.")
@json_option
def accept(campaign: str, assignment: str, reviewer: str, reason: str, as_json: bool) -> None:
    """ASSIGNMENT, a sampled one, is good work."""
    with _opened(campaign) as (store, campaign_id):
        _tell(Reviewing(store, campaign_id).accept(assignment, reviewer, reason), as_json)


@review.command()
@campaign_argument
@assignment_argument
@reviewer_option
@reason_option
@json_option
def reject(campaign: str, assignment: str, reviewer: str, reason: str, as_json: bool) -> None:
    """ASSIGNMENT, a sampled one, is bad work. Its payment is not touched."""
    with _opened(campaign) as (store, campaign_id):
        _tell(Reviewing(store, campaign_id).reject(assignment, reviewer, reason), as_json)


@review.command()
@campaign_argument
@assignment_argument
@reviewer_option
@json_option
def undo(campaign: str, assignment: str, reviewer: str, as_json: bool) -> None:
    """Take your own verdict on ASSIGNMENT back."""
    with _opened(campaign) as (store, campaign_id):
        _tell(Reviewing(store, campaign_id).undo(assignment, reviewer), as_json)


@review.command()
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
    """Let WORKER in no more and discard all that the worker did; what was earned stays paid."""
    with _opened(campaign) as (store, campaign_id):
        _check_known(store, campaign_id, worker)
        effect = consequences(store, campaign_id, worker, _owed(store, campaign_id))
        if not confirm:
            if as_json:
                click.echo(json.dumps(asdict(effect)))
            else:
                Console().print(consequences_text(effect))
            click.echo("Nothing was changed. Revoke with --confirm.", err=True)
            return
        with workforce_of(store, campaign_id, endpoint) as workforce:
            _tell_standing(workforce.revoke(worker, reviewer, reason), as_json)


@review.command()
@campaign_argument
@worker_argument
@reviewer_option
@reason_option
@endpoint_option
@json_option
def reinstate(campaign: str, worker: str, reviewer: str, reason: str, endpoint: str | None, as_json: bool) -> None:
    """Take a revocation of WORKER back: the work counts again."""
    with _opened(campaign) as (store, campaign_id):
        _check_known(store, campaign_id, worker)
        with workforce_of(store, campaign_id, endpoint) as workforce:
            _tell_standing(workforce.reinstate(worker, reviewer, reason), as_json)


@review.command()
@campaign_argument
@endpoint_option
@click.option("--dry-run", is_flag=True, help="List the differences, and mend nothing.")
@json_option
def reconcile(campaign: str, endpoint: str | None, dry_run: bool, as_json: bool) -> None:
    """Compare everybody's standing with the marketplace, and put the marketplace right."""
    with _opened(campaign) as (store, campaign_id), workforce_of(store, campaign_id, endpoint) as workforce:
        found = workforce.reconcile(mend=not dry_run)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found]))
    elif found:
        Console().print(differences_table(found))
    else:
        click.echo("The marketplace agrees with every standing.")
    if not dry_run and not all(one.mended for one in found):
        raise PaymentError("Some differences are not mended; the list says why. Run it again later.")


def _check_known(store: Store, campaign_id: str, worker: str) -> None:
    """A worker who did nothing here is a typing error. Raises `UnknownName`."""
    known = {one.worker for one in assess(store, campaign_id)}
    if worker not in known:
        raise UnknownName("worker", worker, known)


def _tell(made: Any, as_json: bool) -> None:
    click.echo(json.dumps(asdict(made), default=str) if as_json else f"{made.verdict}: {made.assignment_id}")


def _tell_standing(event: Any, as_json: bool) -> None:
    """Raises `PaymentError` when the marketplace did not follow, so that the exit status tells it too."""
    click.echo(json.dumps(asdict(event), default=str) if as_json else f"{event.worker} is {event.standing}.")
    if event.answer not in (None, "confirmed"):
        raise PaymentError(
            f"It holds here at once, but the marketplace did not follow: {event.answer_note} "
            "Run `beat-the-ai review reconcile` later."
        )
