"""Crowds by name: each module of this package that has a `CROWD`."""

from __future__ import annotations

import importlib
from typing import cast

from beat_the_ai.crowds.crowd import Crowd
from beat_the_ai.errors import UnknownName
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people.recruiters import Recruiters
from beat_the_ai.terms.crowd import LOCAL, CrowdTerms

CROWDS = ("link", "mturk", "own", "prolific")
NAMES = (LOCAL, *CROWDS)


def crowd_of(terms: CrowdTerms) -> Crowd:
    """Return the crowd of these terms. Raises `UnknownName` for one without a requester API."""
    if terms.provider not in CROWDS:
        raise UnknownName("crowd.provider", terms.provider, CROWDS)
    return cast(Crowd, importlib.import_module(f"beat_the_ai.crowds.{terms.provider}").CROWD)


def recruiters_of(market: Market, place: str) -> Recruiters:
    """Return the recruiters with an API, for the studies of people in a folder or database."""
    from beat_the_ai.crowds.prolific.arrivals import ProlificRecruiters  # what it imports takes a tenth of a second

    return ProlificRecruiters(market, place)
