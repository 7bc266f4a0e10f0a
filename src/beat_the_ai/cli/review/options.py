"""The common parts of the review commands: their options, and the campaign that they are about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from beat_the_ai.campaign.money.payables import owed_to
from beat_the_ai.campaign.service.workforce import workforce_of
from beat_the_ai.cli.review.people import machine_user
from beat_the_ai.errors import InvalidInput
from beat_the_ai.review import ReviewDesk
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store, main_campaigns

reviewer_option = click.option(
    "--reviewer",
    metavar="NAME",
    default=machine_user,
    help="Who decides; otherwise the user of this machine. The log has both.",
)
endpoint_option = click.option(
    "--endpoint", metavar="URL", help="A requester API like MTurk's; otherwise as boto3 finds it."
)
reason_option = click.option("--reason", required=True, help="Kept with the decision; the worker does not see it.")
assignment_argument = click.argument("assignment", metavar="ASSIGNMENT")
worker_argument = click.argument("worker", metavar="WORKER")


@contextmanager
def opened(given: str) -> Iterator[BoundCampaign]:
    """Yield the one campaign of a store, beside that of its sample HITs. Raises `InvalidInput` for several or none."""
    with campaign_store(given) as store:
        campaigns = main_campaigns(store)
        if len(campaigns) != 1:
            raise InvalidInput("CAMPAIGN", f"{given} holds {len(campaigns)} campaigns; one is needed for a review.")
        yield campaigns[0]


@contextmanager
def review_desk(given: str, endpoint: str | None = None) -> Iterator[ReviewDesk]:
    """The desk that the page has, too, by the campaign's own rules."""
    with opened(given) as campaign, workforce_of(campaign, endpoint) as workforce:
        rules = campaign.decision_rules
        yield ReviewDesk(
            campaign,
            workforce,
            owed=lambda worker: owed_to(BoundCampaign.open(campaign.store, campaign.id), worker),
            second_person=rules.second_person,
            min_reviews=rules.min_reviews,
        )
