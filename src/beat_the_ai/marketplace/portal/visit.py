"""One request to the portal: who asks, what was posted, and how a page is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from beat_the_ai.listening.root_path import root_path_of
from beat_the_ai.marketplace.errors import does_not_exist
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people.store import language_of, unit_of
from beat_the_ai.marketplace.portal.formatted import formatted
from beat_the_ai.marketplace.portal.forms import Form
from beat_the_ai.marketplace.portal.languages import chosen_language, here
from beat_the_ai.marketplace.portal.questionnaire import hint
from beat_the_ai.marketplace.portal.sessions import Seal, Session
from beat_the_ai.marketplace.question_forms import Question
from beat_the_ai.marketplace.saying import PortalVoice
from beat_the_ai.marketplace.workplace import Workplace

HERE = Path(__file__).parent
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
}
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "img-src 'self' data: {media}; media-src 'self' {media}; "
    "form-action 'self'; base-uri 'none'; frame-src {frames}; frame-ancestors {ancestors}"
)


@dataclass(frozen=True)
class Visit:
    """The data for the functions behind the routes."""

    market: Market
    workplace: Workplace
    seal: Seal
    request: Request
    session: Session
    form: Form
    voices: Mapping[str, PortalVoice]

    @cached_property
    def voice(self) -> PortalVoice:
        """Return the voice in which the pages speak to this browser."""
        with self.market.reading() as moment:
            default = language_of(moment)
        return self.voices[chosen_language(self.request, self.voices, default)]

    @property
    def worker_id(self) -> str:
        assert self.session.worker_id is not None, "only pages for everyone are shown to nobody"
        return self.session.worker_id

    @property
    def after(self) -> str | None:
        """Return where a list goes on."""
        return self.request.query_params.get("after")

    @property
    def path(self) -> str:
        """Return the path of this page in the portal, wherever a proxy has that."""
        return self.request.url.path.removeprefix(self.root_path)

    @property
    def root_path(self) -> str:
        return root_path_of(self.request)

    def asked(self, name: str, otherwise: str = "") -> str:
        """From the address: how a list is to be searched or sorted."""
        return self.request.query_params.get(name, otherwise)

    def named(self, name: str) -> str:
        """An id that is a part of the path. Raises as for one that does not exist."""
        return identifier(str(self.request.path_params[name]))

    def field(self, name: str) -> str:
        return next((text for field, text in self.form if field == name), "")

    def show(
        self,
        page: str,
        *,
        status: int = 200,
        frames: str = "'none'",
        media: str = "",
        framed: bool = False,
        **values: Any,
    ) -> Any:
        """A page. `frames` and `media` are whose pages and pictures it may show, `framed` lets the portal frame it."""
        shown = TEMPLATES.get_template(f"{page}.html").render(
            **values,
            worker_id=self.session.worker_id,
            in_visit=self.session.visit is not None,
            form_token=self.seal.form_token(self.session),
            path=self.path,
            root=self.root_path,
            now=self.market.clock.now(),
            unit=cache(self._unit),
            voice=self.voice,
            say=self.voice.say,
            say_with=self.voice.say_with,
            told=self.voice.told,
            voices=self.voices,
            here=self._here(),
        )
        policy = POLICY.format(frames=frames, media=media, ancestors="'self'" if framed else "'none'")
        return HTMLResponse(shown, status, {**HEADERS, "Content-Security-Policy": policy})

    def _unit(self) -> str:
        with self.market.reading() as moment:
            return unit_of(moment)

    def _here(self) -> str:
        """Return the page to which a worker comes back who has chosen a language."""
        if self.request.method != "GET":
            return ""
        return here(self.path + (f"?{self.request.url.query}" if self.request.url.query else ""))

    def go(self, path: str) -> Response:
        return RedirectResponse(self.root_path + path, 303, HEADERS)


def identifier(text: str) -> str:
    """Nothing but letters and digits is looked up: not every database takes every character."""
    if not (text.isascii() and text.isalnum()):
        raise does_not_exist("Page", text[:80])
    return text


def show_time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _voice(context: Context) -> PortalVoice:
    voice: PortalVoice = context["voice"]
    return voice


@pass_context
def _amount(context: Context, cents: int) -> str:
    return _voice(context).amount(cents, context["unit"]())


@pass_context
def _duration(context: Context, seconds: float) -> str:
    return _voice(context).duration(seconds)


@pass_context
def _until(context: Context, at: datetime, now: datetime) -> str:
    return _voice(context).until(at - now)


@pass_context
def _hint(context: Context, question: Question) -> str:
    return _voice(context).told(hint(question))


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        amount=_amount,
        time=show_time,
        duration=_duration,
        until=_until,
        formatted=formatted,
        hint=_hint,
    )
    return made


TEMPLATES = _environment()
