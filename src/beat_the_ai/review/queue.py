"""The queue of workers as a reviewer sees it, page by page, and the numbers at its head."""

from __future__ import annotations

from collections.abc import Iterable

from beat_the_ai.errors import InvalidInput
from beat_the_ai.review import views
from beat_the_ai.review.decisions import Decisions
from beat_the_ai.store import Position, QueuedWorker, QueueHead, Viewer
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Agreement, Reviewing
from beat_the_ai.workforce.agreement import agreement
from beat_the_ai.workforce.assessment import assessment_of
from beat_the_ai.workforce.verdicts import standing_reviews

PAGE_OF_WORKERS = 50


class Queue:
    """The queue of one campaign. Whatever is read, the sample is filled up first, which only ever adds to it."""

    def __init__(
        self, campaign: BoundCampaign, reviewing: Reviewing, decisions: Decisions, *, min_reviews: int
    ) -> None:
        self._campaign_id = campaign.id
        self._store = campaign.store
        self._queue = campaign.store.review_queue
        self._reviewing = reviewing
        self._decisions = decisions
        self._min_reviews = min_reviews

    def page(self, reviewer: str, *, sees_all: bool, after: str = "", sought: str = "") -> views.WorkersPage:
        """Return the workers behind a position, which the page before ended with. Raises `InvalidInput`."""
        self._reviewing.draw()
        viewer = self._viewer(reviewer, sees_all=sees_all)
        page = self._queue.page(viewer, PAGE_OF_WORKERS, after=_position(after), sought=sought)
        end = "{} {}".format(*page.workers[-1].position) if page.left else None
        return views.WorkersPage(workers=self._views(page.workers), left=page.left, after=end)

    def row(self, reviewer: str, worker: str, *, sees_all: bool) -> views.Worker:
        """Return one worker of the queue."""
        self._reviewing.draw()
        found = self._queue.worker(self._viewer(reviewer, sees_all=sees_all), worker)
        assert found is not None, "somebody with a HIT or a standing is in the queue"
        [row] = self._views([found])
        return row

    def head(self, reviewer: str, *, after: str = "") -> QueueHead:
        """Return the HITs that wait for the reviewer, and the next worker behind one with any."""
        self._reviewing.draw()
        return self._queue.head(self._viewer(reviewer, sees_all=False), after)

    def agreement(self) -> Agreement:
        """Return the reviewers' agreement, from the workers with a HIT that two or more have judged."""
        workers = self._queue.judged_twice(self._campaign_id)
        events = self._store.reviews.verdicts(self._campaign_id, among=workers)
        said = standing_reviews(events).values()
        return agreement([{name: one.verdict for name, one in of_hit.items()} for of_hit in said])

    def _viewer(self, reviewer: str, *, sees_all: bool) -> Viewer:
        return Viewer(self._campaign_id, reviewer, sees_all, self._min_reviews)

    def _views(self, rows: Iterable[QueuedWorker]) -> tuple[views.Worker, ...]:
        proposed = self._decisions.waiting()
        return tuple(
            views.Worker.of(assessment_of(one), one.to_judge, one.judged_by_others, proposed.get(one.worker))
            for one in rows
        )


def _position(text: str) -> Position | None:
    """Return the position that a page ended with. Raises `InvalidInput`."""
    if not text:
        return None
    rank, space, worker = text.partition(" ")
    if not (space and len(rank) == 1 and rank.isascii() and rank.isdigit()):
        raise InvalidInput("after", "after must be the position that the last page ended with.")
    return Position(int(rank), worker)
