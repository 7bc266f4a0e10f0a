"""The operations of the protocol, a module per noun. `OPERATIONS` holds those that this marketplace has."""

from beat_the_ai.marketplace.api.operations import assignments, hits, qualifications, workers
from beat_the_ai.marketplace.api.operations.registry import OPERATIONS, Call

__all__ = ["OPERATIONS", "Call", "assignments", "hits", "qualifications", "workers"]
