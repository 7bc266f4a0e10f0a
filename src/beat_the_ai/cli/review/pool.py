"""`review take-over`: the people of an earlier campaign, who need no second screening."""

from __future__ import annotations

from dataclasses import dataclass

import click

from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.cli.review.options import endpoint_option, reviewer_option
from beat_the_ai.errors import InvalidInput, PaymentError
from beat_the_ai.review import Reviewer
from beat_the_ai.rules.roles import Right
from beat_the_ai.store import StandingEvent
from beat_the_ai.terms.locate import campaign_store, main_campaigns
from beat_the_ai.workforce import Standing, Workforce

OUT = (Standing.REVOKED, Standing.BLOCKED)


@dataclass(frozen=True)
class Pool:
    """The workers let in and kept out, those whom the marketplace did not update, and those with a standing already."""

    qualified: list[str]
    kept_out: list[str]
    unconfirmed: list[str]
    known: list[str]


@click.command("take-over")
@on_campaign
@click.option("--from", "earlier", required=True, metavar="CAMPAIGN", help="Its folder, SQLite file or URL.")
@click.option("--name", metavar="ID", help="The earlier campaign, where its store holds several.")
@reviewer_option
@endpoint_option
@json_option
def take_over(review: ReviewCommand, earlier: str, name: str | None) -> None:
    """Let those into CAMPAIGN who are qualified in an earlier one, and keep out whom it has revoked or blocked.

    Who has a standing in CAMPAIGN keeps it. It may be run again: only who is new is taken over then.
    """
    found_in, standings = _standings(earlier, name)
    workforce, who = review.workforce, review.acting()
    who.check(Right.DECIDE)
    with review.entry(who, "take_over", review.campaign.id, f"the people of {found_in}"):
        pool = _take_over(workforce, standings, who, found_in)
    review.show(
        pool,
        f"{len(pool.qualified)} people of {found_in!r} are qualified, {len(pool.kept_out)} are kept out, "
        f"{len(pool.known)} had a standing here already.",
    )
    if pool.unconfirmed:
        raise PaymentError(
            f"The marketplace did not follow for {', '.join(map(repr, pool.unconfirmed))}. Run "
            "`beat-the-ai review reconcile` later."
        )


def _standings(earlier: str, name: str | None) -> tuple[str, dict[str, StandingEvent]]:
    """The earlier campaign, and everybody's last standing in it."""
    with campaign_store(earlier) as store:
        names = [one.id for one in main_campaigns(store) if name in (None, one.id)]
        if len(names) != 1:
            raise InvalidInput("--from", f"{earlier} holds {len(names)} such campaigns; choose one with --name ID.")
        return names[0], store.standings.current(names[0])


def _take_over(workforce: Workforce, standings: dict[str, StandingEvent], who: Reviewer, found_in: str) -> Pool:
    pool = Pool([], [], [], [])
    for worker, event in sorted(standings.items()):
        if workforce.standing(worker) is not None:
            pool.known.append(worker)
        elif event.standing == Standing.QUALIFIED:
            made = workforce.qualify(worker, who.name, f"qualified in campaign {found_in}")
            pool.qualified.append(worker)
            if made.answer not in (None, "confirmed"):
                pool.unconfirmed.append(worker)
        elif event.standing in OUT:
            workforce.block(worker, who.name, f"{event.standing} in campaign {found_in}")
            pool.kept_out.append(worker)
    return pool
