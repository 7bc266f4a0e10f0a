"""The HTTP side of a worker's page: plain HTML without scripts, where the address alone says whose page it is.

What a worker writes is durable before the answer; sent again, it is kept once. Everything shown is escaped.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from beat_the_ai.errors import BeatTheAIError, DiskFull, InvalidInput, Refused, StoreAway, UnknownName
from beat_the_ai.letters.address import worker_of
from beat_the_ai.letters.board import MAX_CHARS as MAX_NAME_CHARS
from beat_the_ai.letters.board import MIN_CHARS
from beat_the_ai.letters.box import Letterbox, Mailbox
from beat_the_ai.letters.saying import said, voices
from beat_the_ai.letters.words import MAX_CHARS, day
from beat_the_ai.messages import message_of
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.store import Campaign
from beat_the_ai.store.letters import MESSAGE
from beat_the_ai.terms.crowd import CrowdTerms
from beat_the_ai.web import palette
from beat_the_ai.web.token_bucket import TokenBucket
from beat_the_ai.words.accepted import language_for
from beat_the_ai.words.voice import Voice

if TYPE_CHECKING:
    from jinja2 import Environment

MAX_BODY_BYTES = 64 * 1024  # 2,000 characters of four bytes, each written as %XX
MAX_FIELDS = 10
PER_SECOND, BURST = 1, 30  # requests of a worker
JOIN, LEAVE, BOARD = "join", "leave", "board"
LANGUAGE = "lang"  # the parameter of an address that says in which language its reader came from the task
# No Cross-Origin-Opener-Policy: a browser would not open the page from the portal's sandboxed frame.
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
}
STATUS: tuple[tuple[type[BeatTheAIError], int], ...] = (
    (InvalidInput, 400),
    (Refused, 409),
    (StoreAway, 503),
    (DiskFull, 507),
)


@dataclass(frozen=True)
class Draft:
    """A letter that was not kept, with the reason."""

    kind: str = MESSAGE
    subject: str = ""
    text: str = ""
    problem: str = ""


NO_DRAFT = Draft()


class Named(Protocol):
    """The campaign as its pages name it."""

    @property
    def id(self) -> str: ...

    @property
    def crowd(self) -> CrowdTerms: ...


def build_app(campaign: Campaign, box: Callable[[], Letterbox], own_words: Path | None = None) -> Starlette:
    """Return the pages. `box` opens the campaign's letterbox by its terms of the moment.

    `own_words` is a folder of words that overrides the product's.
    """
    return Starlette(
        routes=[
            *STYLES,
            Route("/{token}", _Pages(campaign, box, own_words).answer, methods=["GET", "POST"]),
        ]
    )


class _Pages:
    def __init__(self, campaign: Campaign, box: Callable[[], Letterbox], own_words: Path | None) -> None:
        self._campaign = campaign
        self._own_words = own_words
        self._box = box
        self._paces: dict[str, TokenBucket] = {}  # by worker: only the campaign makes tokens, so there are not many

    async def answer(self, request: Request) -> Response:
        try:
            form = await _form(request) if request.method == "POST" else None
        except ClientDisconnect:
            return Response(status_code=499)
        except InvalidInput as error:
            return problem_page(self._voice(request), message_of(error), 413)
        return await run_in_threadpool(self._answer, request, form)

    def _answer(self, request: Request, form: dict[str, str] | None) -> Response:
        voice = self._voice(request)
        worker = worker_of(self._campaign, str(request.path_params["token"]))
        if worker is None:
            return problem_page(voice, said("letters_refusals.nobody"), 404)
        if self._paces.setdefault(worker, TokenBucket(PER_SECOND, BURST)).seconds_to_wait():
            return problem_page(voice, said("letters_refusals.too_fast"), 429)
        try:
            if form is None:
                return _page(voice, self._box(), worker, NO_DRAFT, request.query_params.get("sent", ""))
            return _write(voice, self._box(), worker, form)
        except UnknownName:
            return problem_page(voice, said("letters_refusals.nobody"), 404)
        except BeatTheAIError as error:
            return problem_page(voice, message_of(error), _status(error))

    def _voice(self, request: Request) -> Voice:
        """Return the voice in the language of the task that led here, else in one that the browser asks for."""
        asked, header = request.query_params.get(LANGUAGE), request.headers.get("accept-language", "")
        offered = voices(self._own_words)
        return offered[language_for(asked, header, offered, ENGLISH)]


def _write(voice: Voice, box: Letterbox, worker: str, form: dict[str, str]) -> Response:
    kind, subject, text = (form.get(name, "") for name in ("kind", "subject", "text"))
    key = form.get("key", "")
    try:
        if kind == JOIN:
            box.join(worker, key, text)
        elif kind == LEAVE:
            box.leave(worker, key)
        else:
            letter = box.write(worker, key, kind, subject, text)
    except (InvalidInput, Refused) as error:
        return _page(voice, box, worker, Draft(kind, subject, text, message_of(error)), status=_status(error))
    sent = BOARD if kind in (JOIN, LEAVE) else letter.id
    return RedirectResponse(f"?sent={sent}&{LANGUAGE}={voice.language}", 303, HEADERS)


def _page(voice: Voice, box: Letterbox, worker: str, draft: Draft, sent: str = "", status: int = 200) -> Response:
    return mailbox_page(voice, box.view(worker), box.campaign, draft, sent, status)


def mailbox_page(
    voice: Voice, mailbox: Mailbox, campaign: Named, draft: Draft = NO_DRAFT, sent: str = "", status: int = 200
) -> Response:
    """Return a worker's page. `sent` is the id of a letter that was kept a moment ago."""
    return _shown(
        voice,
        "letters",
        status,
        campaign=campaign,
        mailbox=mailbox,
        draft=draft,
        sent=next((one for one in mailbox.letters if one.id == sent), None),
        board_changed=sent == BOARD and mailbox.board is not None,
        max_chars=MAX_CHARS,
        amount=lambda cents: voice.amount(cents, campaign.crowd.unit),
        name_chars=(MIN_CHARS, MAX_NAME_CHARS),
    )


def problem_page(voice: Voice, message: str, status: int) -> Response:
    return _shown(voice, "problem", status, message=message)


def _shown(voice: Voice, page: str, status: int, **values: Any) -> Response:
    shown = (
        _templates()
        .get_template(f"{page}.html")
        .render(**values, voice=voice, say=voice.say, told=voice.told, say_with=voice.say_with)
    )
    return HTMLResponse(shown, status, HEADERS)


def _status(error: BeatTheAIError) -> int:
    return next((code for kind, code in STATUS if isinstance(error, kind)), 500)


async def _form(request: Request) -> dict[str, str]:
    """Return the first value of each field. Raises `InvalidInput` for a body that is too long, unread."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise InvalidInput("text", said("letters_refusals.too_long", most=MAX_CHARS))
    try:
        fields = parse_qsl(body.decode("latin-1"), keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="replace")
    except ValueError:
        raise InvalidInput("body", said("letters_refusals.fields", most=MAX_FIELDS)) from None
    return dict(reversed(fields))


async def _palette(_request: Request) -> Response:
    return Response(palette.stylesheet(), media_type="text/css", headers=HEADERS)


async def _style(_request: Request) -> Response:
    """The portal's with a few lines more: both look like the pages of one project."""
    portals = files("beat_the_ai.marketplace") / "portal" / "static" / "style.css"
    own = files("beat_the_ai.letters") / "page.css"
    style = "\n".join(each.read_text(encoding="utf-8") for each in (portals, own))
    return Response(style, media_type="text/css", headers=HEADERS)


STYLES = (Route("/palette.css", _palette, methods=["GET"]), Route("/style.css", _style, methods=["GET"]))


@cache
def _templates() -> Environment:
    """Return the templates. Jinja is imported for the first page that is shown: every campaign's service has these."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader("beat_the_ai.letters"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    templates.filters |= {"day": day}
    templates.globals["new_key"] = lambda: secrets.token_urlsafe(16)
    return templates
