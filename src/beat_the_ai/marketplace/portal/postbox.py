"""Letters that the portal sends by itself, one after the other and beside the pages: a mail server takes its time."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

from beat_the_ai.errors import BeatTheAIError
from beat_the_ai.marketplace.people import mail

WAITING = 200

log = logging.getLogger(__name__)


class Postbox:
    """Takes letters; whoever misses one asks for another."""

    def __init__(self) -> None:
        self._sender = ThreadPoolExecutor(1, thread_name_prefix="mail")
        self._room = BoundedSemaphore(WAITING)

    def post(self, server: mail.MailServer, letter: mail.Letter) -> None:
        """Send a letter soon. Where many wait, it is dropped, and the log says so."""
        if not self._room.acquire(blocking=False):
            log.warning("a letter was dropped: %d wait for the mail server", WAITING)
            return
        self._sender.submit(self._send, server, letter)

    def _send(self, server: mail.MailServer, letter: mail.Letter) -> None:
        try:
            for sent in mail.send(server, [letter]):
                if sent.refusal:
                    log.warning("the mail server refused a letter: %s", sent.refusal)
        except BeatTheAIError as error:
            log.warning("a letter was not sent: %s", error)
        except Exception:  # the boundary of a thread
            log.exception("a letter was not sent")
        finally:
            self._room.release()
