"""An event as a process. It prints one line of JSON with its address, and each room's links, once it listens."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Sequence
from pathlib import Path

from beat_the_ai.errors import Refused
from beat_the_ai.kinds.quizbowl.tournament.app import MAX_MESSAGE_BYTES, build_app
from beat_the_ai.kinds.quizbowl.tournament.folder import EventFolder
from beat_the_ai.kinds.quizbowl.tournament.hall import Hall
from beat_the_ai.kinds.quizbowl.tournament.saying import event_words
from beat_the_ai.listening import ConnectionLimits, Server, address_of, listen
from beat_the_ai.process.parent_death import announce

PAGE = Path(__file__).resolve().parents[5] / "webapp" / "event" / "dist"
logger = logging.getLogger(__name__)


def serve(
    folder: EventFolder,
    host: str = "127.0.0.1",
    port: int = 0,
    limits: ConnectionLimits | None = None,
    languages: Sequence[str] = (),
    words: Path | None = None,
) -> None:
    """Serve until a signal. Port 0 takes a free one. Raises `Refused` while the page is not built.

    Readers choose among `languages`, of which the first is what pages begin with; `words` is a folder that overrides
    the product's. Raises as `event_words`.
    """
    if not (PAGE / "bundle.js").is_file():
        raise Refused("The page of events is not built yet. Run: make webapp")
    offered = event_words(languages, words)
    with folder.rooms() as rooms:
        listener = listen(host, port)
        bound_host = listener.getsockname()[0]
        if not ipaddress.ip_address(bound_host).is_loopback:
            logger.warning("%s can be reached from elsewhere; put a proxy that speaks TLS before it.", bound_host)
        address = address_of(listener)
        links = {
            room: {
                "watch": f"{address}/#/rooms/{room}",
                "moderate": f"{address}/#/rooms/{room}/moderate/{keys.moderator}",
            }
            for room, keys in folder.keys.rooms.items()
        }
        announce({"address": address, "rooms": links})
        app = build_app(Hall(folder, rooms), PAGE, offered)
        Server(
            app,
            listener,
            limits or ConnectionLimits(),
            believes_proxies=False,
            websockets=True,
            ws_max_size=MAX_MESSAGE_BYTES,
        ).run()
