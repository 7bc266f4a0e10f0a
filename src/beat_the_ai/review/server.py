"""The review page as a process. It prints one line of JSON with its address once it listens."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Callable
from pathlib import Path

from starlette.types import ASGIApp

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
    """Serve the review until a signal. Port 0 takes a free one. Raises `Refused` while the page is not built."""
    check_built("review", page)
    serve_app(build_app(desk, Door(desk.store), page), host, port, limits)


def check_built(name: str, page: Path) -> None:
    """Raise `Refused` while the page of this name is not built."""
    if not (page / "bundle.js").is_file():
        raise Refused(f"The {name} page is not built yet. Run: make webapp")


def serve_app(
    app: ASGIApp,
    host: str,
    port: int,
    limits: ConnectionLimits | None = None,
    on_signal: Callable[[], object] = lambda: None,
) -> None:
    """Serve a page of reviewers until a signal, and print its address as JSON."""
    listener = listen(host, port)
    bound_host = listener.getsockname()[0]
    if not ipaddress.ip_address(bound_host).is_loopback:
        logger.warning("%s can be reached from elsewhere; put a proxy that speaks TLS before it.", bound_host)
    announce({"address": address_of(listener)})
    limits = limits or ConnectionLimits()
    # One that nobody has named could say that it asks for others, and try passwords without end. One that was named
    # is believed: everybody behind it would be locked out with whoever tries passwords.
    Server(app, listener, limits, believes_proxies=limits.names_proxies, on_signal=on_signal).run()
