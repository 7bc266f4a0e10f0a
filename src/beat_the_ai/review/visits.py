"""A request to a page of reviewers: who makes it, and what keeps others out.

Every answer says what the browser may do with it. A session is a random token in a cookie that scripts cannot read and
other sites cannot send. A change needs more: JSON, from a page of this very address, with the session's form token.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from beat_the_ai.errors import (
    BeatTheAIError,
    DiskFull,
    InvalidInput,
    PaymentError,
    Refused,
    StoreError,
    UnknownName,
    first_fault,
)
from beat_the_ai.listening.root_path import cookie_path
from beat_the_ai.review.accounts import LASTS, NotAllowed, NotSignedIn, TooOften
from beat_the_ai.rules.protocol import Value, View
from beat_the_ai.rules.roles import Right

MAX_BODY_BYTES = 64 * 1024
TOO_LONG = f"The request is too long; at most {MAX_BODY_BYTES:,} bytes are read."
JSON, FILE = "application/json", "application/octet-stream"
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


class Elsewhere(Refused):
    """A change that another site may have asked for."""

    code = "elsewhere"


class TooLarge(Refused):
    """A file of more bytes than are read."""

    code = "too_large"


STATUS: tuple[tuple[type[BeatTheAIError], int], ...] = (
    (NotSignedIn, 401),
    (TooOften, 429),
    (NotAllowed, 403),
    (Elsewhere, 403),
    (TooLarge, 413),
    (UnknownName, 404),
    (InvalidInput, 400),
    (Refused, 409),
    (PaymentError, 502),
    (DiskFull, 507),
    (StoreError, 503),  # it is away, or cannot be opened
)


class Visitor(Protocol):
    """Somebody with a session. `form_token` has to come with every change."""

    @property
    def form_token(self) -> str: ...


VisitorT = TypeVar("VisitorT", bound=Visitor)
ContentT = TypeVar("ContentT", bound=Value)


class Doorkeeper(Protocol[VisitorT]):
    """Signing in and out, and whose a session is."""

    def enter(self, name: str, password: str, address: str) -> str:
        """Return a new session's token. Raises `NotSignedIn` and `TooOften`."""

    def who(self, token: str) -> VisitorT | None:
        """Return None for whatever no session is of."""

    def leave(self, visitor: VisitorT) -> None: ...


class Credentials(Value):
    name: str
    password: str


@dataclass(frozen=True)
class Visit(Generic[VisitorT]):
    """One request. `visitor` is None for whoever has not signed in."""

    request: Request
    visitor: VisitorT | None
    body: bytes = b""

    def signed_in(self) -> VisitorT:
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


Act = Callable[[Visit[VisitorT]], Response]
Check = Callable[[Visit[VisitorT], Right], object]
Stream = Callable[[Visit[VisitorT], Callable[[], bool]], Response]
Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]


class GuardedRoute(Route):
    """A route of an API. `right` is what its visitor needs; None lets anybody in."""

    def __init__(self, method: str, path: str, right: Right | None, endpoint: Endpoint) -> None:
        super().__init__(path, endpoint, methods=[method])
        self.right = right


class Guard(Generic[VisitorT]):
    """The routes of an API, which know their visitor by the cookie of this name, or else by `script` of the headers.

    `check` raises for a visitor without a right. They are told so before the body is read.
    """

    def __init__(
        self,
        door: Doorkeeper[VisitorT],
        cookie: str,
        check: Check[VisitorT],
        script: Callable[[Headers], VisitorT | None] = lambda _headers: None,
    ) -> None:
        self._door = door
        self._cookie = cookie
        self._check = check
        self._script = script

    def shown(self, path: str, right: Right | None, act: Act[VisitorT]) -> GuardedRoute:
        """Return a route that reads."""
        return GuardedRoute("GET", path, right, self._endpoint(act, right, MAX_BODY_BYTES, TOO_LONG))

    def changed(
        self,
        path: str,
        right: Right | None,
        act: Act[VisitorT],
        *,
        most: int = MAX_BODY_BYTES,
        too_long: str = TOO_LONG,
    ) -> GuardedRoute:
        """Return a route that writes. At most `most` bytes of a body are read."""
        return GuardedRoute("POST", path, right, self._endpoint(act, right, most, too_long))

    def streamed(self, path: str, right: Right, act: Stream[VisitorT]) -> GuardedRoute:
        """Return a route that reads for long. `act` gets a function that says whether the visitor is still let in."""

        async def endpoint(request: Request) -> Response:
            def is_let_in() -> bool:
                try:
                    self.let_in(request, right)
                except BeatTheAIError:
                    return False
                return True

            try:
                return act(await run_in_threadpool(self.let_in, request, right), is_let_in)
            except BeatTheAIError as error:
                return problem(error)

        return GuardedRoute("GET", path, right, endpoint)

    def session_routes(self, session: Act[VisitorT]) -> list[GuardedRoute]:
        """Return the routes for everybody: who has signed in, by `session`, signing in, and signing out."""
        return [
            self.shown("/session", None, session),
            self.changed("/session", None, self._sign_in),
            self.changed("/sign-out", None, self._sign_out),
        ]

    def _sign_in(self, visit: Visit[VisitorT]) -> Response:
        """Begin a session. Raises `NotSignedIn` and `TooOften`."""
        given = visit.content(Credentials)
        client = visit.request.client
        token = self._door.enter(given.name, given.password, client.host if client else "")
        response = done()
        secure = visit.request.headers.get("origin", "").startswith("https:")  # also behind a proxy that ends TLS
        response.set_cookie(
            self._cookie,
            token,
            int(LASTS.total_seconds()),
            path=cookie_path(visit.request),
            secure=secure,
            httponly=True,
            samesite="strict",
        )
        return response

    def _sign_out(self, visit: Visit[VisitorT]) -> Response:
        """End the session. Raises `NotSignedIn`."""
        self._door.leave(visit.signed_in())
        response = done()
        path = cookie_path(visit.request)
        response.delete_cookie(self._cookie, path, httponly=True, samesite="strict")
        return response

    def let_in(self, request: Request, right: Right | None, content_type: str = JSON) -> Visit[VisitorT]:
        """Return a request with its visitor, without its body. Raises for one who is not let in."""
        token = request.cookies.get(self._cookie, "")
        visit = Visit(request, self._door.who(token) if token else self._script(request.headers))
        if request.method == "POST":
            _check_origin(visit, content_type)
        if right is not None:
            self._check(visit, right)
        return visit

    def _endpoint(self, act: Act[VisitorT], right: Right | None, most: int, too_long: str) -> Endpoint:
        def answer(visit: Visit[VisitorT]) -> Response:
            try:
                return act(visit)
            except BeatTheAIError as error:
                return problem(error)

        async def endpoint(request: Request) -> Response:
            try:
                visit = await run_in_threadpool(self.let_in, request, right)
                body = await _body(request, most, too_long)
            except ClientDisconnect:
                return Response(status_code=499)
            except BeatTheAIError as error:
                return problem(error)
            return await run_in_threadpool(answer, replace(visit, body=body))

        return endpoint


def view(shown: View) -> Response:
    """Answer with a view."""
    return JSONResponse(shown.sent())


def done() -> Response:
    """Answer that there is nothing more to say."""
    return JSONResponse({})


def problem(error: BeatTheAIError) -> Response:
    """Answer with what went wrong."""
    status = next((code for kind, code in STATUS if isinstance(error, kind)), 500)
    field = error.field if isinstance(error, InvalidInput) else None
    return JSONResponse({"error": {"code": error.code, "field": field, "message": str(error)}}, status)


def _check_origin(visit: Visit[VisitorT], content_type: str) -> None:
    """A form of another site sends no JSON and no `FILE`; a script of another site may not, and knows no form token.

    Raises `Elsewhere`. Pages of other ports of this machine are other sites here, although cookies reach those.
    """
    headers = visit.request.headers
    origin = headers.get("origin")
    if headers.get("content-type", "").partition(";")[0].strip().lower() != content_type:
        raise Elsewhere(ELSEWHERE)
    if origin is not None and origin.partition("://")[2] != headers.get("host"):
        raise Elsewhere(ELSEWHERE)
    if headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise Elsewhere(ELSEWHERE)
    if visit.visitor is not None:
        given = headers.get(FORM_TOKEN, "").encode("latin-1")
        if not hmac.compare_digest(given, visit.visitor.form_token.encode()):
            raise Elsewhere(ELSEWHERE)


async def _body(request: Request, most: int, too_long: str) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise InvalidInput("body", too_long)
    return bytes(body)
