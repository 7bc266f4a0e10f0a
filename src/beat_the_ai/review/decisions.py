"""The decisions of leads on who may work, on the page and on the command line. Every decision is logged first.

A revocation that the reviews do not recommend takes two leads: it is a proposal until a second lead confirms it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from beat_the_ai.errors import InvalidInput, PaymentError, Refused, UnknownName
from beat_the_ai.letters.address import address_of
from beat_the_ai.letters.words import day
from beat_the_ai.messages import said
from beat_the_ai.review.accounts import Reviewer
from beat_the_ai.review.journal import Journal
from beat_the_ai.rules.roles import Right
from beat_the_ai.rules.text import clean_line
from beat_the_ai.store import Proposal, StandingEvent, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Assessment, GateRequest, Standing, Workforce, assess
from beat_the_ai.workforce.reviewing import MAX_REASON_CHARS

Change = Literal["grant", "refuse", "propose", "revoke", "confirm", "withdraw", "reinstate"]


@dataclass(frozen=True)
class WorkerDecision:
    """The result of a decision: a standing, a proposal that waits or waits no more, or a request turned down."""

    worker: str
    event: StandingEvent | None = None
    proposal: Proposal | None = None


class Decisions:
    """The decisions about one campaign's workers.

    Without `second_person` one lead may revoke anybody. `min_reviews` are asked for before that is recommended.
    """

    def __init__(
        self,
        campaign: BoundCampaign,
        workforce: Workforce,
        *,
        second_person: bool = True,
        min_reviews: int = 1,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self._campaign = campaign
        self._campaign_id = campaign.id
        self._store = campaign.store
        self._workforce = workforce
        self.second_person = second_person
        self._min_reviews = min_reviews
        self._clock = clock
        self._journal = Journal(campaign.store, clock)

    def decide(self, who: Reviewer, worker: str, change: Change, reason: str) -> WorkerDecision:
        """Revoking only proposes where it needs a second person.

        Raises `NotAllowed`, `Refused`, and `UnknownName` for a worker who did nothing here.
        """
        self.check_known(worker)
        acts: dict[Change, Callable[[Reviewer, str, str], WorkerDecision]] = {
            "grant": self._grant,
            "refuse": self._refuse,
            "propose": self._propose,
            "revoke": self._revoke,
            "confirm": self._confirm,
            "withdraw": self._withdraw,
            "reinstate": self._reinstate,
        }
        action = "propose" if change == "revoke" and self.needs_second_person(worker) else change
        with self._journal.entry(who, action, worker, self._note(action, worker, reason)):
            who.check(Right.DECIDE)
            before = self._workforce.standing(worker)
            decision = acts[action](who, worker, reason)
        if decision.event is not None and decision.event.standing == Standing.REVOKED != before:
            self._tell_of_appeals(decision.event)
        return decision

    def _tell_of_appeals(self, event: StandingEvent) -> None:
        """Tell a worker who was shut out until when they may appeal, and where; never the reasons."""
        until = self._campaign.review_terms.appealed_until(event.at)
        base = self._store.letters.address(self._campaign_id)
        if until is not None and base is not None:
            address = address_of(self._campaign.record, event.worker, base)
            text = said("notices.appeal.text", until=day(until), address=address)
            self._workforce.tell(event.worker, said("notices.appeal"), text)

    def _note(self, action: Change, worker: str, reason: str) -> str:
        proposal = self.waiting().get(worker) if action in ("confirm", "withdraw") else None
        given = _line(reason)
        if proposal is None:
            return given
        return f"proposed by {proposal.by}: {proposal.reason}" + (f"; {given}" if given else "")

    def check_known(self, worker: str) -> None:
        """The marketplace is asked for requests only where nobody else knows the name."""
        if assess(self._campaign, worker=worker):
            return
        known = {one.worker for one in assess(self._campaign)}
        known |= {one.worker for one in self._store.screenings.of_campaign(self._campaign_id)}
        if worker not in known and not self._requests_of(worker):
            raise UnknownName("worker", worker, known)

    def needs_second_person(self, worker: str) -> bool:
        """Return whether revoking the worker is a proposal at first."""
        shut_out = self._workforce.standing(worker) is Standing.REVOKED
        return self.second_person and not shut_out and not self._assessed(worker).recommended

    def waiting(self) -> dict[str, Proposal]:
        """Revocations that wait for a second person, by worker."""
        return self._store.proposals.waiting(self._campaign_id)

    def requests(self) -> list[GateRequest]:
        """Workers who ask the marketplace to be let in. Raises `PaymentError`."""
        return self._workforce.requests()

    def _requests_of(self, worker: str) -> list[GateRequest]:
        return [request for request in self._workforce.requests() if request.worker == worker]

    def _grant(self, who: Reviewer, worker: str, reason: str) -> WorkerDecision:
        if self._is_unseen(worker):
            if not self._requests_of(worker):
                raise Refused(f"Worker {worker!r} has not handed in the screening yet; there is nothing to judge.")
            if not reason.strip():
                raise InvalidInput("reason", f"{worker} never handed in a screening. Say why they are let in.")
        return WorkerDecision(worker, self._workforce.qualify(worker, who.name, reason))

    def _refuse(self, who: Reviewer, worker: str, reason: str) -> WorkerDecision:
        """A newcomer is kept out; the request of anybody else is turned down, and their standing stays."""
        if not self._waits(worker):
            requests = self._requests_of(worker)
            if not requests:
                raise Refused(f"Worker {worker!r} waits for no decision. Reload the page.")
            _needed(reason)
            self._turn_down(requests)
            return WorkerDecision(worker)
        if self._assessed(worker).completed:
            raise Refused(f"Worker {worker!r} has handed in HITs, which this would discard. Revoke, or grant.")
        event = self._workforce.revoke(worker, who.name, reason)
        with contextlib.suppress(PaymentError):  # then the request stays in the list, and can be answered again
            self._turn_down(self._requests_of(worker))
        return WorkerDecision(worker, event)

    def _turn_down(self, requests: list[GateRequest]) -> None:
        for request in requests:
            self._workforce.turn_down(request)

    def _propose(self, who: Reviewer, worker: str, reason: str) -> WorkerDecision:
        if self._workforce.standing(worker) is Standing.REVOKED:
            raise Refused(f"Worker {worker!r} is revoked already.")
        made_by, at = (who.name, who.machine_user), self._clock()
        proposal = self._store.proposals.add(self._campaign_id, worker, *made_by, _needed(reason), at)
        return WorkerDecision(worker, proposal=proposal)

    def _revoke(self, who: Reviewer, worker: str, reason: str) -> WorkerDecision:
        waiting = self.waiting().get(worker)
        settled = None if waiting is None else waiting.id
        return WorkerDecision(worker, self._workforce.revoke(worker, who.name, reason, settles=settled))

    def _confirm(self, who: Reviewer, worker: str, _reason: str) -> WorkerDecision:
        proposal = self._proposal(worker)
        if not self._is_somebody_else(who, proposal):
            raise Refused(f"{proposal.by} has proposed to revoke worker {worker!r}: a second person has to confirm it.")
        return WorkerDecision(worker, self._workforce.revoke(worker, who.name, proposal.reason, settles=proposal.id))

    def _withdraw(self, who: Reviewer, worker: str, _reason: str) -> WorkerDecision:
        return WorkerDecision(
            worker, proposal=self._store.proposals.withdraw(self._proposal(worker), who.name, self._clock())
        )

    def _reinstate(self, who: Reviewer, worker: str, reason: str) -> WorkerDecision:
        return WorkerDecision(worker, self._workforce.reinstate(worker, who.name, reason))

    def _proposal(self, worker: str) -> Proposal:
        waiting = self.waiting().get(worker)
        if waiting is None:
            raise Refused(f"No revocation of worker {worker!r} waits for a second person.")
        return waiting

    def _is_somebody_else(self, who: Reviewer, proposal: Proposal) -> bool:
        """A name that nobody has to prove is as good as the machine's user who claims it."""
        if who.name == proposal.by:
            return False
        both_proven = all(self._store.accounts.get(name) for name in (who.name, proposal.by))
        return both_proven or not who.machine_user or who.machine_user != proposal.machine_user

    def _assessed(self, worker: str) -> Assessment:
        """Return the worker's assessment by all reviewers' verdicts."""
        people = assess(self._campaign, min_reviews=self._min_reviews, worker=worker)
        return people[0] if people else Assessment(worker, None, 0, 0, 0, 0, 0.0, 1.0, recommended=False)

    def _waits(self, worker: str) -> bool:
        """For a person who judges the screening: candidates, and those whom the grader has failed."""
        standing = self._workforce.standing(worker)
        return standing is Standing.CANDIDATE or (standing is None and self._has_handed_in(worker))

    def _has_handed_in(self, worker: str) -> bool:
        return worker in self._store.screenings.confirmed(self._campaign_id)

    def _is_unseen(self, worker: str) -> bool:
        """Neither a screening nor a HIT of theirs can be looked at, and nobody has decided about them."""
        if self._workforce.standing(worker) is not None or self._has_handed_in(worker):
            return False
        return self._assessed(worker).completed == 0


def _line(reason: str) -> str:
    """A reason as it may stand in the log: one line, or none. Raises `InvalidInput`."""
    return _needed(reason) if reason.strip() else ""


def _needed(reason: str) -> str:
    return clean_line("reason", reason, max_chars=MAX_REASON_CHARS)
