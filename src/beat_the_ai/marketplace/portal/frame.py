"""The requester's page in a frame: its address with what MTurk adds to it, and what the frame may do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from urllib.parse import urlsplit

from beat_the_ai.marketplace.assignments import Assignment
from beat_the_ai.marketplace.hits import Hit
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.marketplace.questions import ExternalQuestion, read_external, read_html
from beat_the_ai.marketplace.requesters import active_secrets
from beat_the_ai.web.signed_assignment import SignedAssignment

HEIGHTS = range(300, 4_001)
# Pop-ups are in the sandbox as well: outside of it they could lead the worker away from the portal.
MAY = "allow-scripts allow-forms allow-modals allow-popups allow-downloads"


@dataclass(frozen=True)
class Frame:
    """`policy` is the frame-src that lets the page in, and after a submission our own answer.

    `height` 0 fits the window [doc]. `sandbox` leaves a page of a site of its own there; one that this portal serves
    gets an origin that is nobody's.
    """

    url: str
    height: int
    policy: str
    sandbox: str


def frame_of(visit: Visit, hit: Hit, assignment: Assignment | None = None) -> Frame | None:
    """Without an assignment it is a preview. None for a QuestionForm, which is a part of the portal's own page."""
    base = str(visit.request.base_url).rstrip("/")
    served = _served_here(visit, base, hit, assignment)
    question = served or read_external(hit.question)
    if question is None:
        return None
    if assignment is None:
        url = question.preview_url(hit_id=hit.id, submit_to=base)
    else:
        with visit.market.reading() as moment:
            secrets = active_secrets(moment, hit.requester_id)
        submit_to = base + task_path(visit, assignment)
        url = question.work_url(_holding(visit, assignment), submit_to=submit_to, secrets=secrets)
    height = question.frame_height and min(max(question.frame_height, HEIGHTS.start), HEIGHTS.stop - 1)
    if served:
        return Frame(url, height, "'self'", MAY)
    return Frame(url, height, f"'self' https: {_origin_on_this_machine(url)}".strip(), f"{MAY} allow-same-origin")


def task_path(visit: Visit, assignment: Assignment) -> str:
    """Return the path to which the page of an assignment posts, with the proof that it is this worker's."""
    return f"/worker/task/{assignment.id}/{visit.seal.proof(assignment.id, assignment.worker_id)}"


def _served_here(visit: Visit, base: str, hit: Hit, assignment: Assignment | None) -> ExternalQuestion | None:
    """An HTMLQuestion is shown like an ExternalQuestion, whose page the portal serves."""
    page = read_html(hit.question)
    if page is None:
        return None
    path = f"/worker/hits/{hit.id}" if assignment is None else task_path(visit, assignment)
    return ExternalQuestion(f"{base}{path}/question", page.frame_height)


def _holding(visit: Visit, assignment: Assignment) -> SignedAssignment:
    """Its deadline is by the time of day: a rehearsal's clock may be months ahead of the requester's."""
    left = assignment.deadline - visit.market.clock.now()
    deadline = datetime.now(timezone.utc) + left
    return SignedAssignment(assignment.worker_id, assignment.id, assignment.hit_id, int(deadline.timestamp()))


def _origin_on_this_machine(url: str) -> str:
    """A rehearsal's page may come over http; https pages may lead to other https pages."""
    parts = urlsplit(url)
    return f"http://{parts.hostname}:{parts.port or 80}" if parts.scheme == "http" else ""
