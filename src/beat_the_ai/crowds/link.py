"""People whom a recruiter sends by a link with their ids, and who go back with a code; they are paid there.

CloudResearch Connect, Sona, panels and the like: parameters, address and codes are settings (`crowd.recruiter`).
"""

from __future__ import annotations

from beat_the_ai.crowds.own import OwnCrowd, place_of
from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.people import store, studies
from beat_the_ai.requester.label import MARK
from beat_the_ai.terms.crowd import CrowdTerms


class LinkCrowd(OwnCrowd):
    """A `Crowd` of people whom nobody invites: they come by the link of a study."""

    makes_people = True

    def entrance(self, terms: CrowdTerms, label: str, title: str, *, once: bool) -> str | None:
        """Return the link for the recruiter, with the names of the parameters that it fills in."""
        recruiter = terms.recruiter
        if recruiter is None:
            raise InvalidInput("crowd.recruiter", "crowd.recruiter is not set: how people come and go.")
        with store.people_at(place_of(terms), create=True) as market, market.writing() as moment:
            store.agree_on_unit(moment, terms.unit)
            key = studies.register(moment, f"{MARK}:{label}:", title, {**recruiter.model_dump(), "once": once})
            public = store.portal_address(moment)
        names = [name for name in (recruiter.person, recruiter.session) if name is not None]
        return f"{public}/worker/study/{key}?" + "&".join(f"{name}={{{name}}}" for name in names)


CROWD = LinkCrowd()
