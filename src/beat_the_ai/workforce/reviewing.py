"""Reviews: what people say of the sampled HITs. Each judges blind: others' verdicts are shown once one's own stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.rules.stage import Stage
from beat_the_ai.rules.text import clean_line
from beat_the_ai.store import Assignment, Attempt, Draw, Hit, Review, Telemetry, Verdict, now
from beat_the_ai.store.letters import REJECTION
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce.agreement import Agreement, agreement
from beat_the_ai.workforce.sampling import choose, sample_size
from beat_the_ai.workforce.verdicts import ACCEPT, REJECT, UNDO, measure, standing_reviews

MAX_REASON_CHARS = 1000
MAX_NAME_CHARS = 80


@dataclass(frozen=True)
class SampledHit:
    """A HIT of the sample with everything that its worker wrote, as one reviewer may see it.

    `mine` is this reviewer's verdict; `others` are those of the rest, empty until `mine` stands.
    """

    assignment: Assignment
    hit: Hit
    attempts: tuple[Attempt, ...]
    telemetry: dict[str, Telemetry]
    drawn: Draw
    mine: Review | None
    others: tuple[Review, ...]


class Reviewing:
    """The review of one campaign's HITs."""

    def __init__(self, campaign: BoundCampaign, clock: Callable[[], datetime] = now) -> None:
        self._campaign = campaign
        self._store = campaign.store
        self._campaign_id = campaign.id
        self._seed = campaign.seed
        self._clock = clock

    def draw(self) -> list[Draw]:
        """Fill up the sample of every worker, and bring the tallies up to date. Returns what was added.

        To be called after every batch.
        """
        tallies = self._store.review_tallies
        tallies.update(self._campaign_id, measure)
        added = self._store.reviews.draw(
            self._campaign_id,
            sample_size,
            lambda worker, submitted, drawn: choose(self._seed, worker, submitted, drawn),
            self._clock(),
        )
        tallies.update(self._campaign_id, measure)  # with what others have drawn meanwhile, too
        return added

    def queue(self, reviewer: str, worker: str | None = None) -> list[SampledHit]:
        """The sample, or one worker's part of it, by worker in the order of submission."""
        draws = self._store.reviews.draws(self._campaign_id, worker)
        standing = standing_reviews(self._store.reviews.of_campaign(self._campaign_id, worker=worker))
        attempts = self._store.attempts.of_assignments(draws)
        telemetry = self._store.attempts.telemetry_of(one.id for made in attempts.values() for one in made)
        found = []
        for one in self._store.assignments.confirmed(self._campaign_id, Stage.WRITING, worker=worker):
            if one.id not in draws:
                continue
            made = tuple(attempts.get(one.id, ()))
            reviews = standing.get(one.id, {})
            mine = reviews.get(reviewer)
            found.append(
                SampledHit(
                    one,
                    self._store.campaigns.hit(one.hit),
                    made,
                    {attempt.id: telemetry[attempt.id] for attempt in made if attempt.id in telemetry},
                    draws[one.id],
                    mine,
                    tuple(review for review in reviews.values() if mine is not None and review is not mine),
                )
            )
        return sorted(found, key=lambda sampled: sampled.assignment.worker)  # stable: submission decides within one

    def accept(self, assignment_id: str, reviewer: str, reason: str = "") -> Review:
        """The HIT is good work. Raises `UnknownName` unless it is in the sample."""
        return self._judge(assignment_id, reviewer, ACCEPT, reason)

    def reject(self, assignment_id: str, reviewer: str, reason: str) -> Review:
        """The HIT is bad work, and why. Its payment is not touched."""
        if not reason.strip():
            raise InvalidInput("reason", "A rejection needs a reason. Say what is wrong with the HIT.")
        if self._store.letters.is_upheld(self._campaign_id, REJECTION, assignment_id):
            raise Refused("The worker's appeal about this HIT was upheld; it is not rejected again.")
        return self._judge(assignment_id, reviewer, REJECT, reason)

    def overturn(self, assignment_id: str, by: str, reason: str) -> None:
        """Take back all rejections of a HIT, and accept it: an appeal was upheld. Done again, it changes nothing."""
        events = self._store.reviews.of_campaign(self._campaign_id, assignment_id)
        for reviewer, said in standing_reviews(events).get(assignment_id, {}).items():
            if said.verdict == REJECT:
                self._add(assignment_id, reviewer, UNDO, reason)
        self.accept(assignment_id, by, reason)

    def undo(self, assignment_id: str, reviewer: str) -> Review:
        """Take one's own verdict back: the HIT is unreviewed again, as far as this reviewer goes."""
        name = _name(reviewer)
        if self._mine(assignment_id, name) is None:
            raise Refused(f"Reviewer {name!r} has no verdict on assignment {assignment_id!r} to take back.")
        return self._add(assignment_id, name, UNDO, "")

    def agreement(self) -> Agreement:
        return ReviewedSample.read(self._campaign).agreement

    def _judge(self, assignment_id: str, reviewer: str, verdict: str, reason: str) -> Review:
        cleaned = clean_line("reason", reason, max_chars=MAX_REASON_CHARS) if reason.strip() else ""
        name = _name(reviewer)
        mine = self._mine(assignment_id, name)
        if mine is not None and (mine.verdict, mine.reason) == (verdict, cleaned):
            return mine
        return self._add(assignment_id, name, verdict, cleaned)

    def _add(self, assignment_id: str, name: str, verdict: str, reason: str) -> Review:
        return self._store.reviews.add(self._campaign_id, assignment_id, name, verdict, reason, self._clock())

    def _mine(self, assignment_id: str, reviewer: str) -> Review | None:
        events = self._store.reviews.of_campaign(self._campaign_id, assignment_id)
        return standing_reviews(events).get(assignment_id, {}).get(reviewer)


def _name(reviewer: str) -> str:
    return clean_line("reviewer", reviewer, max_chars=MAX_NAME_CHARS)


@dataclass(frozen=True)
class ReviewedSample:
    """The sample of a campaign, or one worker's, and what stands on it.

    `workers` has the worker of each sampled assignment; `standing` is as `standing_reviews` gives it.
    """

    workers: Mapping[str, str]
    standing: Mapping[str, Mapping[str, Verdict]]

    @classmethod
    def read(cls, campaign: BoundCampaign, worker: str | None = None) -> ReviewedSample:
        """Read the sample of everybody, or of one worker."""
        reviews = campaign.store.reviews
        return cls(reviews.sample(campaign.id, worker), standing_reviews(reviews.verdicts(campaign.id, worker)))

    def waiting_for(self, reviewer: str) -> list[str]:
        """The assignments that this reviewer has not judged."""
        return [assignment for assignment in self.workers if reviewer not in self.standing.get(assignment, {})]

    @property
    def agreement(self) -> Agreement:
        """Over the HITs that two or more reviewers judged, with intervals."""
        said = [{name: one.verdict for name, one in of_hit.items()} for of_hit in self.standing.values()]
        return agreement(said, with_intervals=True)
