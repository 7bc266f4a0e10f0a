"""Failures on purpose in the protocol and the portal. Besides those of every server:

throttle, fault, insufficient_funds   the request is answered by that error and changes nothing

`WorkerPortal` stands for the workers' pages among the operations.
"""

from __future__ import annotations

from beat_the_ai.errors import BeatTheAIError
from beat_the_ai.marketplace.api.service_model import operation_names
from beat_the_ai.marketplace.errors import Fault, Throttled, insufficient_funds
from beat_the_ai.web.faults import OF_EVERY_SERVER, Faults

WORKER_PORTAL = "WorkerPortal"


def throttle() -> BeatTheAIError:
    """Return the answer to too many requests."""
    return Throttled()


def fault() -> BeatTheAIError:
    """Return the answer of a service that failed."""
    return Fault()


ERRORS = {"throttle": throttle, "fault": fault, "insufficient_funds": insufficient_funds}
KINDS = (*ERRORS, *OF_EVERY_SERVER)


def market_faults() -> Faults:
    """Return the faults of a marketplace, none of them switched on."""
    return Faults(ERRORS, operation_names(), WORKER_PORTAL)
