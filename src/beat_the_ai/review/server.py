"""The review page as a process. It prints one line of JSON with its address once it listens."""

from __future__ import annotations

import ipaddress
import logging
from pathlib import Path

from beat_the_ai.errors import Refused
from beat_the_ai.listening import ConnectionLimits, Server, address_of, listen
from beat_the_ai.process.parent_death import announce
from beat_the_ai.review.accounts import Door
from beat_the_ai.review.app import build_app
from beat_the_ai.review.desk import ReviewDesk

logger = logging.getLogger(__name__)


def serve(
    desk: ReviewDesk,
    page: Path,
    host: str = "127.0.0.1",
    port: int = 0,
    limits: ConnectionLimits | None = None,
) -> None:
    """Serve until a signal. Port 0 takes a free one. Raises `Refused` while the page is not built."""
    if not (page / "bundle.js").is_file():
        raise Refused("The review page is not built yet. Run: make webapp")
    listener = listen(host, port)
    bound_host = listener.getsockname()[0]
    if not ipaddress.ip_address(bound_host).is_loopback:
        logger.warning("%s can be reached from elsewhere; put a proxy that speaks TLS before it.", bound_host)
    announce({"address": address_of(listener)})
    app = build_app(desk, Door(desk.store), page)
    # No proxy is believed, or any client could say that it comes from elsewhere, and try passwords without end.
    Server(app, listener, limits or ConnectionLimits(), believes_proxies=False).run()
