"""A task of a kind that lies outside of the package."""

from blueprints.validation import BLUEPRINT_TYPE as VALIDATION_BLUEPRINT_TYPE
from blueprints.validation import validation_state
from blueprints.writing import BLUEPRINT_TYPE, writing_state

__all__ = ["BLUEPRINT_TYPE", "VALIDATION_BLUEPRINT_TYPE", "validation_state", "writing_state"]
