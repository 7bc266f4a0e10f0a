"""Training and qualification as a Mephisto blueprint: its units are places, its procedures the screening desk's."""

from blueprints.qualification.blueprint import BLUEPRINT_TYPE, QualificationBlueprint, QualificationBlueprintArgs
from blueprints.qualification.procedures import qualification_state

__all__ = ["BLUEPRINT_TYPE", "QualificationBlueprint", "QualificationBlueprintArgs", "qualification_state"]
