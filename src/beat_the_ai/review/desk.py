"""What a reviewer can see and do. Whoever comes here has signed in; everything that is done is in the log first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Literal

from beat_the_ai.errors import BeatTheAIError, InvalidInput, Refused, UnknownName
from beat_the_ai.payments import Owed
from beat_the_ai.review import views
from beat_the_ai.rules.text import clean_line
from beat_the_ai.store import Review, StandingEvent, Store, now
from beat_the_ai.workforce import (
    Assessment,
    Reviewing,
    Standing,
    Workforce,
    assess,
    consequences,
    evidence_for,
)
from beat_the_ai.workforce.assessment import THRESHOLD
from beat_the_ai.workforce.reviewing import MAX_REASON_CHARS, standing_reviews

Verdict = Literal["accept", "reject", "undo"]
Change = Literal["grant", "refuse", "revoke", "reinstate"]
JUDGING = ("accept", "reject", "undo")
PAGE_OF_LOG = 100
Json = dict[str, Any]


class ReviewDesk:
    """The review of one campaign.

    `owed` says what the campaign owes to whom. `min_reviews` are asked for before a revocation is recommended.
    """

    def __init__(
        self,
        store: Store,
        campaign_id: str,
        workforce: Workforce,
        *,
        owed: Callable[[], Iterable[Owed]] = tuple,
        min_reviews: int = 1,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self.store = store
        self.campaign_id = campaign_id
        self._workforce = workforce
        self._reviewing = Reviewing(store, campaign_id, clock)
        self._owed = owed
        self._min_reviews = min_reviews
        self._clock = clock

    def overview(self, reviewer: str, *, sees_all: bool) -> Json:
        """Every worker, as the reviewer may know them. The sample is filled up first, which only ever adds to it."""
        self._reviewing.draw()
        return {
            "campaign": self.campaign_id,
            "threshold": THRESHOLD,
            "workers": self._workers(reviewer, sees_all=sees_all),
            "candidates": len(self._workforce.candidates()),
            "agreement": views.agreement(self._reviewing.agreement()),
        }

    def _workers(self, reviewer: str, *, sees_all: bool) -> list[Json]:
        """A blind reviewer's accuracy counts the HITs that this reviewer has judged, and no others."""
        standing = self._reviews()
        draws = self.store.reviews.draws(self.campaign_id)
        waiting: Counter[str] = Counter()
        judged: Counter[str] = Counter()
        for one in self.store.attempts.confirmed(self.campaign_id):
            if one.id in draws and reviewer not in standing.get(one.id, {}):
                waiting[one.worker] += 1
                judged[one.worker] += one.id in standing
        people = self._assess(judged_by=None if sees_all else reviewer)
        return [views.worker(one, waiting[one.worker], judged[one.worker]) for one in people]

    def _assess(self, judged_by: str | None = None) -> list[Assessment]:
        return assess(self.store, self.campaign_id, min_reviews=self._min_reviews, judged_by=judged_by)

    def worker(self, reviewer: str, worker: str) -> Json:
        """All that a worker's sampled HITs hold, how the worker came to stand so, and what a revocation would do."""
        self._check_known(worker)
        hits = self._reviewing.queue(reviewer, worker)
        evidence = evidence_for(self.store, self.campaign_id, {one.assignment.id for one in hits})
        votes = self._votes()
        reviews = self._reviews()
        effect = consequences(self.store, self.campaign_id, worker, self._owed())
        return {
            "worker": worker,
            "history": [views.standing(event) for event in self._workforce.history(worker)],
            "consequences": vars(effect),
            "hits": [
                views.hit(one, evidence[one.assignment.id], votes, reviews.get(one.assignment.id, {}), reviewer)
                for one in hits
            ],
        }

    def _votes(self) -> dict[str, list[Mapping[str, Any]]]:
        """`{attempt: validators' votes}` of those attempts that were voted on."""
        votes: dict[str, list[Mapping[str, Any]]] = {}
        for placed in self.store.validations.snapshot(self.campaign_id).placed:
            if placed.vote is not None and placed.counts and placed.item.attempt_id is not None:
                votes.setdefault(placed.item.attempt_id, []).append({"worker": placed.worker, **placed.vote.vote})
        return votes

    def _reviews(self, assignment: str | None = None) -> dict[str, dict[str, Review]]:
        """`{assignment: {reviewer: what stands}}`, of all or of one."""
        return standing_reviews(self.store.reviews.of_campaign(self.campaign_id, assignment))

    def judge(self, reviewer: str, assignment: str, verdict: Verdict, reason: str = "") -> Json:
        """What stands now on the HIT. Raises `UnknownName` unless it is in the sample."""
        if assignment not in self.store.reviews.draws(self.campaign_id):
            raise UnknownName("sampled assignment", assignment, [])
        worker, why = self.store.attempts.assignment(assignment).worker, _line(reason)
        with self._logged(reviewer, verdict, assignment, f"HIT of {worker}" + (f": {why}" if why else "")):
            if verdict == "accept":
                self._reviewing.accept(assignment, reviewer, reason)
            elif verdict == "reject":
                self._reviewing.reject(assignment, reviewer, reason)
            else:
                self._reviewing.undo(assignment, reviewer)
        return views.verdicts(self._reviews(assignment).get(assignment, {}), reviewer)

    def change_standing(self, reviewer: str, worker: str, change: Change, reason: str, confirmation: str = "") -> Json:
        """The new standing. A revocation has to be confirmed by the worker's id, spelled out."""
        self._check_known(worker)
        if change == "revoke" and confirmation != worker:
            raise InvalidInput("confirmation", f"Type {worker} to confirm that all work of this worker is discarded.")
        if change == "refuse" and self._workforce.standing(worker) is not Standing.CANDIDATE:
            raise Refused(f"Worker {worker!r} is no candidate any more. Reload the page.")
        act: dict[Change, Callable[[str, str, str], StandingEvent]] = {
            "grant": self._workforce.qualify,
            "refuse": self._workforce.revoke,
            "revoke": self._workforce.revoke,
            "reinstate": self._workforce.reinstate,
        }
        with self._logged(reviewer, change, worker, _line(reason)):
            return views.standing(act[change](worker, reviewer, reason))

    def see_all(self, reviewer: str, session_id: str, *, sees_all: bool) -> None:
        """Let a reviewer see what all reviewers together found, or be blind again."""
        with self._logged(reviewer, "see_all_results" if sees_all else "see_own_results"):
            self.store.accounts.see_all(session_id, sees_all=sees_all)

    def candidates(self) -> list[Json]:
        """Screenings and candidates: those who wait for a decision first, in the order in which they came."""
        current = self.store.standings.current(self.campaign_id)
        screenings = self._screenings()
        waiting = [event.worker for event in self._workforce.candidates()]
        told = []
        for worker in [*waiting, *(name for name in screenings if name not in waiting)]:
            standing = views.standing(current[worker]) if worker in current else None
            told.append({"worker": worker, "standing": standing, "screening": screenings.get(worker)})
        return told

    def _screenings(self) -> dict[str, Json]:
        """By worker: the answers to the quiz, and the sample HIT, which belongs to a campaign of its own."""
        found = []
        for screening in self.store.screenings.of_campaign(self.campaign_id):
            _, responses = self.store.screenings.session(screening.assignment_id)
            assignment, attempts = self.store.attempts.session(screening.assignment_id)
            found.append((screening, responses, assignment, attempts, self.store.campaigns.hit(assignment.hit_id)))
        samples: dict[str, set[str]] = {}
        for _, _, assignment, _, hit in found:
            samples.setdefault(hit.campaign_id, set()).add(assignment.id)
        evidence = {
            name: items
            for campaign_id, assignments in samples.items()
            for name, items in evidence_for(self.store, campaign_id, assignments).items()
        }
        telemetry = {campaign_id: self.store.attempts.telemetry(campaign_id) for campaign_id in samples}
        return {
            screening.worker: {
                "outcome": screening.outcome,
                "started_at": views.time(screening.started_at),
                "submitted_at": views.time(screening.submitted_at),
                "steps": [views.response(one) for one in responses],
                "context": views.context(hit.context),
                "attempts": views.attempts(attempts, telemetry[hit.campaign_id], evidence[assignment.id], {}),
                "feedback": assignment.feedback,
            }
            for screening, responses, assignment, attempts, hit in found
        }

    def log(self, reviewer: str, before: int | None) -> Json:
        """The newest entries first. What others did with HITs that this reviewer has not judged yet is left out."""
        standing = self._reviews()
        entries = self.store.audit.entries(before, PAGE_OF_LOG)
        seen = [
            one
            for one in entries
            if one.action not in JUDGING or one.who == reviewer or reviewer in standing.get(one.subject, {})
        ]
        more = entries[-1].id if len(entries) == PAGE_OF_LOG else None
        return {"entries": [views.entry(one) for one in seen], "before": more}

    def _check_known(self, worker: str) -> None:
        known = {one.worker for one in self._assess()}
        if worker not in known:
            raise UnknownName("worker", worker, known)

    @contextmanager
    def _logged(self, who: str, action: str, subject: str = "", note: str = "") -> Iterator[None]:
        """Written before it is done, so that nothing is done unwritten; what was not done is written after it."""
        self.store.audit.add(self._clock(), who, action, subject, note)
        try:
            yield
        except BeatTheAIError as error:
            self.store.audit.add(self._clock(), who, f"{action}_failed", subject, str(error))
            raise


def _line(reason: str) -> str:
    """A reason as it may stand in the log: one line, or none. Raises `InvalidInput`."""
    return clean_line("reason", reason, max_chars=MAX_REASON_CHARS) if reason.strip() else ""
