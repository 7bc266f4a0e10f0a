"""The requester's page in a frame: its address with what MTurk adds to it, and what the frame may do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from urllib.parse import urlsplit

from beat_the_ai.marketplace.assignments import Assignment
from beat_the_ai.marketplace.hits import Hit
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.marketplace.questions import read_external
from beat_the_ai.marketplace.requesters import access_keys_of
from beat_the_ai.web.holding import Holding

HEIGHTS = range(300, 4_001)


@dataclass(frozen=True)
class Frame:
    """`policy` is the frame-src that lets the page in, and after a submission our own answer."""

    url: str
    height: int
    policy: str


def frame_of(visit: Visit, hit: Hit, assignment: Assignment | None = None) -> Frame | None:
    """Without an assignment it is a preview. None for questions that are no pages: they are not shown here."""
    question = read_external(hit.question)
    if question is None:
        return None
    base = str(visit.request.base_url).rstrip("/")
    if assignment is None:
        url = question.preview_url(hit_id=hit.id, submit_to=base)
    else:
        proof = visit.seal.proof(assignment.id, assignment.worker_id)
        submit_to = f"{base}/worker/task/{assignment.id}/{proof}"
        with visit.market.reading() as moment:
            secrets = [key.secret for key in access_keys_of(moment, hit.requester_id)]
        url = question.work_url(_holding(visit, assignment), submit_to=submit_to, secrets=secrets)
    height = min(max(question.frame_height, HEIGHTS.start), HEIGHTS.stop - 1)
    return Frame(url, height, f"'self' https: {_origin_on_this_machine(url)}".strip())


def _holding(visit: Visit, assignment: Assignment) -> Holding:
    """Its deadline is by the time of day: a rehearsal's clock may be months ahead of the requester's."""
    left = assignment.deadline - visit.market.clock.now()
    deadline = datetime.now(timezone.utc) + left
    return Holding(assignment.worker_id, assignment.id, assignment.hit_id, int(deadline.timestamp()))


def _origin_on_this_machine(url: str) -> str:
    """A rehearsal's page may come over http; https pages may lead to other https pages."""
    parts = urlsplit(url)
    return f"http://{parts.hostname}:{parts.port or 80}" if parts.scheme == "http" else ""
