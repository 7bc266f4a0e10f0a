"""The page of an HTMLQuestion, served to its frame with an origin that is nobody's.

It is a stranger's page at the portal's address, so the answer says itself that it belongs into a sandbox: neither the
worker's session nor the portal's pages are within its reach, whoever opens the address and however.
"""

from __future__ import annotations

from starlette.responses import HTMLResponse, Response

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.assignments import get_assignment
from beat_the_ai.marketplace.hits import get_hit
from beat_the_ai.marketplace.people.studies import ONLY_BY_LINK
from beat_the_ai.marketplace.portal.frame import MAY
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.marketplace.portal.work import proven
from beat_the_ai.marketplace.questions import read_html
from beat_the_ai.marketplace.saying import said

HEADERS = {
    "Content-Security-Policy": f"sandbox {MAY}; frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
# Behind the page, so that its first line stays its first line: a doctype, as a rule.
SCRIPT = '\n<script src="{root}/worker/static/question.js"></script>'
SIGN_IN = "portal_refusals.signed_out"


def preview(visit: Visit) -> Response:
    if visit.session.worker_id is None:
        raise Refused(said(SIGN_IN))
    if visit.session.visit is not None:
        raise Refused(said(ONLY_BY_LINK))
    hit = visit.workplace.preview(visit.worker_id, visit.named("hit_id"))
    return _page(visit, hit.question, f"/worker/hits/{hit.id}")


def accepted(visit: Visit) -> Response:
    """The address says whose assignment it is; from its sandbox a page that reloads itself brings no cookie along."""
    assignment_id, _ = proven(visit)
    with visit.market.reading() as moment:
        question = get_hit(moment, get_assignment(moment, assignment_id).hit_id).question
    return _page(visit, question, f"/worker/assignments/{assignment_id}")


def _page(visit: Visit, question: str, around: str) -> Response:
    page = read_html(question)
    if page is None or visit.request.headers.get("sec-fetch-dest") == "document":  # only ever in its frame
        return visit.go(around)
    return HTMLResponse(page.content + SCRIPT.format(root=visit.root_path), headers=HEADERS)
