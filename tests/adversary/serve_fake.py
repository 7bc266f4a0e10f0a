"""The model server with one more backend, `fake`; run as a process by the tests."""

from functools import partial

from beat_the_ai.adversary.registry import BACKENDS, READING, load_by
from beat_the_ai.adversary.server import main

BACKENDS["fake"] = {READING: partial(load_by, "fakes")}
main()
