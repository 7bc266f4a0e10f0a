"""A task of a kind that lies outside of the package."""

from blueprints.qualification import BLUEPRINT_TYPE as QUALIFICATION_BLUEPRINT_TYPE
from blueprints.qualification import qualification_state
from blueprints.validation import BLUEPRINT_TYPE as VALIDATION_BLUEPRINT_TYPE
from blueprints.validation import validation_state
from blueprints.writing import BLUEPRINT_TYPE, writing_state

__all__ = [
    "BLUEPRINT_TYPE",
    "QUALIFICATION_BLUEPRINT_TYPE",
    "VALIDATION_BLUEPRINT_TYPE",
    "qualification_state",
    "validation_state",
    "writing_state",
]
