"""Quizbowl: what `beat-the-ai` runs when it is given this folder, and a program of its own.

A task of your own is a folder like this one: a `conf/config.yaml`, contexts, and a `run.py` that names the blueprints.
"""

import sys

if __name__ == "__main__":  # python tasks/quizbowl/run.py key=value ...
    from beat_the_ai.cli.task_script import run_task

    run_task(__file__)
    sys.exit()

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
