"""The desk of reviewers who have signed in: what they can see and do. Every act is logged first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Literal

from beat_the_ai.campaign.money.crowd import rejections_of
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.payments import Owed
from beat_the_ai.review import held_views, views
from beat_the_ai.review.accounts import NotAllowed, Reviewer
from beat_the_ai.review.decisions import Change, Decisions
from beat_the_ai.review.doubts import Doubts
from beat_the_ai.review.held import Held
from beat_the_ai.review.inbox import Inbox
from beat_the_ai.review.journal import Journal
from beat_the_ai.review.newcomers import newcomers
from beat_the_ai.review.people import PeopleDesk
from beat_the_ai.review.queue import Queue
from beat_the_ai.rules.roles import Right
from beat_the_ai.rules.text import clean_line
from beat_the_ai.store import Review, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import THRESHOLD, Reviewing, Signs, Workforce, consequences
from beat_the_ai.workforce.reviewing import MAX_REASON_CHARS
from beat_the_ai.workforce.verdicts import standing_reviews

Verdict = Literal["accept", "reject", "undo"]
JUDGING = ("accept", "reject", "undo")
PAGE_OF_LOG = 100
EDITS_AT_ONCE = 100


class ReviewDesk:
    """The review of one campaign.

    `owed` says what a worker has earned. `min_reviews` are asked for before a revocation is recommended; one that
    is not waits for a second person, unless `second_person` is false. `endpoint` names another requester API than the
    campaign's.
    """

    def __init__(
        self,
        campaign: BoundCampaign,
        workforce: Workforce,
        *,
        owed: Callable[[str], Iterable[Owed]] = lambda _worker: (),
        second_person: bool = True,
        min_reviews: int = 1,
        endpoint: str | None = None,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self.campaign = campaign
        self.store = campaign.store
        self._workforce = workforce
        self._reviewing = Reviewing(self.campaign, clock)
        self._owed = owed
        self._journal = Journal(self.store, clock)
        self._doubts = Doubts(campaign, clock)
        self._held = Held(campaign.store, endpoint, clock)
        self._signs = Signs(self.campaign)
        self._kind = self.campaign.kind
        self.decisions = Decisions(
            campaign, workforce, second_person=second_person, min_reviews=min_reviews, clock=clock
        )
        self._inbox = Inbox(campaign, workforce, self._reviewing, self.decisions, clock)
        self.people = PeopleDesk(campaign, clock)
        self._queue = Queue(campaign, self._reviewing, self.decisions, min_reviews=min_reviews)

    def overview(self, reviewer: str) -> views.Overview:
        """Return the numbers at the head of the queue. The sample is filled up first, which only ever adds to it."""
        store, head = self.store, self._queue.head(reviewer)
        return views.Overview(
            campaign=self.campaign.id,
            words=self._kind.words,
            threshold=THRESHOLD,
            second_person=self.decisions.second_person,
            to_judge=head.to_judge,
            next=head.next,
            candidates=store.review_queue.candidates(self.campaign.id),
            doubtful=views.DoubtfulCounts.model_validate(store.review_queue.doubted(self.campaign.id)),
            letters=len(self._inbox.waiting(reviewer)),
            agreement=views.Agreement.of(self._queue.agreement()),
        )

    def workers(self, reviewer: str, *, sees_all: bool, after: str = "", sought: str = "") -> views.WorkersPage:
        """Return a page of the queue. Raises `InvalidInput`."""
        return self._queue.page(reviewer, sees_all=sees_all, after=after, sought=sought)

    def worker(self, reviewer: str, worker: str, *, sees_all: bool) -> views.WorkerDetail:
        """All that a worker's sampled HITs hold, how the worker came to stand so, and what a revocation would do."""
        self.decisions.check_known(worker)
        hits = self._reviewing.queue(reviewer, worker)
        evidence = self._signs.of(one.assignment.id for one in hits)
        votes = self.store.validations.votes_on(attempt.id for one in hits for attempt in one.attempts)
        reviews = standing_reviews(self.store.reviews.of_campaign(self.campaign.id, worker=worker))
        edits = self.store.edits.counts([one.assignment.id for one in hits])
        effect = consequences(self.campaign, worker, self._owed(worker))
        events, proposals = self._workforce.history(worker), self.store.proposals.of_campaign(self.campaign.id, worker)
        return views.WorkerDetail(
            worker=worker,
            summary=self._queue.row(reviewer, worker, sees_all=sees_all),
            next=self._queue.head(reviewer, after=worker).next,
            history=tuple(views.StandingEvent.model_validate(event) for event in events),
            proposals=tuple(views.Proposal.model_validate(one) for one in proposals),
            consequences=views.Consequences.model_validate(effect),
            hits=tuple(
                views.Hit.of(
                    one,
                    evidence[one.assignment.id],
                    votes,
                    views.Verdicts.of(reviews.get(one.assignment.id, {}), reviewer),
                    edits.get(one.assignment.id, 0),
                    self._kind.reading,
                )
                for one in hits
            ),
        )

    def _reviews(self, assignment: str | None = None) -> dict[str, dict[str, Review]]:
        """`{assignment: {reviewer: what stands}}`, of all or of one."""
        return standing_reviews(self.store.reviews.of_campaign(self.campaign.id, assignment))

    def judge(self, who: Reviewer, assignment: str, verdict: Verdict, reason: str = "") -> Review:
        """Raises `UnknownName` unless the HIT is in the sample, and `NotAllowed`."""
        if not self.store.reviews.is_drawn(self.campaign.id, assignment):
            raise UnknownName("sampled assignment", assignment, [])
        worker, why = self.store.assignments.get(assignment).worker, _line(reason)
        with self._journal.entry(who, verdict, assignment, f"HIT of {worker}" + (f": {why}" if why else "")):
            who.check(Right.JUDGE)
            if verdict == "accept":
                return self._reviewing.accept(assignment, who.name, reason)
            if verdict == "reject":
                return self._reviewing.reject(assignment, who.name, reason)
            return self._reviewing.undo(assignment, who.name)

    def edits(self, assignment: str, after: int) -> views.Edits:
        """The drafts of a HIT in their order, those above the ordinal `after`; `more` if that is not all of them.

        Raises `UnknownName` for a HIT of another campaign.
        """
        hit = self.store.assignments.get(assignment).hit
        if self.store.campaigns.hit(hit).campaign_id != self.campaign.id:
            raise UnknownName("assignment", assignment, [])
        found = self.store.edits.of_assignment(assignment, after=after, most=EDITS_AT_ONCE + 1)
        shown = tuple(views.Edit.model_validate(one) for one in found[:EDITS_AT_ONCE])
        return views.Edits(edits=shown, more=len(found) > EDITS_AT_ONCE)

    def doubtful(self) -> views.DoubtfulWorks:
        works = tuple(views.DoubtfulWork.of(one, self._kind.reading) for one in self._doubts.all())
        return views.DoubtfulWorks(doubtful=works)

    def settle_doubts(self, who: Reviewer, attempt: str, *, admitted: bool, reason: str) -> views.DoubtfulWorks:
        """Settle the doubts and return those that remain. Raises as `Doubts.settle` does."""
        self._doubts.settle(who, attempt, admitted=admitted, reason=reason)
        return self.doubtful()

    def held(self) -> held_views.HeldHits:
        """Return the HITs on hold, those that nobody has decided first, and what the crowd asks for to reject one."""
        hits = sorted(self._held.all(), key=lambda one: one.work.decision is not None)
        return held_views.HeldHits.of(hits, rejections_of(self.campaign))

    def decide_pay(
        self, who: Reviewer, assignment: str, *, pays: bool, reason: str, category: str | None
    ) -> held_views.HeldHits:
        """Pay a HIT on hold or withhold it, and return those on hold. Raises as `Held.decide` does."""
        self._held.decide(who, assignment, pays=pays, reason=reason, category=category)
        return self.held()

    def letters(self, who: Reviewer) -> views.Inbox:
        """Return the letters that a reviewer may answer."""
        return self._inbox.view(who)

    def answer(self, who: Reviewer, letter: str, text: str, *, upheld: bool | None) -> views.Inbox:
        """Answer a letter and return those that remain. Raises as `Inbox.answer` does."""
        self._inbox.answer(who, letter, text, upheld=upheld)
        return self.letters(who)

    def judged(self, reviewer: str, assignment: str, *, sees_all: bool) -> views.Judged:
        """Return the verdicts on the HIT and its worker, as the reviewer may see them."""
        verdicts = views.Verdicts.of(self._reviews(assignment).get(assignment, {}), reviewer)
        worker = self.store.assignments.get(assignment).worker
        return views.Judged(**dict(verdicts), worker=self._queue.row(reviewer, worker, sees_all=sees_all))

    def change_standing(
        self, who: Reviewer, worker: str, change: Change, reason: str, confirmation: str = ""
    ) -> views.Outcome:
        """Change a worker's standing and return the outcome. A revocation is confirmed by typing the worker's id."""
        self.decisions.check_known(worker)
        if change in ("propose", "revoke", "confirm") and confirmation != worker:
            raise InvalidInput("confirmation", f"Type {worker} to confirm that all work of this worker is discarded.")
        return views.Outcome.of(self.decisions.decide(who, worker, change, reason))

    def see_all(self, who: Reviewer, session_id: str, *, sees_all: bool) -> None:
        """Let a reviewer see what all reviewers together found, or be blind again."""
        with self._journal.entry(who, "see_all_results" if sees_all else "see_own_results"):
            self.store.accounts.see_all(session_id, sees_all=sees_all)

    def admit(self, who: Reviewer, right: Right, change: str = "") -> None:
        """Raise `NotAllowed` unless somebody has a right. A refused change is written down."""
        try:
            who.check(right)
        except NotAllowed as error:
            if change:
                self._journal.refused(who, change, str(error))
            raise

    def candidates(self) -> views.Candidates:
        return views.Candidates(candidates=newcomers(self.campaign))

    def requests(self) -> views.QualificationRequests:
        """Workers who ask the marketplace to be let in, oldest first. Raises `PaymentError`."""
        current = self.store.standings.current(self.campaign.id)
        screened = self.store.screenings.confirmed(self.campaign.id)
        requests = tuple(
            views.QualificationRequest.of(one, current.get(one.worker), screened=one.worker in screened)
            for one in self.decisions.requests()
        )
        return views.QualificationRequests(requests=requests)

    def log(self, reviewer: str, before: int | None) -> views.LogPart:
        """The newest entries first. What others did with HITs that this reviewer has not judged yet is left out."""
        standing = self._reviews()
        entries = self.store.audit.entries(before, PAGE_OF_LOG)
        seen = [
            one
            for one in entries
            if one.action not in JUDGING or one.who == reviewer or reviewer in standing.get(one.subject, {})
        ]
        more = entries[-1].id if len(entries) == PAGE_OF_LOG else None
        return views.LogPart(entries=tuple(views.LogEntry.model_validate(one) for one in seen), before=more)


def _line(reason: str) -> str:
    """A reason as it may stand in the log: one line, or none. Raises `InvalidInput`."""
    return clean_line("reason", reason, max_chars=MAX_REASON_CHARS) if reason.strip() else ""
