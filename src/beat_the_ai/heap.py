"""The C library's heaps, of which glibc gives threads their own."""

from __future__ import annotations

import ctypes
from contextlib import suppress

M_ARENA_MAX = -8  # malloc.h of glibc


def share_one_heap() -> None:
    """Where a thread comes and goes with every piece of work, heaps of their own fill up with what nobody uses.

    To be called before there are threads. Python takes memory by one thread at a time, so that none waits for it.
    Without glibc there is nothing to do.
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)
