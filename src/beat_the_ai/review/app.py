"""The HTTP side of the review: the page's files, a JSON API, and what keeps others out.

Every answer says what the browser may do with it. A session is a random token in a cookie that scripts cannot read and
other sites cannot send. A change needs more: JSON, from a page of this very address, with the session's form token.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from beat_the_ai.errors import BeatTheAIError, DiskFull, InvalidInput, PaymentError, Refused, UnknownName, first_fault
from beat_the_ai.review import views
from beat_the_ai.review.accounts import LASTS, Door, NotSignedIn, SignedIn, TooOften
from beat_the_ai.review.decisions import Change, NotALead
from beat_the_ai.review.desk import ReviewDesk, Verdict
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.protocol import Value, View
from beat_the_ai.web.built_page import AnswerHeaders, BuiltPage
from beat_the_ai.web.page_faults import page_faults

MAX_BODY_BYTES = 64 * 1024
FORM_TOKEN = "x-form-token"  # noqa: S105 - the name of a header
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
ELSEWHERE = "This did not come from a page of this address, or the page is too old. Please reload it and try again."
STATUS: tuple[tuple[type[BeatTheAIError], int], ...] = (
    (NotSignedIn, 401),
    (TooOften, 429),
    (NotALead, 403),
    (UnknownName, 404),
    (InvalidInput, 400),
    (Refused, 409),
    (PaymentError, 502),
    (DiskFull, 507),
)

ContentT = TypeVar("ContentT", bound=Value)


class Elsewhere(Refused):
    """A change that another site may have asked for."""

    code = "elsewhere"


class Credentials(Value):
    name: str
    password: str


class Judgement(Value):
    assignment: str
    verdict: Verdict
    reason: str = ""


class StandingChange(Value):
    """`confirmation` is the worker's id once more: a revocation has to be typed."""

    worker: str
    change: Change
    reason: str = ""
    confirmation: str = ""


class Admission(Value):
    """A lead's word on a work that is doubted."""

    attempt: str
    admitted: bool
    reason: str = ""


class Results(Value):
    """The verdicts that count in a reviewer's view of workers."""

    all: bool


@dataclass(frozen=True)
class Visit:
    """One request. `visitor` is None for whoever has not signed in."""

    request: Request
    visitor: SignedIn | None
    body: bytes

    def signed_in(self) -> SignedIn:
        if self.visitor is None:
            raise NotSignedIn("Please sign in.")
        return self.visitor

    def content(self, kind: type[ContentT]) -> ContentT:
        """The body. Raises `InvalidInput`, which names the first wrong field and quotes nothing of it."""
        try:
            return kind.model_validate_json(self.body)
        except ValidationError as error:
            fault = first_fault(error, "body")
            raise InvalidInput(fault.place, f"{fault.place}: {fault.reason}") from None

    def asked(self, name: str) -> str:
        return self.request.query_params.get(name, "")

    def number(self, name: str) -> int | None:
        """None where none was sent. Raises `InvalidInput`."""
        sent = self.asked(name)
        if sent and not (sent.isascii() and sent.isdigit() and len(sent) < 16):
            raise InvalidInput(name, f"{name} must be the number that the last list ended with.")
        return int(sent) if sent else None


Act = Callable[[Visit], Response]


def build_app(desk: ReviewDesk, door: Door, page: Path) -> Starlette:
    """The application. `page` is the folder of the built page."""
    routes = [Mount("/api", routes=_Api(desk, door).routes()), page_faults(), Mount("/", BuiltPage(page))]
    return Starlette(routes=routes, middleware=[Middleware(AnswerHeaders, headers=HEADERS)])


class _Api:
    def __init__(self, desk: ReviewDesk, door: Door) -> None:
        self._desk = desk
        self._door = door
        # Cookies do not know ports: two campaigns that are reviewed on one machine each have their own.
        self._cookie = f"reviewer_session_{short_hash(desk.campaign.id)}"

    def routes(self) -> list[Route]:
        shown: dict[str, Act] = {
            "/session": self.session,
            "/overview": self.overview,
            "/workers": self.workers,
            "/worker": self.worker,
            "/candidates": self.candidates,
            "/requests": self.requests,
            "/doubtful": self.doubtful,
            "/edits": self.edits,
            "/log": self.log,
        }
        changed: dict[str, Act] = {
            "/session": self.sign_in,
            "/sign-out": self.sign_out,
            "/judgements": self.judge,
            "/standings": self.change_standing,
            "/admissions": self.settle_doubts,
            "/results": self.see_results,
        }
        return [
            *(Route(path, self._endpoint(act), methods=["GET"]) for path, act in shown.items()),
            *(Route(path, self._endpoint(act), methods=["POST"]) for path, act in changed.items()),
        ]

    def session(self, visit: Visit) -> Response:
        """Return the reviewer who has signed in, and the token that every change must carry."""
        who = visit.visitor
        if who is None:
            return _view(views.SignedOut())
        return _view(
            views.SignedIn(
                campaign=self._desk.campaign.id,
                reviewer=who.reviewer.name,
                lead=who.reviewer.lead,
                sees_all=who.sees_all,
                form_token=who.form_token,
            )
        )

    def sign_in(self, visit: Visit) -> Response:
        given = visit.content(Credentials)
        client = visit.request.client
        token = self._door.enter(given.name, given.password, client.host if client else "")
        response = _answer({})
        secure = visit.request.headers.get("origin", "").startswith("https:")  # also behind a proxy that ends TLS
        response.set_cookie(
            self._cookie, token, int(LASTS.total_seconds()), secure=secure, httponly=True, samesite="strict"
        )
        return response

    def sign_out(self, visit: Visit) -> Response:
        self._door.leave(visit.signed_in())
        response = _answer({})
        response.delete_cookie(self._cookie, httponly=True, samesite="strict")
        return response

    def overview(self, visit: Visit) -> Response:
        return _view(self._desk.overview(visit.signed_in().reviewer.name))

    def workers(self, visit: Visit) -> Response:
        who, after, sought = visit.signed_in(), visit.asked("after"), visit.asked("sought")
        return _view(self._desk.workers(who.reviewer.name, sees_all=who.sees_all, after=after, sought=sought))

    def worker(self, visit: Visit) -> Response:
        who = visit.signed_in()
        return _view(self._desk.worker(who.reviewer.name, visit.asked("id"), sees_all=who.sees_all))

    def candidates(self, visit: Visit) -> Response:
        visit.signed_in()
        return _view(self._desk.candidates())

    def requests(self, visit: Visit) -> Response:
        """The only one that asks the marketplace: apart from the others, which a silent one must not hold up."""
        visit.signed_in()
        return _view(self._desk.requests())

    def doubtful(self, visit: Visit) -> Response:
        visit.signed_in()
        return _view(self._desk.doubtful())

    def edits(self, visit: Visit) -> Response:
        visit.signed_in()
        return _view(self._desk.edits(visit.asked("assignment"), visit.number("after") or 0))

    def log(self, visit: Visit) -> Response:
        return _view(self._desk.log(visit.signed_in().reviewer.name, visit.number("before")))

    def judge(self, visit: Visit) -> Response:
        who, given = visit.signed_in(), visit.content(Judgement)
        self._desk.judge(who.reviewer, given.assignment, given.verdict, given.reason)
        return _view(self._desk.judged(who.reviewer.name, given.assignment, sees_all=who.sees_all))

    def change_standing(self, visit: Visit) -> Response:
        who, given = visit.signed_in(), visit.content(StandingChange)
        return _view(
            self._desk.change_standing(who.reviewer, given.worker, given.change, given.reason, given.confirmation)
        )

    def settle_doubts(self, visit: Visit) -> Response:
        who, sent = visit.signed_in(), visit.content(Admission)
        return _view(self._desk.settle_doubts(who.reviewer, sent.attempt, admitted=sent.admitted, reason=sent.reason))

    def see_results(self, visit: Visit) -> Response:
        who = visit.signed_in()
        self._desk.see_all(who.reviewer, who.session_id, sees_all=visit.content(Results).all)
        return _answer({})

    def _endpoint(self, act: Act) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            try:
                body = await _body(request)
            except ClientDisconnect:
                return Response(status_code=499)
            except InvalidInput as error:
                return _problem(error)
            return await run_in_threadpool(self._answer, act, request, body)

        return endpoint

    def _answer(self, act: Act, request: Request, body: bytes) -> Response:
        token = request.cookies.get(self._cookie, "")
        visit = Visit(request, self._door.who(token) if token else None, body)
        try:
            if request.method == "POST":
                _check_origin(visit)
            return act(visit)
        except BeatTheAIError as error:
            return _problem(error)


def _check_origin(visit: Visit) -> None:
    """A form of another site sends no JSON; a script of another site may not; one that may knows no form token.

    Raises `Elsewhere`. Pages of other ports of this machine are other sites here, although cookies reach those.
    """
    headers = visit.request.headers
    origin = headers.get("origin")
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Elsewhere(ELSEWHERE)
    if origin is not None and urlsplit(origin).netloc != headers.get("host"):
        raise Elsewhere(ELSEWHERE)
    if headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise Elsewhere(ELSEWHERE)
    if visit.visitor is not None:
        given = headers.get(FORM_TOKEN, "").encode("latin-1")
        if not hmac.compare_digest(given, visit.visitor.form_token.encode()):
            raise Elsewhere(ELSEWHERE)


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise InvalidInput("body", f"The request is too long; at most {MAX_BODY_BYTES:,} bytes are read.")
    return bytes(body)


def _view(view: View) -> Response:
    return _answer(view.sent())


def _answer(told: Any, status: int = 200) -> Response:
    return JSONResponse(told, status)


def _problem(error: BeatTheAIError) -> Response:
    status = (
        403 if isinstance(error, Elsewhere) else next((code for kind, code in STATUS if isinstance(error, kind)), 500)
    )
    field = error.field if isinstance(error, InvalidInput) else None
    return _answer({"error": {"code": error.code, "field": field, "message": str(error)}}, status)
