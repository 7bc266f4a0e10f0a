"""People from Prolific: a study for each stage, a place for each HIT; work, pay and messages follow by `Mirror`.

The marketplace of one's own people is between the two: the campaign speaks Mechanical Turk's protocol to it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from beat_the_ai.crowds.own import OwnCrowd, place_of
from beat_the_ai.crowds.prolific.external_study import PERSON, SESSION
from beat_the_ai.crowds.prolific.settlement import REJECTIONS
from beat_the_ai.crowds.prolific.token import has_token
from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.people import store, studies
from beat_the_ai.requester.label import MARK
from beat_the_ai.terms.crowd import CrowdTerms

CODE_BYTES = 5
CODES = ("done", "finished", "returned", "no_work", "unqualified")


class ProlificCrowd(OwnCrowd):
    """A `Crowd` of participants whom Prolific sends to its studies."""

    rejections = REJECTIONS
    makes_people = True

    def has_keys(self, terms: CrowdTerms) -> bool:
        return terms.people is not None and has_token(terms.people)

    def entrance(self, terms: CrowdTerms, label: str, title: str, *, once: bool) -> str | None:
        """Register the study, which the portal brings to Prolific. Nobody needs an address: Prolific has it."""
        if terms.prolific is None:
            raise InvalidInput("crowd.prolific", "crowd.prolific is not set: workspace and minutes.")
        prefix = f"{MARK}:{label}:"
        with store.people_at(place_of(terms), create=True) as market, market.writing() as moment:
            store.agree_on_unit(moment, terms.unit)
            known = studies.study_of(moment, prefix)
            codes = new_codes() if known is None else {name: known.terms[name] for name in CODES}
            described = {
                **codes,
                "partial": codes["done"],
                "person": PERSON,
                "session": SESSION,
                "finish_url": f"{terms.prolific.site_url}/submissions/complete?cc={{code}}",
                "hits_each": 1,
                "once": once,
                "signed": terms.prolific.signed,
                "prolific": terms.prolific.model_dump(mode="json"),
            }
            studies.register(moment, prefix, title, described)
        return None


def new_codes() -> Mapping[str, str]:
    """Draw the completion codes of a study: participants know them once they have finished, and nobody else."""
    return {name: secrets.token_hex(CODE_BYTES).upper() for name in CODES}


CROWD = ProlificCrowd()
