"""SIGTERM and Ctrl-C, as whoever serves takes them."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def interrupted() -> Iterator[threading.Event]:
    """Both raise `KeyboardInterrupt` in the main thread and set the event until the block ends.

    Python loses an exception that is raised while an object is destroyed; the event is not lost.
    """
    stopped = threading.Event()

    def stop(*_: object) -> NoReturn:
        stopped.set()
        raise KeyboardInterrupt

    with _handled(stop):
        yield stopped


@contextmanager
def noted(stopped: threading.Event) -> Iterator[None]:
    """Both set the event, and do no more, until the block ends."""
    with _handled(lambda *_: stopped.set()):
        yield


@contextmanager
def _handled(handler: Callable[..., object]) -> Iterator[None]:
    """Ctrl-C stays ignored where it is, as in a shell's background."""
    numbers = [signal.SIGTERM, *([signal.SIGINT] if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN else [])]
    previous = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, before in previous.items():
            signal.signal(number, before)
