"""The tries of a call, each of which may cost."""

PAUSES_SECONDS = (0.5, 1.0)  # between tries
TRIES = len(PAUSES_SECONDS) + 1
