"""`status`: where a campaign stands: HITs, works, workers, money, and the crowd's own view of it."""

from __future__ import annotations

import fcntl
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.money.on_hold import Waiting, waiting_among, waiting_rows
from beat_the_ai.campaign.money.payables import Account, account, crowd_label, run_name
from beat_the_ai.campaign.results.outcomes import Findings
from beat_the_ai.cli.payments import campaign_argument, json_option
from beat_the_ai.errors import InvalidInput, PaymentError
from beat_the_ai.files.permissions import OPERATOR_LOCK, PRIVATE
from beat_the_ai.payments.cap import show
from beat_the_ai.requester import Requester
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.stage import Stage
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store
from beat_the_ai.workforce import Workforce, refused_newcomers
from beat_the_ai.workforce.reviewing import ReviewedSample, accepted

COUNTED = ("attempts", "retracted", "fooled")
LOCKS = f"{PRIVATE}/mephisto/*/{OPERATOR_LOCK}"  # by stage


@dataclass(frozen=True)
class Checked:
    """Works whose status other people's votes have settled, and the share of those kept with its interval.

    Writers who are discarded for what others say of their work are in it; those who were revoked are not. `waiting`
    works have no final status yet.
    `works` and `kept_as` are what the kind of task calls them.
    """

    settled: int
    kept: int
    kept_share: tuple[float, float, float] | None
    votes: int
    votes_saved: int
    waiting: int
    works: str
    kept_as: str


@dataclass(frozen=True)
class Reviewed:
    """HITs in the review sample, how many were judged and accepted; newcomers who wait for a person."""

    sampled: int
    reviewed: int
    accepted: int
    candidates: int


@dataclass(frozen=True)
class Progress:
    """`round` is the current one, and `closed_at` tells of it; all figures are of the whole campaign.

    Amounts are US cents with fees; `error_rate` is the share of the attempts that beat the model, with its interval.

    It is None before there is an attempt. `writers_discarded` are those whose work is discarded for what others say of
    it: it is in no other figure but `checked`, HITs and money. `newcomers_refused` never were let in and have no work
    that counts. `crowd` counts the HITs at the marketplace by stage and state; None where there is none, or it cannot
    be reached (`away`).
    """

    campaign: str
    simulated: bool
    closed_at: str | None
    round: int
    hits: int
    hits_submitted: int
    workers: int
    workers_revoked: int
    writers_discarded: int
    newcomers_refused: int
    attempts: int
    retracted: int
    fooled: int
    error_rate: tuple[float, float, float] | None
    checked: Checked | None
    review: Reviewed
    models: list[str]
    money: dict[str, int]
    waiting: dict[str, Waiting]
    crowd: dict[str, dict[str, int]] | None = None
    away: str | None = None


def progress_of(store: Store, campaign_id: str) -> Progress:
    """Read the store alone.

    Work that is discarded is in no figure but HITs and money; what was checked is counted before writers are discarded
    for it.
    """
    campaign = BoundCampaign.open(store, campaign_id)
    findings = Findings(campaign)
    models, writers = store.attempts.counts(campaign_id, findings.discarded_writers)
    cashier = account(campaign)
    attempts, retracted, fooled = (sum(getattr(one, name) for one in models) for name in COUNTED)
    kept = attempts - retracted
    current = campaign.current.record
    refused = refused_newcomers(store, campaign_id)
    hits, hits_submitted = store.campaigns.numbers_of_hits(campaign_id)
    return Progress(
        campaign=campaign_id,
        simulated=campaign.record.simulated,
        closed_at=None if current.closed_at is None else current.closed_at.isoformat(),
        round=current.number,
        hits=hits,
        hits_submitted=hits_submitted,
        workers=writers,
        workers_revoked=len(store.standings.discarded(campaign_id) - refused),
        writers_discarded=len(findings.discarded_writers),
        newcomers_refused=len(refused),
        attempts=attempts,
        retracted=retracted,
        fooled=fooled,
        error_rate=(fooled / kept, *wilson(fooled, kept)) if kept else None,
        checked=_checked(campaign.kind, findings),
        review=_reviewed(store, campaign_id),
        models=sorted({f"{one.name} {one.hash[:8]}" for one in models}),
        money=_money(cashier),
        waiting=waiting_among(campaign, cashier.held),
    )


def _checked(kind: Kind, findings: Findings) -> Checked | None:
    """Return the results of validation; None where nobody checks the works."""
    if kind.checking is None:
        return None
    of, words = findings.totals, (kind.words.works, kind.checking.text.kept)
    share = (of.kept / of.settled, *wilson(of.kept, of.settled)) if of.settled else None
    return Checked(of.settled, of.kept, share, of.votes, of.votes_saved, of.waiting, *words)


def _reviewed(store: Store, campaign_id: str) -> Reviewed:
    found = ReviewedSample.read(store, campaign_id)
    return Reviewed(
        sampled=len(found.workers),
        reviewed=len(found.standing),
        accepted=sum(accepted(reviews.values()) for reviews in found.standing.values()),
        candidates=len(Workforce(store, campaign_id).candidates()),
    )


def _money(of: Account) -> dict[str, int]:
    by_state = {f"{state.value}_cents": cents for state, (_, cents) in of.ledger.totals().items()}
    owed = sum(one.with_fee_cents for one in of.owed)
    return {**by_state, "owed_cents": owed, "models_cents": of.cap.models_cents, "cap_cents": of.cap.cents}


def progress_table(of: Progress) -> Table:
    people = ": a rehearsal with simulated people" if of.simulated else ""
    table = Table(title=f"Campaign {of.campaign}{people}", show_header=False)
    table.add_row("HITs submitted", f"{of.hits_submitted} of {of.hits}")
    revoked = f", and {of.workers_revoked} revoked, whose work is discarded" if of.workers_revoked else ""
    table.add_row("workers", f"{of.workers}{revoked}")
    if of.writers_discarded:
        table.add_row("writers discarded", f"{of.writers_discarded}, for what others say of their work")
    if of.newcomers_refused:
        table.add_row("newcomers refused", str(of.newcomers_refused))
    table.add_row("attempts", f"{of.attempts} ({of.retracted} taken back)")
    table.add_row("beat the AI", str(of.fooled))
    has_votes = of.checked is not None and of.checked.votes > 0
    unvalidated = "" if has_votes or of.checked is None or of.error_rate is None else ", not yet validated"
    table.add_row("model error rate", f"{_share(of.error_rate)}{unvalidated}")
    if of.checked is not None and has_votes:
        table.add_row("validated", _told(of.checked))
    if of.review.sampled or of.review.candidates:
        table.add_row("review", _review_told(of.review))
    table.add_row("models", ", ".join(of.models))
    table.add_row("paid", show(of.money["confirmed_cents"]))
    if of.money["models_cents"]:
        table.add_row("spent on language models", f"{show(of.money['models_cents'])} at most")
    waiting = sum(of.money[f"{state}_cents"] for state in ("intent", "sent", "unknown", "owed"))
    table.add_row("owed", f"{show(waiting)} (cap {show(of.money['cap_cents'])})")
    for name, told in waiting_rows(of.waiting):
        table.add_row(name, told)
    if of.crowd is not None:
        for stage, counts in of.crowd.items():
            told = ", ".join(f"{count} {state}" for state, count in counts.items())
            table.add_row(f"HITs of {stage} at the crowd", told)
    if of.away is not None:
        table.add_row("HITs at the crowd", f"unknown: {of.away}")
    if of.closed_at is not None:
        table.add_row("closed" if of.round == 1 else f"round {of.round} closed", of.closed_at)
    return table


def _told(of: Checked) -> str:
    saved = f", {of.votes_saved} saved by stopping early" if of.votes_saved else ""
    share = _share(of.kept_share)
    waiting = f"; {of.waiting} wait for votes" if of.waiting else ""
    return f"{of.settled} {of.works}, {of.kept} {of.kept_as}: {share}; {of.votes} votes{saved}{waiting}"


def _share(of: tuple[float, float, float] | None) -> str:
    if of is None:
        return "none yet"
    share, low, high = of
    return f"{share:.1%} (95% interval {low:.1%} to {high:.1%})"


def _review_told(of: Reviewed) -> str:
    waiting = f"; {of.candidates} newcomers wait for a person" if of.candidates else ""
    return f"{of.reviewed} of {of.sampled} sampled HITs judged, {of.accepted} accepted{waiting}"


@click.command()
@campaign_argument
@json_option
def status(campaign: str, as_json: bool) -> None:
    """Show the progress of CAMPAIGN (its folder, SQLite file or database URL)."""
    results = []
    with campaign_store(campaign) as store:
        for campaign_id in store.campaigns.ids():
            results.append(_with_crowd(store, progress_of(store, campaign_id)))
    if not results:
        raise InvalidInput("CAMPAIGN", f"{campaign} holds no campaign yet.")
    served = served_stages(Path(campaign))
    if as_json:
        click.echo(json.dumps([{**asdict(one), "served": served} for one in results]))
        return
    for one in results:
        Console().print(progress_table(one))
    if served is not None:
        nobody = "Nobody serves it: `launch --resume` or `serve` goes on."
        click.echo(f"It is being served: {', '.join(served)}." if served else nobody)


def _with_crowd(store: Store, of: Progress) -> Progress:
    campaign = BoundCampaign.open(store, of.campaign)
    if not campaign.crowd.is_marketplace or campaign.is_of_samples or campaign.record.simulated:
        return of  # the marketplace of a rehearsal ends with it
    from beat_the_ai.mephisto.mturk import surveys  # Mephisto takes a second to import

    try:
        requester = Requester.connect(campaign.crowd.endpoint_url, sleep=_do_not_insist)
        try:
            label_of = {
                run_name(stage, number): crowd_label(campaign.record, stage, number)
                for number in campaign.rounds
                for stage in Stage
            }
            found = surveys(requester, set(label_of.values()))
        finally:
            requester.close()
    except PaymentError as error:
        return replace(of, away=str(error))
    return replace(of, crowd={run: found[label].counts() for run, label in label_of.items() if found[label].hits})


def _do_not_insist(_seconds: float) -> None:
    """Somebody waits for the answer: the tries follow each other at once."""


def served_stages(folder: Path) -> list[str] | None:
    """The stages that processes serve in this folder; None when that cannot be told from here."""
    if not folder.is_dir():
        return None
    return [lock.parent.name for lock in sorted(folder.glob(LOCKS)) if _is_held(lock)]


def _is_held(lock: Path) -> bool:
    with lock.open("r") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        fcntl.flock(file, fcntl.LOCK_UN)
    return False
