"""Adversarial writing as a Mephisto blueprint: its units are HITs of the engine's store, its procedures the desk's."""

from blueprints.writing.blueprint import BLUEPRINT_TYPE, WritingBlueprint, WritingBlueprintArgs
from blueprints.writing.procedures import writing_state

__all__ = ["BLUEPRINT_TYPE", "WritingBlueprint", "WritingBlueprintArgs", "writing_state"]
