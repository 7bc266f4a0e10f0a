"""`pay` and `statement`: what is owed to whom, and paying it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console

from beat_the_ai.campaign.money.crowd import check_fees, connected
from beat_the_ai.campaign.money.on_hold import on_hold_by_cause
from beat_the_ai.campaign.money.payables import Payables, payables_of
from beat_the_ai.cli.payment_tables import hourly_text, lines_table, plan_table, workers_lines
from beat_the_ai.errors import PaymentError, UnknownName
from beat_the_ai.payments import Hourly, Owed, Payment, Plan, State, Statement, statements, wages
from beat_the_ai.payments.ledger import CLAIM_LASTS
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store

campaign_argument = click.argument("campaign", metavar="CAMPAIGN")
ALL_BUT_WAITING = (
    "What is owed by now is paid. HITs that wait: {}. `launch --resume` asks the crowd about those that it has not "
    "confirmed; `review held` lists all others."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")


@click.command()
@campaign_argument
@click.option("--confirm", is_flag=True, help="Pay. Without it nothing is sent and nothing is changed.")
@click.option("--endpoint", metavar="URL", help="A requester API like MTurk's; otherwise as boto3 finds it.")
@click.option(
    "--cap-cents", type=click.IntRange(0), help="Another cap than the campaign's own, in hundredths of its unit."
)
@json_option
def pay(campaign: str, confirm: bool, endpoint: str | None, cap_cents: int | None, as_json: bool) -> None:
    """Show what CAMPAIGN (its folder, SQLite file or database URL) owes; pay it with --confirm.

    It may be interrupted and run again at any time: nothing is paid twice.
    """
    results = []
    with campaign_store(campaign) as store:
        for campaign_id in store.campaigns.ids():
            bound = BoundCampaign.open(store, campaign_id)
            each = payables_of(bound, cap_cents)  # after those before it were paid: the cap may be theirs, too
            planned, waiting = each.plan(each.owed), on_hold_by_cause(bound, each.held)
            number, cents = each.ledger.totals()[State.CONFIRMED]
            if not as_json:
                Console().print(
                    plan_table(campaign_id, planned, (number, cents), each.cap.cents, waiting, bound.crowd.unit)
                )
            stopped = _pay(bound, each, endpoint) if confirm else None
            if confirm and not as_json:
                now_number, now_cents = each.ledger.totals()[State.CONFIRMED]
                click.echo(
                    f"Paid now: {now_number - number} payments, {bound.crowd.amount(now_cents - cents)} with fees."
                )
            told = {kind: asdict(of_kind) for kind, of_kind in waiting.items()}
            results.append({**_result(each, planned, stopped), "waiting": told})
    if as_json:
        click.echo(json.dumps(results))
    elif not confirm:
        click.echo("Nothing was sent. Pay with --confirm.")
    if confirm:
        _report_unpaid(results)


def _pay(campaign: BoundCampaign, each: Payables, endpoint: str | None) -> str | None:
    if each.plan(each.owed).is_empty:
        return None
    with connected(campaign, endpoint) as crowd:
        if not all(tariff.fees.charged for tariff in campaign.tariffs.values()):
            check_fees(crowd, counted=False)  # else the cap would be passed
        return each.pay(each.owed, crowd)


def _result(each: Payables, planned: Plan, stopped: str | None) -> dict[str, Any]:
    """`planned` is how it was before, `ledger` how it is now; amounts under `ledger` are with fees."""
    return {
        "campaign": each.campaign_id,
        "cap_cents": each.cap.cents,
        "planned": {
            "cost_cents": planned.cost_cents,
            "new": [_amount(one) for one in planned.new],
            "waiting": [_amount(payment) for payment in planned.waiting],
            "unsettled": [_amount(payment) for payment in planned.unsettled],
            "beyond_cap": [_amount(one) for one in planned.beyond_cap],
        },
        "ledger": {
            state.value: {"payments": number, "cents": cents} for state, (number, cents) in each.ledger.totals().items()
        },
        "unpaid": [
            {**_amount(payment), "state": payment.state.value, "error": payment.error}
            for payment in each.ledger.unconfirmed()
        ],
        "stopped": stopped,
    }


def _amount(one: Owed | Payment) -> dict[str, Any]:
    return {**asdict(one.key), "cents": one.cents, "fee_cents": one.fee_cents}


def _report_unpaid(results: list[dict[str, Any]]) -> None:
    """Say whether everything is paid, or what still waits.

    Raises `PaymentError` where something owed is not paid, so that the exit status tells it too.
    """
    unpaid = [one for result in results for one in result["unpaid"]]
    beyond = sum(len(result["planned"]["beyond_cap"]) for result in results)
    reasons = {result["stopped"] for result in results} | {one["error"] for one in unpaid}
    claimed = sum(one["state"] == State.SENT.value for one in unpaid)
    if claimed:
        minutes = int(CLAIM_LASTS.total_seconds() / 60)
        reasons.add(
            f"{claimed} of them are being sent by another process, or one died while it sent them: {minutes} minutes "
            "after that, `pay` looks for them at the crowd first."
        )
    if unpaid or beyond:
        told = " ".join(sorted(reason for reason in reasons if reason))
        raise PaymentError(
            f"{len(unpaid)} payments are not confirmed yet, {beyond} are beyond the cap. Run it again later; "
            f"nothing is paid twice. {told}"
        )
    waiting = sum(each["assignments"] for result in results for each in result["waiting"].values())
    click.echo(ALL_BUT_WAITING.format(waiting) if waiting else "Everything is paid.", err=True)


@click.command()
@campaign_argument
@click.option("--worker", metavar="ID", help="Only this worker, each amount with its reason.")
@json_option
def statement(campaign: str, worker: str | None, as_json: bool) -> None:
    """Show each worker's earnings and payments in CAMPAIGN, and the pay by the hour.

    Working time runs from acceptance to submission, pauses included; hourly pay is given as median and quartiles.
    """
    results = []
    with campaign_store(campaign) as store:
        campaigns = BoundCampaign.all_in(store)
        for bound, each in [(one, payables_of(one)) for one in campaigns]:
            everybody, overall = wages(bound, each.owed, each.held)
            if worker is not None and worker not in {one.worker for one in everybody}:
                raise UnknownName("worker", worker, (one.worker for one in everybody))
            shown = _statements(bound, each, worker) if worker or as_json else []
            results.append({"campaign": each.campaign_id, "hourly": _quartiles(overall), "workers": shown})
            if not as_json:
                if worker:
                    Console().print(lines_table(shown[0], bound.crowd.unit))
                else:
                    click.echo("\n".join(workers_lines(each.campaign_id, everybody, bound.crowd.unit)))
                click.echo(f"all workers: {hourly_text(overall, bound.crowd.unit)}")
    if as_json:
        click.echo(json.dumps(results, default=_statement))


def _statements(campaign: BoundCampaign, each: Payables, worker: str | None) -> list[Statement]:
    owed = [one for one in each.owed if worker in (None, one.key.worker)]
    ledger = each.ledger.payments(worker=worker)
    return statements(campaign, owed, ledger, worker)[0]


def _statement(made: Statement) -> dict[str, Any]:
    return {
        "worker": made.worker,
        "paid_cents": made.paid_cents,
        "earned_cents": made.earned_cents,
        "hourly": _quartiles(made.hourly),
        "lines": [asdict(line) for line in made.lines],
    }


def _quartiles(hourly: Hourly | None) -> dict[str, Any] | None:
    return None if hourly is None else asdict(hourly)
