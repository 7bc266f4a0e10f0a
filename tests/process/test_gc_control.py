"""The search for reference cycles, each time in a fresh process: what was frozen stays so."""

from __future__ import annotations

import subprocess
import sys

import pytest

BEFORE = """
import gc, weakref
from beat_the_ai.process.gc_control import imported, importing, search_paused

class Knot:
    def __init__(self):
        self.itself = self
"""


def run(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", BEFORE + code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_what_is_imported_is_frozen_and_what_nobody_needed_before_is_freed() -> None:
    run("""
knot = weakref.ref(Knot())
assert knot() is not None
module = imported("xml.dom.minidom")
assert module.__name__ == "xml.dom.minidom"
assert knot() is None and gc.get_freeze_count() > 1000 and gc.isenabled()
""")


def test_what_was_imported_before_freezes_nothing() -> None:
    run("""
imported("json.tool")
frozen, knot = gc.get_freeze_count(), weakref.ref(Knot())
imported("json.tool")
with importing():
    import json.tool
assert gc.get_freeze_count() <= frozen and knot() is None
""")


@pytest.mark.parametrize("name", ["importing", "search_paused"])
def test_the_search_goes_on_after_a_failure_and_stays_off_where_it_was_off(name: str) -> None:
    run(f"""
try:
    with {name}():
        assert not gc.isenabled()
        raise ImportError
except ImportError:
    pass
assert gc.isenabled()
gc.disable()
with {name}():
    pass
assert not gc.isenabled()
""")
