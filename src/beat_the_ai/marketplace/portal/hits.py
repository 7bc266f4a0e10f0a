"""HITs to choose from: the list by type, a look at one of them, and taking it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import sqlalchemy as sa
from starlette.responses import Response

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.assignments import oldest_open_hit
from beat_the_ai.marketplace.hit_types import HitType, get_hit_type
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.pages import Page
from beat_the_ai.marketplace.portal.conditions import Condition, conditions
from beat_the_ai.marketplace.portal.frame import frame_of
from beat_the_ai.marketplace.portal.questionnaire import read_questionnaire
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.marketplace.portal.withdrawing import OF_ACCOUNT, withdrawal_of
from beat_the_ai.marketplace.requirements import Profile
from beat_the_ai.marketplace.saying import said
from beat_the_ai.marketplace.tables import hits as hit_table
from beat_the_ai.marketplace.tables import requesters
from beat_the_ai.marketplace.workers import get_worker
from beat_the_ai.marketplace.workplace import MAX_WORDS_CHARACTERS, NEWEST, Offer

TYPES_PER_PAGE = 20
SORTS = (NEWEST, "reward", "available")
NOTHING_LEFT = "portal_refusals.nothing_left"


@dataclass(frozen=True)
class Search:
    """A worker's search for HITs, and their order."""

    words: str
    sort: str

    @classmethod
    def of(cls, visit: Visit) -> Search:
        """From the page's address; an order that does not exist is the first."""
        sort = visit.asked("sort", NEWEST)
        return cls(visit.asked("q").strip()[:MAX_WORDS_CHARACTERS], sort if sort in SORTS else NEWEST)

    def page(self, visit: Visit, after: str | None, size: int = TYPES_PER_PAGE) -> Page[Offer]:
        return visit.workplace.offers(visit.worker_id, words=self.words, sort=self.sort, size=size, next_token=after)

    def unless_last(self, visit: Visit, after: str | None) -> str | None:
        """Every page that holds something has a token; people are shown the way to those with something on them."""
        return after if after and self.page(visit, after, size=1).next_token else None

    def address(self, after: str | None) -> str | None:
        """Return the address of the rest of the list."""
        if after is None:
            return None
        shown = {"after": after, "q": self.words, "sort": "" if self.sort == NEWEST else self.sort}
        return "/worker/hits?" + urlencode({name: text for name, text in shown.items() if text})


@dataclass(frozen=True)
class Listed:
    """A HIT type in the list. `available` counts its open HITs; 0 when this worker has done them all."""

    hit_type: HitType
    requester: str
    available: int
    conditions: Sequence[Condition]
    may_preview: bool
    may_accept: bool


def offers(visit: Visit) -> Response:
    if withdrawal_of(visit) is not None:
        return visit.go(OF_ACCOUNT)
    search = Search.of(visit)
    page = search.page(visit, visit.after)
    with visit.market.reading() as moment:
        profile = Profile.of(moment, get_worker(moment, visit.worker_id))
        names = _requester_names(moment, {offer.hit_type.requester_id for offer in page.items})
        listed = [
            Listed(
                offer.hit_type,
                names[offer.hit_type.requester_id],
                offer.open_hits if next_hit(moment, visit.worker_id, offer.hit_type.id) else 0,
                conditions(moment, profile, offer.hit_type),
                not offer.forbids("preview"),
                not offer.forbids("accept"),
            )
            for offer in page.items
        ]
    more = search.address(search.unless_last(visit, page.next_token))
    shown: Response = visit.show("hits", listed=listed, search=search, sorts=SORTS, more=more)
    return shown


def first_of_type(visit: Visit) -> Response:
    """The way from the list to a HIT: the oldest that this worker has not done."""
    hit_id = _next_hit(visit, visit.named("hit_type_id"))
    if hit_id is None:
        raise Refused(said(NOTHING_LEFT))
    return visit.go(f"/worker/hits/{hit_id}")


def preview(visit: Visit) -> Response:
    hit = visit.workplace.preview(visit.worker_id, visit.named("hit_id"))
    with visit.market.reading() as moment:
        hit_type = get_hit_type(moment, hit.hit_type_id)
        asked = conditions(moment, Profile.of(moment, get_worker(moment, visit.worker_id)), hit_type)
    frame = frame_of(visit, hit)
    may_accept = all(one.met for one in asked) and hit.status == "Assignable"
    shown: Response = visit.show(
        "preview",
        frames=frame.policy if frame else "'none'",
        media="" if frame else "https:",
        hit=hit,
        hit_type=hit_type,
        conditions=asked,
        may_accept=may_accept,
        frame=frame,
        parts=[] if frame else read_questionnaire(hit.question),
    )
    return shown


def accept(visit: Visit) -> Response:
    return _accept(visit, visit.named("hit_id"))


def accept_next(visit: Visit) -> Response:
    """The oldest HIT of a type that the worker has not done, whoever else takes one at the same moment."""
    hit_type_id = visit.named("hit_type_id")
    taken = visit.workplace.accept_chosen(
        visit.worker_id, lambda moment: next_hit(moment, visit.worker_id, hit_type_id)
    )
    if taken is None:
        raise Refused(said(NOTHING_LEFT))
    return visit.go(f"/worker/assignments/{taken.id}")


def _accept(visit: Visit, hit_id: str) -> Response:
    return visit.go(f"/worker/assignments/{visit.workplace.accept(visit.worker_id, hit_id).id}")


def _next_hit(visit: Visit, hit_type_id: str) -> str | None:
    with visit.market.reading() as moment:
        return next_hit(moment, visit.worker_id, hit_type_id)


def next_hit(moment: Moment, worker_id: str, hit_type_id: str) -> str | None:
    """The oldest open HIT of a type that the worker has not done."""
    return oldest_open_hit(moment, worker_id, hit_table.c.hit_type_id == hit_type_id)


def _requester_names(moment: Moment, ids: set[str]) -> dict[str, str]:
    found = sa.select(requesters.c.id, requesters.c.name).where(requesters.c.id.in_(ids))
    return {row.id: row.name for row in moment.connection.execute(found)}
