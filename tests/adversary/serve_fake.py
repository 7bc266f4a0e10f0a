"""The model server with one more backend, `fake`; run as a process by the tests."""

from beat_the_ai.adversary.registry import BACKENDS
from beat_the_ai.adversary.server import main

BACKENDS["fake"] = "fakes:load"
main()
