"""The HTTP side of an event: the page's files, the list of rooms, and a socket for everybody in a room."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from beat_the_ai.errors import BeatTheAIError, InvalidInput
from beat_the_ai.kinds.quizbowl.tournament.hall import Guest, Hall
from beat_the_ai.kinds.quizbowl.tournament.messages import read_command, read_hello
from beat_the_ai.kinds.quizbowl.tournament.pace import Pace
from beat_the_ai.kinds.quizbowl.tournament.saying import said
from beat_the_ai.kinds.quizbowl.tournament.views import ListedRoom, ListedRooms, Problem
from beat_the_ai.messages import message_of, sent
from beat_the_ai.web.built_page import AnswerHeaders, BuiltPage
from beat_the_ai.web.page_faults import page_faults
from beat_the_ai.words import Catalogue
from beat_the_ai.words.served import FOLDER, PageWords, needed, spoken

REFUSALS = ("event_refusals.", "refusals.text.")  # how the keys of what this server refuses begin
MAX_MESSAGE_BYTES = 8 * 1024
HELLO_SECONDS = 10
PACE_OF_PAGE = (10.0, 40.0)  # commands a second, and at once, of anybody but a moderator, who is trusted
GOING_AWAY, REFUSED = 1001, 1008  # RFC 6455, §7.4.1
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}


def build_app(hall: Hall, page: Path, offered: Sequence[Catalogue]) -> Starlette:
    """The application. `page` is the folder of the built page, which speaks each language that is `offered`."""
    index = spoken((page / "index.html").read_text(encoding="utf-8"), offered)
    code = (page / "bundle.js").read_text(encoding="utf-8")
    files = {words.language: PageWords.of(needed(words, code, REFUSALS)).model_dump_json() for words in offered}

    async def opened(_request: Request) -> HTMLResponse:
        return HTMLResponse(index)

    async def words(request: Request) -> Response:
        content = files.get(request.path_params["language"])
        return Response(content, 404 if content is None else 200, media_type="application/json")

    async def rooms(_request: Request) -> JSONResponse:
        listed = tuple(
            ListedRoom(room=name, teams=tuple(visited.room.match.teams)) for name, visited in hall.rooms.items()
        )
        return JSONResponse(ListedRooms(rooms=listed).sent())

    async def socket(websocket: WebSocket) -> None:
        await _serve_socket(hall, websocket)

    return Starlette(
        routes=[
            Route("/", opened),
            Route(f"/{FOLDER}/{{language}}.json", words, middleware=[Middleware(GZipMiddleware)]),
            Route("/rooms", rooms),
            WebSocketRoute("/socket", socket),
            page_faults(),
            Mount("/", BuiltPage(page)),
        ],
        middleware=[Middleware(AnswerHeaders, headers=HEADERS)],
    )


async def _serve_socket(hall: Hall, websocket: WebSocket) -> None:
    """Until it closes. A page of another site is not let in."""
    origin = websocket.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != websocket.headers.get("host"):
        await websocket.close(REFUSED)
        return
    await websocket.accept()
    with suppress(WebSocketDisconnect):
        try:
            texts = _texts(websocket)
            await _entertain(await _admitted(hall, texts), websocket, texts)
        except BeatTheAIError as error:
            message = message_of(error)
            await websocket.send_json(Problem(problem=message, said=tuple(sent(message))).sent())
            await websocket.close(REFUSED)


async def _admitted(hall: Hall, texts: AsyncIterator[str]) -> Guest:
    """Raises `BeatTheAIError` for whoever does not say in time who they are, or may not enter."""
    try:
        text = await asyncio.wait_for(anext(texts), HELLO_SECONDS)
    except (TimeoutError, asyncio.TimeoutError):
        raise InvalidInput("message", said("event_refusals.silent")) from None
    return hall.admit(read_hello(text))


async def _entertain(guest: Guest, websocket: WebSocket, texts: AsyncIterator[str]) -> None:
    """Send what is new while commands come in."""
    guest.visited.enter(guest)
    sending = asyncio.create_task(_send_news(guest, websocket))
    try:
        await _obey_all(guest, texts)
    finally:
        sending.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect):
            await sending
        guest.visited.leave(guest)


async def _send_news(guest: Guest, websocket: WebSocket) -> None:
    while True:
        await guest.news.wait()
        if (message := guest.message()) is not None:
            await websocket.send_text(message)


async def _obey_all(guest: Guest, texts: AsyncIterator[str]) -> None:
    """Raises `Refused` for more commands than a page or a team sends, and `InvalidInput` for what no page does."""
    pace = Pace(*PACE_OF_PAGE)
    async for text in texts:
        if guest.page is None:
            pace.keep()
            guest.keep_pace()
        guest.obey(read_command(text, guest.hello))


async def _texts(websocket: WebSocket) -> AsyncIterator[str]:
    """Raises `InvalidInput` for what is no text, and `WebSocketDisconnect` at the end."""
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", GOING_AWAY))
        text = message.get("text")
        if text is None:
            raise InvalidInput("message", said("event_refusals.no_text"))
        yield text
