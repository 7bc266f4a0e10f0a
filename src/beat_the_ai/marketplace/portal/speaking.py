"""A worker chooses the language of the pages."""

from __future__ import annotations

from datetime import timedelta

from starlette.responses import Response

from beat_the_ai.errors import InvalidInput
from beat_the_ai.listening.root_path import cookie_path
from beat_the_ai.marketplace.portal.entering import HOME
from beat_the_ai.marketplace.portal.languages import COOKIE, here
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.marketplace.saying import said

CHOICE = "/worker/language"
LASTS = timedelta(days=365)


def choose(visit: Visit) -> Response:
    """Keep a worker's choice in their browser, and show them the page again."""
    language, target = visit.field("language"), visit.field("next")
    if language not in visit.voices:
        raise InvalidInput("language", said("portal_refusals.language", language=repr(language[:20])))
    response = visit.go(here(target) or HOME)
    path, secure = cookie_path(visit.request), visit.request.url.scheme == "https"
    lasts = int(LASTS.total_seconds())
    response.set_cookie(COOKIE, language, lasts, path=path, httponly=True, samesite="lax", secure=secure)
    return response
