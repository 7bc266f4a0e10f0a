"""People of one's own (`beat-the-ai people`), in a marketplace that runs beside the campaign."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from beat_the_ai.crowds.own.portal import kept_running
from beat_the_ai.crowds.sites import origins
from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.people import store
from beat_the_ai.requester import Requester
from beat_the_ai.terms.crowd import CrowdTerms
from beat_the_ai.terms.rejections import RejectionTerms


class OwnCrowd:
    """A `Crowd` whose portal and books lie with the campaign's requester, who therefore needs no keys."""

    rejections: RejectionTerms | None = None
    makes_people = False  # somebody else does: whoever is not there yet cannot be sent anywhere

    def connect(self, terms: CrowdTerms, **options: Any) -> Requester:
        with store.people_at(place_of(terms)) as market:
            key = store.requester_key(market)
        keys = {"aws_access_key_id": key.id, "aws_secret_access_key": key.secret}
        return Requester.connect(_address(terms), **{**keys, **options})

    def has_keys(self, terms: CrowdTerms) -> bool:
        return terms.people is not None

    @contextmanager
    def running(self, terms: CrowdTerms) -> Iterator[None]:
        """Keep the portal running. Its address is the one in letters and links until the requester gives another."""
        place, address = place_of(terms), _address(terms)
        with store.people_at(place, create=self.makes_people) as market, market.writing() as moment:
            if not store.has_address(moment):
                store.keep_address(moment, address)
        with kept_running(place, address):
            yield

    def entrance(self, terms: CrowdTerms, label: str, title: str, *, once: bool) -> str | None:
        with store.people_at(place_of(terms)) as market, market.writing() as moment:
            store.agree_on_unit(moment, terms.unit)
            return f"{store.portal_address(moment)}/worker"

    def sites(self, terms: CrowdTerms) -> tuple[str, ...]:
        with store.people_at(place_of(terms)) as market, market.reading() as moment:
            public = store.portal_address(moment)
        return tuple(dict.fromkeys([*origins(_address(terms)), *origins(public)]))


def place_of(terms: CrowdTerms) -> str:
    if terms.people is None:
        raise InvalidInput("crowd.people", "crowd.people is not set: the folder of `beat-the-ai people`.")
    return terms.people


def _address(terms: CrowdTerms) -> str:
    if terms.endpoint_url is None:
        raise InvalidInput("crowd.endpoint_url", "crowd.endpoint_url is not set: the address of the people's portal.")
    if not terms.endpoint_url.startswith(("http://", "https://")):
        raise InvalidInput("crowd.endpoint_url", f"{terms.endpoint_url!r} is no address: http:// is missing.")
    return terms.endpoint_url.rstrip("/")


CROWD = OwnCrowd()
