"""One command of `review`: its campaign, who acts, and its output."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import asdict, is_dataclass
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.money.payables import owed_to
from beat_the_ai.campaign.service.workforce import workforce_of
from beat_the_ai.campaign.starting.accounts import open_accounts
from beat_the_ai.cli.payments import campaign_argument
from beat_the_ai.cli.review.people import acting
from beat_the_ai.errors import InvalidInput
from beat_the_ai.review import ReviewDesk, Reviewer
from beat_the_ai.review.journal import Journal
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import STORE_FILE, campaign_store, is_folder_of_campaigns, main_campaigns
from beat_the_ai.workforce import Workforce

Row = TypeVar("Row")


class ReviewCommand:
    """A command on the campaign at `place`. Store, campaign, workforce and desk open at their first use.

    `reviewer` is a name as the command line claims it.
    """

    def __init__(self, place: str, reviewer: str = "", endpoint: str | None = None, *, as_json: bool = False) -> None:
        self.place = place
        self.reviewer = reviewer
        self.endpoint = endpoint
        self.as_json = as_json
        self._open = ExitStack()

    def close(self) -> None:
        """Close what was opened."""
        self._open.close()

    @cached_property
    def store(self) -> Store:
        """The store at the place; that of its accounts for a folder of campaigns. Raises `InvalidInput` without one."""
        if not is_folder_of_campaigns(self.place):
            return self._open.enter_context(campaign_store(self.place))
        accounts = open_accounts(Path(self.place))
        if accounts is None:
            raise InvalidInput("CAMPAIGN", f"{self.place} holds no {STORE_FILE}, and has no account itself.")
        return self._open.enter_context(closing(accounts))

    @cached_property
    def campaign(self) -> BoundCampaign:
        """The store's one campaign, beside that of its sample HITs. Raises `InvalidInput` for several or none."""
        campaigns = main_campaigns(self.store)
        if len(campaigns) != 1:
            raise InvalidInput(
                "CAMPAIGN", f"{self.place} holds {len(campaigns)} campaigns; one is needed for a review."
            )
        return campaigns[0]

    @cached_property
    def workforce(self) -> Workforce:
        """The campaign's workforce, at the endpoint where one is named."""
        return self._open.enter_context(workforce_of(self.campaign, self.endpoint))

    @cached_property
    def desk(self) -> ReviewDesk:
        """The desk that the page has, too, by the campaign's own rules."""
        return desk_of(self.campaign, self.workforce, self.endpoint)

    def acting(self) -> Reviewer:
        """Return the reviewer who acts. Raises `Refused` unless the claimed name is free, or proven."""
        return acting(self.store, self.reviewer)

    def entry(self, who: Reviewer, action: str, subject: str = "", note: str = "") -> AbstractContextManager[None]:
        """Enter the action in the log before it is done, and its failure after it."""
        return Journal(self.store).entry(who, action, subject, note)

    def show(self, result: object, *lines: str) -> None:
        """Print a result: as JSON with `--json`, otherwise as lines."""
        for line in [json.dumps(result, default=_plain)] if self.as_json else lines:
            click.echo(line)

    def show_rows(self, rows: list[Row], table: Callable[[list[Row]], Table], nothing: str, hint: str = "") -> None:
        """Print rows: as JSON with `--json`, otherwise as a table with a hint, or `nothing` where there are none."""
        if self.as_json or not rows:
            self.show(rows, nothing)
            return
        Console().print(table(rows))
        if hint:
            click.echo(hint)


def desk_of(campaign: BoundCampaign, workforce: Workforce, endpoint: str | None = None) -> ReviewDesk:
    """Return the desk of a campaign's reviewers, by its own rules. `endpoint` names another crowd than its own."""
    rules = campaign.decision_rules
    return ReviewDesk(
        campaign,
        workforce,
        owed=lambda worker: owed_to(BoundCampaign.open(campaign.store, campaign.id), worker),
        second_person=rules.second_person,
        min_reviews=rules.min_reviews,
        endpoint=endpoint,
    )


def on_campaign(command: Callable[..., None]) -> Callable[..., None]:
    """Give `command` its CAMPAIGN as a `ReviewCommand`, which takes the options that review commands share."""

    @campaign_argument
    @wraps(command)
    def with_campaign(
        campaign: str, reviewer: str = "", endpoint: str | None = None, *, as_json: bool = False, **others: Any
    ) -> None:
        with closing(ReviewCommand(campaign, reviewer, endpoint, as_json=as_json)) as review:
            command(review, **others)

    return with_campaign


def _plain(value: object) -> object:
    """Return the fields of a record, and anything else that JSON does not know as text."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)
