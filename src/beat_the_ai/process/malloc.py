"""The C library's heap, and what makes it grow although no more is kept."""

from __future__ import annotations

import ctypes
from asyncio import BaseTransport
from contextlib import suppress

M_ARENA_MAX = -8  # malloc.h of glibc
READ_BYTES = 16 * 1024


def share_one_heap() -> None:
    """Let all threads share one heap: in short-lived threads, own heaps fill up with memory that nobody uses.

    To be called before there are threads. Python takes memory by one thread at a time, so that none waits for it.
    Without glibc there is nothing to do.
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def give_back_what_is_free() -> None:
    """Give the system back what the heap holds of memory that was freed, as much as making a network has left behind.

    Without glibc there is nothing to do.
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def read_in_small_pieces(connection: BaseTransport) -> None:
    """asyncio takes 256 KiB for every read and gives back what was not needed. With them the heap of a router grew by
    tens of megabytes an hour while no more was kept (`benchmarks/README.md`); with small ones it does not.
    """
    connection.max_size = READ_BYTES  # type: ignore[attr-defined]  # of asyncio's transports, in no type
