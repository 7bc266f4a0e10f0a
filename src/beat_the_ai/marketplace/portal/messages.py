"""The messages from requesters to the worker."""

from __future__ import annotations

from starlette.responses import Response

from beat_the_ai.marketplace.portal.visit import Visit

PER_PAGE = 25


def messages(visit: Visit) -> Response:
    page = visit.workplace.messages(visit.worker_id, size=PER_PAGE, next_token=visit.after)
    more = page.next_token if len(page.items) == PER_PAGE else None
    shown: Response = visit.show("messages", newest=page.items, next_token=more)
    return shown
