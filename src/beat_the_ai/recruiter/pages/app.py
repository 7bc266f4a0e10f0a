"""The pages' routes, and what holds for every page: a session, a form token, an error that can be read."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Callable
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from beat_the_ai.errors import BeatTheAIError, DiskFull, InvalidInput, Refused
from beat_the_ai.marketplace.portal.forms import read_form
from beat_the_ai.recruiter import participants
from beat_the_ai.recruiter.errors import RecruiterError
from beat_the_ai.recruiter.pages import entering, studying
from beat_the_ai.recruiter.pages.sessions import COOKIE, Seal, Session, new_session
from beat_the_ai.recruiter.pages.visit import Form, Visit
from beat_the_ai.recruiter.recruiter import Recruiter
from beat_the_ai.web import palette
from beat_the_ai.web.faults import Faults, LostReply

log = logging.getLogger(__name__)

Act = Callable[[Visit], Response]
OLD_FORM = "This form is too old, or it did not come from this page. Please go back, reload the page and try again."
FOR_EVERYONE: list[tuple[str, str, Act]] = [
    ("GET", "/", entering.ask),
    ("POST", "/sign-in", entering.enter),
    ("POST", "/participants", entering.begin),
]
FOR_PARTICIPANTS: list[tuple[str, str, Act]] = [
    ("POST", "/sign-out", entering.leave),
    ("GET", "/studies", studying.offers),
    ("POST", "/studies/{study_id}/take", studying.take),
    ("GET", "/submissions", studying.mine),
    ("GET", "/submissions/complete", studying.arrive_with_code),
    ("GET", "/submissions/{submission_id}", studying.submission),
    ("GET", "/submissions/{submission_id}/open", studying.open_study),
    ("POST", "/submissions/{submission_id}/complete", studying.complete),
    ("POST", "/submissions/{submission_id}/return", studying.give_back),
    ("GET", "/messages", studying.inbox),
    ("POST", "/messages", studying.write),
]


class Pages:
    """The pages for the participants of a recruiter; `routes()` goes into the application."""

    def __init__(self, recruiter: Recruiter, faults: Faults) -> None:
        self._recruiter = recruiter
        self._faults = faults
        workspace = recruiter.workspace
        self._currency = workspace.currency
        self._seal = Seal(workspace.page_secret)

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/static/palette.css", _palette, methods=["GET"]),
            Route("/static/style.css", _style, methods=["GET"]),
            *(Route(path, self._page(act, for_everyone=True), methods=[how]) for how, path, act in FOR_EVERYONE),
            *(Route(path, self._page(act), methods=[how]) for how, path, act in FOR_PARTICIPANTS),
        ]

    def _page(self, act: Act, *, for_everyone: bool = False) -> Callable[[Request], Any]:
        def answer(visit: Visit) -> Response:
            if visit.session.participant_id is None and not for_everyone:
                url, path = visit.request.url, visit.request.url.path.removeprefix(visit.root_path)
                wanted = f"{path}?{url.query}" if url.query else path
                return visit.go(f"/?next={quote(wanted, safe='/')}" if visit.request.method == "GET" else "/")
            if visit.request.method == "POST" and not _has_token(visit):
                return _problem(visit, OLD_FORM, 403)
            return act(visit)

        async def endpoint(request: Request) -> Response:
            form: Form = []
            injected = self._faults.draw(self._faults.pages)
            problem: BeatTheAIError | None = injected.error
            try:
                if request.method == "POST":
                    form = await read_form(request)
            except InvalidInput as error:
                problem = error
            except ClientDisconnect:
                return Response(status_code=499)
            await asyncio.sleep(injected.seconds_before)
            response = await run_in_threadpool(self._answer, answer, request, form, problem)
            await asyncio.sleep(injected.seconds_after)
            return LostReply() if injected.lose_reply else response

        return endpoint

    def _answer(self, act: Act, request: Request, form: Form, problem: BeatTheAIError | None) -> Response:
        session = self._session(request)
        visit = Visit(self._recruiter, self._currency, self._seal, request, session or new_session(), form)
        try:
            if problem is not None:
                raise problem
            response = act(visit)
        except BeatTheAIError as error:
            response = _problem(visit, str(error), _status(error))
        if session is None and "set-cookie" not in response.headers:
            visit.keep(visit.session, response)
        return response

    def _session(self, request: Request) -> Session | None:
        """Return the browser's session, None where it has none of this store."""
        session = self._seal.open(request.cookies.get(COOKIE, ""))
        if session is None or session.participant_id is None:
            return session
        with self._recruiter.reading() as moment:
            return session if participants.exists(moment, session.participant_id) else None


def _has_token(visit: Visit) -> bool:
    return hmac.compare_digest(visit.field("form_token").encode(), visit.seal.form_token(visit.session).encode())


def _problem(visit: Visit, message: str, status: int) -> Response:
    return visit.show("problem", status=status, message=message)


def _status(error: BeatTheAIError) -> int:
    if isinstance(error, RecruiterError):
        return error.status
    if isinstance(error, DiskFull):
        log.error("A participant's page cannot be answered: the disk is full.")
        return 503
    return 409 if isinstance(error, Refused) else 400


async def _palette(_request: Request) -> Response:
    return Response(palette.stylesheet(), media_type="text/css")


async def _style(_request: Request) -> Response:
    """The portal's: both look like the pages of one project."""
    style = files("beat_the_ai.marketplace") / "portal" / "static" / "style.css"
    return Response(style.read_text(encoding="utf-8"), media_type="text/css")
