"""The portal of one's own people as a process beside the campaign."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from beat_the_ai.crowds.sites import LOOPBACK
from beat_the_ai.errors import InvalidInput, ProcessFailed
from beat_the_ai.marketplace.people import store
from beat_the_ai.process.child import Child

LOG_FILE = "portal.log"
LOOK_SECONDS = 1.0  # between two looks whether it lives
ANSWER_SECONDS = 5

log = logging.getLogger(__name__)


class Portal(Child):
    """`beat-the-ai people serve`."""

    def __init__(self, place: str, host: str, port: int, folder: Path) -> None:
        super().__init__("portal", folder / LOG_FILE)
        self._options = ["--people", place, "--host", host, "--port", str(port)]

    def __enter__(self) -> Portal:
        return self

    def close(self) -> None:
        """Let go of what is left of a process that has ended."""
        if self.has_begun():
            self.wait()

    def command(self) -> list[str]:
        return [sys.executable, "-m", "beat_the_ai.cli", "people", "serve", *self._options]


@contextmanager
def kept_running(place: str, address: str) -> Iterator[None]:
    """Keep a portal running at this address for as long as the block goes on, whoever has started it.

    Raises `InvalidInput` where none answers and it cannot be served from here, and `ProcessFailed` when it does not
    start.
    """
    parts = urlsplit(address)
    if parts.hostname not in LOOPBACK or store.is_database(place):
        if not answers(address):
            raise InvalidInput(
                "crowd.endpoint_url", f"No portal answers at {address}. Start it there: beat-the-ai people serve."
            )
        yield
        return
    ending = threading.Event()
    with Portal(place, str(parts.hostname), parts.port or 80, store.private_folder(place)) as portal:
        _start(portal, address)
        keeper = threading.Thread(target=_keep, args=(portal, address, ending), name="portal", daemon=True)
        keeper.start()
        try:
            yield
        finally:
            ending.set()
            keeper.join()


def answers(address: str) -> bool:
    """Return whether a portal answers there."""
    try:
        return httpx.get(f"{address}/health", timeout=ANSWER_SECONDS, trust_env=False).is_success
    except httpx.HTTPError:
        return False


def _start(portal: Portal, address: str) -> None:
    """Start the portal unless one answers. Raises `ProcessFailed`; somebody else may have been faster."""
    if answers(address):
        return
    try:
        portal.start()
    except ProcessFailed:
        if not answers(address):
            raise ProcessFailed(
                f"The portal does not start at {address}. Is the port in use? {portal.log} says why."
            ) from None


def _keep(portal: Portal, address: str, ending: threading.Event) -> None:
    """Start the portal again whenever it has died: people find their work where they left it."""
    while not ending.wait(LOOK_SECONDS):
        try:
            if portal.has_ended() and not answers(address):
                log.warning(
                    "no portal answers at %s; it is started again, and %s says what happened", address, portal.log
                )
                portal.close()
                _start(portal, address)
        except Exception as error:  # noqa: BLE001 - the boundary of a thread
            log.warning("the portal is not there yet: %s", error)
