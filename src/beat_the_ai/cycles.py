"""Python's search for reference cycles, which visits all that was made, again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def search_paused() -> Iterator[None]:
    """While much is read that stays and has no cycles: of a campaign's millions of records it took half of the time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def importing() -> Iterator[None]:
    """While modules are imported, which stay until the process ends: they are searched neither then nor afterwards."""
    with search_paused():
        yield
    gc.freeze()
