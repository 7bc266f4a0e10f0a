"""Blueprints lie beside the package, as in a checkout that `beat-the-ai` is given a task of."""

import sys
from pathlib import Path

ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)
