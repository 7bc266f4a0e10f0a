"""The workers' page of results and letters beside the pages of HITs: the router makes it by its name, `application`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.applications import Starlette

from beat_the_ai.campaign.service.earnings import current_earnings
from beat_the_ai.campaign.service.withdrawals import Withdrawn
from beat_the_ai.letters import Board, Letterbox, Records, address_of, build_app
from beat_the_ai.letters.address import PATH
from beat_the_ai.mephisto.procedures import Procedure, ServedBeside, worker_id
from beat_the_ai.mephisto.shim import Agent
from beat_the_ai.store import Campaign, open_store
from beat_the_ai.terms.campaign import BoundCampaign

APPLICATION = f"{__name__}:application"


def application(options: Mapping[str, str]) -> Starlette:
    """Return the pages of the campaign with the id `campaign` in the store at the URL `store`."""
    return pages(BoundCampaign.open(open_store(options["store"]), options["campaign"]))


def pages(campaign: BoundCampaign) -> Starlette:
    """Return the pages of a campaign, by its terms of the moment at which one is opened."""
    records, withdrawn = Records(), Withdrawn(campaign)

    def box() -> Letterbox:
        today = BoundCampaign.open(campaign.store, campaign.id)
        board = Board(today, records, withdrawn)
        return Letterbox(today, lambda worker: current_earnings(today, worker), board=board)

    return build_app(campaign.record, box, campaign.own_words)


def letters_beside(campaign: Campaign, store_url: str) -> ServedBeside:
    """Return the pages as a router serves them."""
    return ServedBeside(PATH, APPLICATION, {"store": store_url, "campaign": campaign.id})


def letters_procedure(campaign: Campaign) -> Procedure:
    """Return the procedure that tells a page where its worker's letters are, seen from the page."""

    def letters(agent: Agent, _arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"address": address_of(campaign, worker_id(agent.get_worker()), ".")}

    return letters
