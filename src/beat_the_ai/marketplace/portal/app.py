"""The portal's routes, and what holds for every page: a session, a form token, an error that can be read."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from beat_the_ai.errors import BeatTheAIError, DiskFull, InvalidInput, Refused
from beat_the_ai.marketplace.api.faults import WORKER_PORTAL
from beat_the_ai.marketplace.errors import Fault, RequestFailed, Throttled
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people.recruiters import NoRecruiters, Recruiters
from beat_the_ai.marketplace.people.studies import ONLY_BY_LINK
from beat_the_ai.marketplace.portal import (
    account,
    earnings,
    hits,
    html_question,
    messages,
    qualifying,
    speaking,
    studying,
    withdrawing,
    work,
)
from beat_the_ai.marketplace.portal.entering import HOME, set_cookie
from beat_the_ai.marketplace.portal.forms import Form, read_form
from beat_the_ai.marketplace.portal.joining import Joining
from beat_the_ai.marketplace.portal.postbox import Postbox
from beat_the_ai.marketplace.portal.sessions import COOKIE, Seal, Session, is_valid, new_session
from beat_the_ai.marketplace.portal.sign_in import SignIn
from beat_the_ai.marketplace.portal.visit import HERE, Visit
from beat_the_ai.marketplace.saying import PortalVoice, said, voices
from beat_the_ai.marketplace.workplace import Workplace
from beat_the_ai.messages import message_of
from beat_the_ai.web import palette
from beat_the_ai.web.faults import Faults, LostReply
from beat_the_ai.web.page_faults import page_faults

log = logging.getLogger(__name__)

Act = Callable[[Visit], Response]
OF_A_VISIT = ("/worker/assignments/", "/worker/study/")
SIGNED_OUT_OF_VISIT = "portal_refusals.signed_out_of_visit"
OLD_FORM = "portal_refusals.old_form"


class Portal:
    """The pages for the workers of a market; `routes()` goes into the application."""

    def __init__(
        self,
        market: Market,
        faults: Faults,
        recruiters: Recruiters | None = None,
        spoken: Mapping[str, PortalVoice] | None = None,
    ) -> None:
        self._market = market
        self._faults = faults
        self._recruiters = recruiters or NoRecruiters()
        self._voices = spoken or voices()
        self._workplace = Workplace(market)
        self._seal = Seal.of(market)

    def routes(self) -> list[BaseRoute]:
        door, joining, arriving = SignIn(), Joining(Postbox()), studying.Arriving(self._recruiters)
        open_to_all: list[tuple[str, str, Act]] = [
            ("GET", "/worker/sign-in", door.ask),
            ("POST", "/worker/sign-in", door.enter),
            ("POST", "/worker/sign-in/link", joining.ask_for_link),
            ("GET", "/worker/join/{token}", joining.look),
            ("POST", "/worker/join/{token}", joining.join),
            ("GET", "/worker/link/{token}", joining.look_at_link),
            ("POST", "/worker/link/{token}", joining.use_link),
            ("GET", "/worker/study/{key}", arriving.arrive),
            ("POST", "/worker/study/{key}", arriving.begin),
            ("POST", speaking.CHOICE, speaking.choose),
        ]
        shown: dict[str, Act] = {
            "/": lambda visit: visit.go(HOME),
            "/worker": lambda visit: visit.go(HOME),
            "/worker/hits": hits.offers,
            "/worker/types/{hit_type_id}": hits.first_of_type,
            "/worker/hits/{hit_id}": hits.preview,
            "/worker/work": work.in_progress,
            "/worker/assignments/{assignment_id}": work.assignment,
            "/worker/assignments/{assignment_id}/sent": work.sent,
            "/worker/qualifications": qualifying.qualifications,
            "/worker/tests/{request_id}": qualifying.test,
            "/worker/earnings": earnings.earnings,
            "/worker/messages": messages.messages,
            "/worker/account": account.account,
            studying.NOW: studying.now,
            withdrawing.OF_ACCOUNT: withdrawing.look,
            withdrawing.OF_VISIT: withdrawing.look,
            "/worker/account/changed": account.changed,
            "/worker/account/welcome": account.welcome,
        }
        posted: dict[str, Act] = {
            "/worker/sign-out": door.leave,
            "/worker/account/password": account.change_password,
            withdrawing.OF_ACCOUNT: withdrawing.withdraw,
            withdrawing.OF_VISIT: withdrawing.withdraw,
            "/worker/study/go-on": studying.go_on,
            "/worker/study/finish": studying.finish,
            "/worker/types/{hit_type_id}/accept": hits.accept_next,
            "/worker/hits/{hit_id}/accept": hits.accept,
            "/worker/assignments/{assignment_id}/return": work.give_back,
            "/worker/assignments/{assignment_id}/answers": work.answer,
            "/worker/qualifications/{qualification_type_id}": qualifying.ask,
            "/worker/tests/{request_id}": qualifying.submit_test,
        }
        return [
            Route("/worker/static/palette.css", _palette, methods=["GET"]),
            page_faults("/worker/faults"),
            Mount("/worker/static", StaticFiles(directory=HERE / "static")),
            *(Route(path, self._page(act), methods=["GET"]) for path, act in shown.items()),
            *(Route(path, self._page(act), methods=["POST"]) for path, act in posted.items()),
            *(Route(path, self._page(act, for_everyone=True), methods=[method]) for method, path, act in open_to_all),
            Route("/worker/hits/{hit_id}/question", self._in_frame(html_question.preview), methods=["GET"]),
            Route(f"{work.TASK}/question", self._in_frame(html_question.accepted), methods=["GET"]),
            Route(work.SUBMIT_WITH_PROOF, self._in_frame(work.submit_with_proof), methods=["POST"]),
            Route(work.SUBMIT, self._in_frame(work.submit_in_session), methods=["POST"]),
        ]

    def _page(self, act: Act, *, for_everyone: bool = False) -> Callable[[Request], Any]:
        def answer(visit: Visit) -> Response:
            if visit.session.worker_id is None and not for_everyone:
                if visit.path.startswith("/worker/study/"):
                    return _problem(visit, said(SIGNED_OUT_OF_VISIT), 403)
                target = visit.path if visit.request.method == "GET" else HOME
                return visit.go(f"/worker/sign-in?next={target}")
            if visit.request.method == "POST" and not _has_token(visit):
                if studying.has_begun_in_another_tab(visit):
                    return visit.go(studying.NOW)
                return _problem(visit, said(OLD_FORM), 403)
            if visit.session.visit and not for_everyone and not visit.path.startswith(OF_A_VISIT):
                return (
                    visit.go(studying.NOW)
                    if visit.request.method == "GET"
                    else _problem(visit, said(ONLY_BY_LINK), 409)
                )
            return act(visit)

        return self._endpoint(answer, framed=False)

    def _in_frame(self, act: Act) -> Callable[[Request], Any]:
        """For a requester's page, which knows no form token."""
        return self._endpoint(act, framed=True)

    def _endpoint(self, act: Act, *, framed: bool) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            form: Form = []
            injected = self._faults.draw(WORKER_PORTAL)
            problem: BeatTheAIError | None = injected.error
            try:
                if request.method == "POST":
                    form = await read_form(request)
            except InvalidInput as error:
                problem = error
            except ClientDisconnect:
                return Response(status_code=499)
            await asyncio.sleep(injected.seconds_before)
            response = await run_in_threadpool(self._answer, act, request, form, problem, framed)
            await asyncio.sleep(injected.seconds_after)
            return LostReply() if injected.lose_reply else response

        return endpoint

    def _answer(self, act: Act, request: Request, form: Form, problem: BeatTheAIError | None, framed: bool) -> Response:
        session, known = self._session(request)
        visit = Visit(self._market, self._workplace, self._seal, request, session, form, self._voices)
        try:
            if problem is not None:
                raise problem
            response = act(visit)
        except BeatTheAIError as error:
            response = _problem(visit, _words(error), _status(error), framed=framed)
        if not known and not framed and COOKIE not in response.headers.get("set-cookie", ""):
            set_cookie(visit, response, visit.session)
        return response

    def _session(self, request: Request) -> tuple[Session, bool]:
        """Return the browser's session, or a new one of the same browser, and whether the browser has it already."""
        session = self._seal.open(request.cookies.get(COOKIE, ""))
        if session is None:
            return new_session(self._market.clock.now()), False
        with self._market.reading() as moment:
            if is_valid(moment, session):
                return session, True
            return new_session(moment.now, browser=session.browser), False


def _has_token(visit: Visit) -> bool:
    return hmac.compare_digest(visit.field("form_token").encode(), visit.seal.form_token(visit.session).encode())


def _problem(visit: Visit, message: str, status: int, *, framed: bool = False) -> Response:
    page: Response = visit.show("problem", status=status, message=message, framed=framed, inside=framed)
    return page


def _words(error: BeatTheAIError) -> str:
    """Return what a worker is told: not what the protocol tells requesters' programs."""
    if _status(error) == 404:
        return said("portal_refusals.no_page")
    if isinstance(error, Throttled):
        return said("portal_refusals.too_fast")
    return said("portal_refusals.unavailable") if isinstance(error, Fault) else message_of(error)


def _status(error: BeatTheAIError) -> int:
    if isinstance(error, RequestFailed) and error.name.endswith("DoesNotExist"):
        return 404
    if isinstance(error, Throttled):
        return 429
    if isinstance(error, Fault):
        return 500
    if isinstance(error, DiskFull):
        log.error("A worker's page cannot be answered: the disk is full.")
        return 503
    return 409 if isinstance(error, Refused) else 400


async def _palette(_request: Request) -> Response:
    return Response(palette.stylesheet(), media_type="text/css")
