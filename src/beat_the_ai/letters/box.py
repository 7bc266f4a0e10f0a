"""The worker's side of letters: what a worker may know of the campaign and write to its requester."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from beat_the_ai.errors import InvalidInput, Refused, UnknownName
from beat_the_ai.letters.board import Board, BoardPage
from beat_the_ai.letters.saying import said
from beat_the_ai.letters.words import clean_text, day
from beat_the_ai.payments import Earnings
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.stage import Stage
from beat_the_ai.rules.text import check_key
from beat_the_ai.store import Letter, Review, now
from beat_the_ai.store.letters import MESSAGE, REJECTION, STANDING
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Standing
from beat_the_ai.workforce.verdicts import accepted, standing_reviews


@dataclass(frozen=True)
class JudgedHit:
    """A HIT of the review sample as its worker sees it. `until` is the deadline for an appeal, where one is open."""

    assignment: str
    title: str
    submitted_at: datetime
    accepted: bool
    reasons: tuple[str, ...]
    until: datetime | None


@dataclass(frozen=True)
class ShutOut:
    """A decision that lets the worker in no more. `refused`: a newcomer, who never was in."""

    event: str
    at: datetime
    refused: bool
    until: datetime | None


@dataclass(frozen=True)
class Results:
    """HITs that count, with the tries and wins in them that were not taken back.

    `tries` and `wins` are those of HITs that show the model's verdicts; `shows_model` is false if none of them does.
    """

    hits: int
    tries: int
    wins: int
    shows_model: bool = True

    @property
    def share(self) -> str:
        return f"{self.wins / self.tries:.0%}" if self.tries else ""


@dataclass(frozen=True)
class Mailbox:
    """All that a worker's page shows. `judged` is empty, or `board` None, if the campaign shows none."""

    results: Results
    earnings: Earnings | None
    shows_reasons: bool
    judged: tuple[JudgedHit, ...]
    shut_out: ShutOut | None
    letters: tuple[Letter, ...]
    answer_days: int
    board: BoardPage | None = None


class Letterbox:
    """The letters of one campaign's workers. `earnings` says what a worker has earned."""

    def __init__(
        self,
        campaign: BoundCampaign,
        earnings: Callable[[str], Earnings] | None = None,
        clock: Callable[[], datetime] = now,
        board: Board | None = None,
    ) -> None:
        self.campaign = campaign
        self._store = campaign.store
        self._terms = campaign.review_terms
        self._earnings = earnings
        self._clock = clock
        self._board = board or Board(campaign)

    def view(self, worker: str) -> Mailbox:
        """Return what a worker's page shows. Raises `UnknownName` for somebody who did nothing here, or left."""
        self._check_known(worker)
        letters = self._store.letters.of_worker(self.campaign.id, worker)
        return Mailbox(
            results=self._results(worker),
            earnings=None if self._earnings is None else self._earnings(worker),
            shows_reasons=self._terms.shows_reasons,
            judged=tuple(self._judged(worker, letters)),
            shut_out=self._shut_out(worker, letters),
            letters=tuple(reversed(letters)),
            answer_days=self._terms.answer_days,
            board=self._board.page(worker) if self._terms.shows_board else None,
        )

    def write(self, worker: str, key: str, kind: str, subject: str, text: str) -> Letter:
        """Keep a letter, durably, and return it. The same key again returns the letter that is kept.

        Raises `InvalidInput` for a text that is not allowed, and for what is not the worker's to appeal; `Refused`
        after the deadline, for a second appeal, and for too many letters; `UnknownName` for somebody unknown.
        """
        self._check_known(worker)
        check_key("key", key)
        name = short_hash(self.campaign.id, "letter", worker, key)
        for known in self._store.letters.of_worker(self.campaign.id, worker):
            if known.id == name:
                return known
        cleaned, at = clean_text(text), self._clock()
        if kind != MESSAGE:
            self._check_appeal(worker, kind, subject, at)
        due_at = self._terms.answered_until(at)
        about = "" if kind == MESSAGE else subject
        return self._store.letters.write(
            Letter(name, self.campaign.id, worker, kind, about, cleaned, at, due_at),
        )

    def join(self, worker: str, key: str, name: str) -> None:
        """Put a worker on the board by a name, or change it. Raises as `Board.choose`, and `UnknownName`."""
        self._check_known(worker)
        check_key("key", key)
        self._board.choose(worker, name, self._clock())

    def leave(self, worker: str, key: str) -> None:
        """Take a worker off the board. Raises `UnknownName` for somebody unknown."""
        self._check_known(worker)
        check_key("key", key)
        self._board.leave(worker)

    def _check_known(self, worker: str) -> None:
        campaigns = [self.campaign] if self.campaign.samples is None else [self.campaign, self.campaign.samples]
        if not any(self._store.letters.is_known(one.id, worker) for one in campaigns):
            raise UnknownName("worker", worker, [])

    def _check_appeal(self, worker: str, kind: str, subject: str, at: datetime) -> None:
        """Raise unless the worker may appeal this now."""
        judged = {(REJECTION, one.assignment): one.until for one in self._judged(worker, ())}
        shut_out = self._shut_out(worker, ())
        open_ = judged if shut_out is None else {**judged, (STANDING, shut_out.event): shut_out.until}
        until = open_.get((kind, subject))
        if until is None:
            raise InvalidInput("subject", said("letters_refusals.not_yours"))
        if at > until:
            raise Refused(said("letters_refusals.late", day=day(until)))

    def _results(self, worker: str) -> Results:
        taken = self._store.assignments.confirmed(self.campaign.id, worker=worker)
        written = [one for one in taken if one.stage is Stage.WRITING]
        seen = [one.id for one in written if self.campaign.round(one.round).terms.shows_model(one.arm)]
        attempts = [one for made in self._store.attempts.of_assignments(seen).values() for one in made]
        tries = [one for one in attempts if one.retracted_at is None]
        shows_model = bool(seen) or not written
        return Results(len(taken), len(tries), sum(one.fooled for one in tries), shows_model)

    def _judged(self, worker: str, letters: Sequence[Letter]) -> Iterator[JudgedHit]:
        """Yield the judged HITs, the newest first. Those that were appealed in one of the letters are not open."""
        if not self._terms.shows_reasons:
            return
        standing = standing_reviews(self._store.reviews.of_campaign(self.campaign.id, worker=worker))
        appealed = {one.subject for one in letters if one.kind == REJECTION}
        taken = self._store.assignments.confirmed(self.campaign.id, Stage.WRITING, worker=worker, among=list(standing))
        for one in reversed(taken):
            reviews = list(standing[one.id].values())
            assert one.submitted_at is not None, "it counts"
            yield JudgedHit(
                assignment=one.id,
                title=self._store.campaigns.hit(one.hit).context.title,
                submitted_at=one.submitted_at,
                accepted=accepted(reviews),
                reasons=tuple(review.reason for review in reviews if review.reason),
                until=None if one.id in appealed else self._until(reviews),
            )

    def _until(self, reviews: Sequence[Review]) -> datetime | None:
        """Return the deadline for an appeal of these reviews; None if they accept, or no appeals are taken."""
        if accepted(reviews):
            return None
        return self._terms.appealed_until(max(review.at for review in reviews if review.verdict == "reject"))

    def _shut_out(self, worker: str, letters: Sequence[Letter]) -> ShutOut | None:
        last = self._store.standings.last(self.campaign.id, worker)
        if last is None or last.standing != Standing.REVOKED:
            return None
        event = str(last.id)
        appealed = any((one.kind, one.subject) == (STANDING, event) for one in letters)
        before = {one.standing for one in self._store.standings.history(self.campaign.id, worker)}
        never_in = Standing.QUALIFIED not in before and not self._store.assignments.confirmed(
            self.campaign.id, worker=worker
        )
        return ShutOut(event, last.at, never_in, None if appealed else self._terms.appealed_until(last.at))
