"""Python's search for reference cycles, which visits all that was made, again and again."""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


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
    """While modules are imported, which stay until the process ends: they are searched neither then nor afterwards.

    What nobody needs any more is freed before; where nothing was imported, everything is searched as before.
    """
    if not gc.isenabled():
        yield
        return
    gc.collect()
    modules = len(sys.modules)
    with search_paused():
        yield
        if len(sys.modules) > modules:
            gc.freeze()  # before the search is on again: it would start at once


def imported(name: str) -> ModuleType:
    """The module of that name, imported for the first time as `importing` has it."""
    if name in sys.modules:
        return importlib.import_module(name)
    with importing():
        return importlib.import_module(name)
