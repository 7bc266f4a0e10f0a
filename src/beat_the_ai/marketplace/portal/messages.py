"""What requesters have written to the worker."""

from __future__ import annotations

from starlette.responses import Response

from beat_the_ai.marketplace.portal.visit import Visit

SHOWN = 100


def messages(visit: Visit) -> Response:
    """The newest first."""
    newest = visit.workplace.messages(visit.worker_id)[: -SHOWN - 1 : -1]
    shown: Response = visit.show("messages", newest=newest)
    return shown
