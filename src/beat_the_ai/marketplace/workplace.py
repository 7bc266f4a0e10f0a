"""The operations of workers: find HITs, look at them, accept, return and submit, ask for qualifications, see their pay.

A portal is built on this, and so are simulated workers. What a worker may not do raises `Refused` with a sentence for
the worker to read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace import (
    accounts,
    assignments,
    blocks,
    bonuses,
    qualification_requests,
    qualification_types,
    qualifications,
    withdrawals,
)
from beat_the_ai.marketplace.answers import Answers, FormAnswer, write_answers, write_form_answers
from beat_the_ai.marketplace.assignments import Assignment, get_assignment
from beat_the_ai.marketplace.bonuses import Bonus
from beat_the_ai.marketplace.hit_types import HitType, get_hit_type
from beat_the_ai.marketplace.hit_types import from_row as hit_type_from_row
from beat_the_ai.marketplace.hits import Hit, get_hit
from beat_the_ai.marketplace.hits import from_row as hit_from_row
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.notifications import Message, messages_to
from beat_the_ai.marketplace.pages import Page, PageRequest, fetch, fetch_largest, page_of
from beat_the_ai.marketplace.people import studies
from beat_the_ai.marketplace.qualification_requests import QualificationRequest
from beat_the_ai.marketplace.qualifications import Qualification
from beat_the_ai.marketplace.requirements import Profile, Unmet, unmet
from beat_the_ai.marketplace.saying import said
from beat_the_ai.marketplace.tables import assignments as assignment_table
from beat_the_ai.marketplace.tables import hit_types, hits, requesters
from beat_the_ai.marketplace.workers import get_worker
from beat_the_ai.messages import joined

NEWEST = "newest"
SORTS = {
    NEWEST: (hit_types.c.number,),
    "reward": (hit_types.c.reward_cents, hit_types.c.number),
    "available": (hit_types.c.assignable_hits, hit_types.c.number),
}
MAX_WORDS_CHARACTERS = 200


@dataclass(frozen=True)
class Offer:
    """A HIT type with open HITs, as one worker sees it. `unmet` empty: the worker may accept."""

    hit_type: HitType
    open_hits: int
    unmet: Sequence[Unmet]

    def forbids(self, action: str) -> list[str]:
        """Why the worker may not `discover`, `preview` or `accept`; empty when allowed."""
        return [one.reason for one in self.unmet if action in one.requirement.guards]


@dataclass(frozen=True)
class Earnings:
    """`cents` is all that was paid, rewards and bonuses; the others count decisions of this marketplace."""

    cents: int
    approved: int
    rejected: int


class Workplace:
    """One method per thing that a worker can do."""

    def __init__(self, market: Market) -> None:
        self._market = market

    def offers(
        self, worker_id: str, *, words: str = "", sort: str = NEWEST, size: int = 50, next_token: str | None = None
    ) -> Page[Offer]:
        """HIT types with open HITs that the worker may see. A page may hold fewer than `size`.

        All of the `words` are in title, keywords, description or the requester's name; `sort` is one of `SORTS`.
        """
        with self._market.reading() as moment:
            profile = Profile.of(moment, get_worker(moment, worker_id))
            columns = SORTS.get(sort, SORTS[NEWEST])
            rows = fetch_largest(moment, _offered(words), columns, PageRequest.of(size, next_token))
            offers = [_offer(moment, profile, hit_type_from_row(row), row.assignable_hits) for row in rows]
            token = page_of(rows, [tuple(row._mapping[column] for column in columns) for row in rows]).next_token
            return Page([offer for offer in offers if not offer.forbids("discover")], token)

    def hits(self, worker_id: str, hit_type_id: str, *, size: int = 50, next_token: str | None = None) -> Page[Hit]:
        """The open HITs of a type, oldest first."""
        with self._market.reading() as moment:
            self._refuse(moment, worker_id, get_hit_type(moment, hit_type_id), "discover")
            query = sa.select(hits).filter_by(hit_type_id=hit_type_id, status="Assignable")
            rows = fetch(moment, query, hits.c.number, PageRequest.of(size, next_token), newest_first=False)
            return page_of([hit_from_row(row) for row in rows], [row.number for row in rows])

    def preview(self, worker_id: str, hit_id: str) -> Hit:
        """The HIT with its question."""
        with self._market.reading() as moment:
            hit = get_hit(moment, hit_id)
            self._refuse(moment, worker_id, get_hit_type(moment, hit.hit_type_id), "preview")
            return hit

    def accept(self, worker_id: str, hit_id: str) -> Assignment:
        with self._market.writing() as moment:
            return self.accept_at(moment, worker_id, hit_id)

    def accept_chosen(self, worker_id: str, choose: Callable[[Moment], str | None]) -> Assignment | None:
        """Accept the HIT that `choose` names; None where it names none.

        Nobody else accepts anything between the choice and the acceptance: however many come at once, each gets a HIT.
        """
        with self._market.writing() as moment:
            hit_id = choose(moment)
            return None if hit_id is None else self.accept_at(moment, worker_id, hit_id)

    def accept_at(self, moment: Moment, worker_id: str, hit_id: str) -> Assignment:
        """The same within a transaction that writes other things, too."""
        withdrawals.check(moment, worker_id)
        hit = get_hit(moment, hit_id)
        hit_type = get_hit_type(moment, hit.hit_type_id)
        self._refuse(moment, worker_id, hit_type, "accept")
        if hit.status != "Assignable":
            raise Refused(said("portal_refusals.none_left"))
        if _worked_on(moment, hit_id, worker_id):
            raise Refused(said("portal_refusals.accepted_before"))
        if blocks.is_blocked(moment, hit.requester_id, worker_id):
            raise Refused(said("portal_refusals.blocked"))
        studies.check_may_accept(moment, worker_id, hit)
        return assignments.accept(moment, hit, hit_type, worker_id)

    def give_back(self, worker_id: str, assignment_id: str) -> None:
        """Return the HIT: somebody else may do it."""
        with self._market.writing() as moment:
            assignments.give_back(moment, _open_assignment(moment, worker_id, assignment_id))

    def submit(self, worker_id: str, assignment_id: str, answers: Answers) -> Assignment:
        """`answers` are the form's fields in order. Raises `InvalidInput` when they are too much."""
        return self._submit(worker_id, assignment_id, write_answers(answers))

    def submit_form(self, worker_id: str, assignment_id: str, answers: Mapping[str, FormAnswer]) -> Assignment:
        """The answers to a QuestionForm, by question. Raises `InvalidInput` when they are too much."""
        return self._submit(worker_id, assignment_id, write_form_answers(answers))

    def _submit(self, worker_id: str, assignment_id: str, answer: str) -> Assignment:
        with self._market.writing() as moment:
            assignment = _open_assignment(moment, worker_id, assignment_id)
            hit = get_hit(moment, assignment.hit_id)
            return assignments.submit(moment, assignment, get_hit_type(moment, hit.hit_type_id), answer)

    def assignments(self, worker_id: str, *, size: int = 50, next_token: str | None = None) -> Page[Assignment]:
        """The worker's own, newest first."""
        with self._market.reading() as moment:
            query = sa.select(assignment_table).filter_by(worker_id=worker_id)
            rows = fetch(moment, query, assignment_table.c.number, PageRequest.of(size, next_token), newest_first=True)
            return page_of([assignments.from_row(row) for row in rows], [row.number for row in rows])

    def qualifications(self, worker_id: str, *, size: int = 50, next_token: str | None = None) -> Page[Qualification]:
        with self._market.reading() as moment:
            return qualifications.of_worker(moment, worker_id, PageRequest.of(size, next_token))

    def request_qualification(self, worker_id: str, qualification_type_id: str) -> QualificationRequest:
        """With a test, the request carries it and waits for its answers."""
        with self._market.writing() as moment:
            get_worker(moment, worker_id)
            kind = qualification_types.get_type(moment, qualification_type_id)
            return qualification_requests.ask(moment, kind, worker_id)

    def submit_test(self, worker_id: str, request_id: str, answers: Mapping[str, FormAnswer]) -> str:
        """Returns Granted, or Pending when the requester decides."""
        with self._market.writing() as moment:
            return qualification_requests.submit_test(moment, request_id, worker_id, answers)

    def earnings(self, worker_id: str) -> Earnings:
        with self._market.reading() as moment:
            worker = get_worker(moment, worker_id)
            cents = accounts.balance_cents(moment, accounts.earned(worker_id))
            return Earnings(cents, worker.approved, worker.rejected)

    def bonuses(self, worker_id: str, *, size: int = 50, next_token: str | None = None) -> Page[Bonus]:
        with self._market.reading() as moment:
            return bonuses.of_worker(moment, worker_id, PageRequest.of(size, next_token))

    def messages(self, worker_id: str, *, size: int = 50, next_token: str | None = None) -> Page[Message]:
        """The newest first."""
        with self._market.reading() as moment:
            return messages_to(moment, worker_id, PageRequest.of(size, next_token))

    @staticmethod
    def _refuse(moment: Moment, worker_id: str, hit_type: HitType, action: str) -> None:
        offer = _offer(moment, Profile.of(moment, get_worker(moment, worker_id)), hit_type, 0)
        if reasons := offer.forbids(action):
            raise Refused(joined([said("portal_refusals.not_qualified"), *reasons]))


def _offered(words: str) -> sa.Select[Any]:
    """A search by words has no index: it reads what is on offer, not what ever was."""
    query = sa.select(hit_types).where(hit_types.c.offered.is_(True))
    if words.strip():
        query = query.join(requesters, requesters.c.id == hit_types.c.requester_id)
    texts = (hit_types.c.title, hit_types.c.keywords, hit_types.c.description, requesters.c.name)
    for word in words[:MAX_WORDS_CHARACTERS].split():
        query = query.where(sa.or_(*(text.icontains(word, autoescape=True) for text in texts)))
    return query


def _offer(moment: Moment, profile: Profile, hit_type: HitType, open_hits: int) -> Offer:
    required = hit_type.requirements
    names = qualification_types.names(moment, {one.qualification_type_id for one in required})
    return Offer(hit_type, open_hits, unmet(profile, required, names))


def _worked_on(moment: Moment, hit_id: str, worker_id: str) -> bool:
    """Once per HIT; after a return or when its time ran out, again."""
    query = sa.select(assignment_table.c.id).filter_by(hit_id=hit_id, worker_id=worker_id)
    kept = assignment_table.c.status.not_in(assignments.GIVEN_UP)
    return moment.connection.scalar(query.where(kept)) is not None


def _open_assignment(moment: Moment, worker_id: str, assignment_id: str) -> Assignment:
    assignment = get_assignment(moment, assignment_id)
    if assignment.worker_id != worker_id:
        raise Refused(said("portal_refusals.other_assignment"))
    if assignment.status != "Accepted":
        raise Refused(said("portal_refusals.not_open", status=assignment.status))
    return assignment
