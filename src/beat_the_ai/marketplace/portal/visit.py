"""One request to the portal: who asks, what was posted, and how a page is shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from beat_the_ai.listening.root_path import root_path_of
from beat_the_ai.marketplace.errors import does_not_exist
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people.store import unit_of
from beat_the_ai.marketplace.portal.formatted import formatted
from beat_the_ai.marketplace.portal.forms import Form
from beat_the_ai.marketplace.portal.questionnaire import hint
from beat_the_ai.marketplace.portal.sessions import Seal, Session
from beat_the_ai.marketplace.workplace import Workplace
from beat_the_ai.rules.amounts import show

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
        )
        policy = POLICY.format(frames=frames, media=media, ancestors="'self'" if framed else "'none'")
        return HTMLResponse(shown, status, {**HEADERS, "Content-Security-Policy": policy})

    def _unit(self) -> str:
        with self.market.reading() as moment:
            return unit_of(moment)

    def go(self, path: str) -> Response:
        return RedirectResponse(self.root_path + path, 303, HEADERS)


def identifier(text: str) -> str:
    """Nothing but letters and digits is looked up: not every database takes every character."""
    if not (text.isascii() and text.isalnum()):
        raise does_not_exist("Page", text[:80])
    return text


def show_time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def show_duration(seconds: float) -> str:
    """To the minute, in the two largest units: "2 hours 5 minutes"."""
    left = max(0, int(seconds))
    if left < 60:
        return _count(left, "second")
    parts = []
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        count, left = divmod(left, size)
        if count:
            parts.append(_count(count, unit))
    return " ".join(parts[:2])


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}" + ("" if number == 1 else "s")


@pass_context
def _amount(context: Context, cents: int) -> str:
    return show(cents, context["unit"]())


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
        duration=show_duration,
        until=lambda at, now: show_duration((at - now) / timedelta(seconds=1)),
        count=_count,
        formatted=formatted,
        hint=hint,
    )
    return made


TEMPLATES = _environment()
