"""One request to the pages: who asks, what was posted, and how a page is shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from beat_the_ai.listening.root_path import cookie_path, root_path_of
from beat_the_ai.recruiter.money import show
from beat_the_ai.recruiter.pages.sessions import COOKIE, COOKIE_SECONDS, Seal, Session
from beat_the_ai.recruiter.recruiter import Recruiter

HERE = Path(__file__).parent
POLICY = (
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": POLICY,
}

Form = list[tuple[str, str]]


@dataclass(frozen=True)
class Visit:
    """The data for the functions behind the routes."""

    recruiter: Recruiter
    currency: str
    seal: Seal
    request: Request
    session: Session
    form: Form

    @property
    def participant_id(self) -> str:
        assert self.session.participant_id is not None, "only pages for everyone are shown to nobody"
        return self.session.participant_id

    @property
    def root_path(self) -> str:
        return root_path_of(self.request)

    def named(self, name: str) -> str:
        """Return an id that is a part of the path."""
        return str(self.request.path_params[name])

    def field(self, name: str) -> str:
        return next((text for field, text in self.form if field == name), "")

    def show(self, page: str, *, status: int = 200, **values: Any) -> Response:
        shown = TEMPLATES.get_template(f"{page}.html").render(
            **values,
            participant_id=self.session.participant_id,
            form_token=self.seal.form_token(self.session),
            path=self.request.url.path.removeprefix(self.root_path),
            root=self.root_path,
            money=lambda cents: show(cents, self.currency),
        )
        return HTMLResponse(shown, status, HEADERS)

    def go(self, path: str) -> Response:
        """Go to a page of this server."""
        return RedirectResponse(self.root_path + path, 303, HEADERS)

    def leave(self, address: str) -> Response:
        """Go to another site."""
        return RedirectResponse(address, 303, HEADERS)

    def go_as(self, session: Session, path: str) -> Response:
        """Go to a page with another session."""
        response = self.go(path)
        self.keep(session, response)
        return response

    def keep(self, session: Session, response: Response) -> None:
        """Have the browser keep a session."""
        is_secure = self.request.url.scheme == "https"
        sealed = self.seal.close(session)
        path = cookie_path(self.request)
        response.set_cookie(COOKIE, sealed, COOKIE_SECONDS, path=path, httponly=True, samesite="lax", secure=is_secure)


def _show_time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _count(number: float, unit: str) -> str:
    return f"{number:g} {unit}" + ("" if number == 1 else "s")


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(time=_show_time, count=_count)
    return made


TEMPLATES = _environment()
