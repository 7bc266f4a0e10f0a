"""Answer validation as a Mephisto blueprint: its units are blank, and get their works when a worker takes them."""

from blueprints.validation.blueprint import BLUEPRINT_TYPE, ValidationBlueprint, ValidationBlueprintArgs
from blueprints.validation.procedures import validation_state

__all__ = ["BLUEPRINT_TYPE", "ValidationBlueprint", "ValidationBlueprintArgs", "validation_state"]
