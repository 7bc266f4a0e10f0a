"""Reading comprehension: what `beat-the-ai` runs when it is given this folder.

A task of your own is a folder like this one: a `conf/config.yaml`, contexts, and a `run.py` that names the blueprint.
"""

from blueprints.writing import BLUEPRINT_TYPE, writing_state

__all__ = ["BLUEPRINT_TYPE", "writing_state"]
