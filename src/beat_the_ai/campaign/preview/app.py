"""The HTTP side of the preview: an index of all states, and each state's page under an address of its own."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from beat_the_ai.campaign.preview.crowd import PreviewCrowd, heard
from beat_the_ai.campaign.preview.letters import letter_states, letters_page
from beat_the_ai.campaign.preview.states import PageState, page_states
from beat_the_ai.campaign.preview.words import faults_of, languages, own_folder, previewed
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.errors import InvalidInput
from beat_the_ai.letters.app import STYLES
from beat_the_ai.rules.page_samples import SampleEvent
from beat_the_ai.web import palette
from beat_the_ai.web.built_page import AnswerHeaders, BuiltPage
from beat_the_ai.web.preloading import code_of, preloading
from beat_the_ai.words import Catalogue
from beat_the_ai.words.served import PageWords, needed, spoken

if TYPE_CHECKING:
    from jinja2 import Environment

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self' ws:; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'self'",
}
PAGES = "/pages/{language}/{state}"


def build_app(settings: Settings, folder: Path, language: str, event: SampleEvent | None = None) -> Starlette:
    """Return the preview of a campaign's pages, which are built in `folder`. Its index begins with a language."""
    preview = _Preview(settings, folder, language, event)
    return Starlette(
        routes=[
            Route("/", preview.index),
            Route("/index/palette.css", _palette),
            Route("/index/style.css", _style),
            Route("/index/index.js", _script),
            Route(f"{PAGES}/", preview.page),
            Route(f"{PAGES}/task_config.json", preview.task_config),
            Route(f"{PAGES}/wrap_crowd_source.js", preview.worker),
            Route(f"{PAGES}/words/{{spoken}}.json", preview.words),
            Route(f"{PAGES}/request_agent", preview.request_agent, methods=["POST"]),
            Route(f"{PAGES}/submit_task", heard, methods=["POST"]),
            Route(f"{PAGES}/log_error", heard, methods=["POST"]),
            WebSocketRoute(f"{PAGES}/", preview.socket),
            Mount(PAGES, BuiltPage(folder)),
            Mount(
                "/letters/{language}",
                routes=[*STYLES, Route("/{state}", preview.letters, methods=["GET", "POST"])],
            ),
            Mount("/event/{language}", preview.event),
        ],
        middleware=[Middleware(AnswerHeaders, headers=HEADERS)],
    )


class _Preview:
    def __init__(self, settings: Settings, folder: Path, language: str, event: SampleEvent | None) -> None:
        self._settings = settings
        self._folder = folder
        self._language = language
        self._event = event
        self._states = {state.id: state for state in page_states(settings)}
        self._letters = {state.id: state for state in letter_states()}
        self._crowd = PreviewCrowd()

    async def index(self, request: Request) -> Response:
        return await run_in_threadpool(self._index, request.query_params.get("language"))

    def _index(self, asked: str | None) -> Response:
        offered = languages(self._settings)
        language = asked if asked in offered else self._language
        groups: dict[str, list[PageState]] = {}
        for state in self._states.values():
            groups.setdefault(state.group, []).append(state)
        shown = (
            _templates()
            .get_template("index.html")
            .render(
                title=self._settings.task.title,
                task_dir=self._settings.task_dir,
                language=language,
                languages=offered,
                groups=groups,
                letters=self._letters.values(),
                event={} if self._event is None else self._event.links,
                faults=faults_of(self._settings, language),
            )
        )
        return HTMLResponse(shown)

    async def page(self, request: Request) -> Response:
        state, language = self._state(request), request.path_params["language"]
        offered = languages(self._settings)
        if state is None or language not in offered:
            return RedirectResponse("/", 303)
        return await run_in_threadpool(self._page, state, language, offered)

    def _page(self, state: PageState, language: str, offered: list[str]) -> Response:
        others = [Catalogue(language=each, messages={}, texts={}) for each in offered if each != language]
        shown = [previewed(self._settings, language), *others]  # of the others the page is told the names
        return HTMLResponse(spoken(preloading(self._folder, state.page), shown))

    async def words(self, request: Request) -> Response:
        state, language = self._state(request), request.path_params["spoken"]
        if state is None or language not in languages(self._settings):
            return Response(status_code=404)
        content = await run_in_threadpool(self._words, state, language)
        return Response(content, media_type="application/json")

    def _words(self, state: PageState, language: str) -> str:
        code = code_of(self._folder, state.page)
        return PageWords.of(needed(previewed(self._settings, language), code)).model_dump_json()

    async def task_config(self, request: Request) -> Response:
        state = self._state(request)
        return Response(status_code=404) if state is None else JSONResponse({**state.config, "run": "preview"})

    async def worker(self, request: Request) -> Response:
        """The script that a crowd has, with a worker in it."""
        state = self._state(request)
        if state is None:
            return Response(status_code=404)
        told: dict[str, Any] = {
            "id": state.id,
            "page": state.page,
            "language": request.path_params["language"],
            "languages": languages(self._settings),
            "acts": [asdict(act) for act in state.acts],
            **{name: getattr(state, name) for name in ("visitor", "is_offered", "takes_tour")},
        }
        script = _own("worker.js").replace("__STATE__", json.dumps(told), 1)
        return Response(script, media_type="text/javascript")

    async def request_agent(self, request: Request) -> Response:
        state = self._state(request)
        return Response(status_code=404) if state is None else self._crowd.register(state)

    async def socket(self, websocket: WebSocket) -> None:
        await self._crowd.serve(websocket)

    async def letters(self, request: Request) -> Response:
        """Answer with the page of letters in a state, whatever is sent to it."""
        state, language = self._letters.get(request.path_params["state"]), request.path_params["language"]
        if state is None or language not in languages(self._settings):
            return Response(status_code=404)
        return HTMLResponse(await run_in_threadpool(letters_page, self._settings, language, state))

    async def event(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the pages of the sample event, with words read anew."""
        language = scope["path_params"]["language"]
        if self._event is None or language not in languages(self._settings):
            await Response(status_code=404)(scope, receive, send)
            return
        own: Path | None = own_folder(self._settings)
        try:
            app = await run_in_threadpool(self._event.app, [language], own)
        except InvalidInput:  # the index tells of it
            app = await run_in_threadpool(self._event.app, [language], None)

        async def framed(message: Message) -> None:
            if message["type"] == "http.response.start":  # its own policy lets no page show it in a frame
                headers = MutableHeaders(raw=message["headers"])
                del headers["content-security-policy"]
            await send(message)

        await app(scope, receive, framed)

    def _state(self, request: Request) -> PageState | None:
        return self._states.get(request.path_params["state"])


async def _palette(_request: Request) -> Response:
    return Response(palette.stylesheet(), media_type="text/css")


async def _style(_request: Request) -> Response:
    return Response(_own("index.css"), media_type="text/css")


async def _script(_request: Request) -> Response:
    return Response(_own("index.js"), media_type="text/javascript")


@cache
def _own(name: str) -> str:
    return (files("beat_the_ai.campaign.preview") / name).read_text(encoding="utf-8")


@cache
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(loader=PackageLoader("beat_the_ai.campaign.preview"), autoescape=True, undefined=StrictUndefined)
