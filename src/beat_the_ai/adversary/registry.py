"""The backends by name. A model is addressed as `backend:source`, for instance `onnx:bidaf-small`.

A backend is imported only when it is used, so that the base install needs neither torch nor transformers. A new one is
a module with `load(source, options)` and one line in `BACKENDS`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, cast

from beat_the_ai.adversary.protocol import Adversary, LoadOptions
from beat_the_ai.errors import AdversaryError, InvalidInput, UnknownName

Load = Callable[[str, LoadOptions], Adversary[Any, Any]]

BACKENDS = {
    "bidaf": "beat_the_ai.adversary.backends.bidaf:load",
    "huggingface": "beat_the_ai.adversary.backends.huggingface:load",
    "onnx": "beat_the_ai.adversary.backends.onnx:load",
}
PACKAGES_OF_GPU = ("torch", "transformers", "huggingface_hub")


def open_adversary(spec: str, options: LoadOptions) -> Adversary[Any, Any]:
    """Load the model that `spec` names. Raises `UnknownName` for a backend that does not exist."""
    backend, source = parse_spec(spec)
    return _load_function(backend)(source, options)


def parse_spec(spec: str) -> tuple[str, str]:
    """Split `backend:source` and check that the backend exists, without importing it."""
    backend, colon, source = spec.partition(":")
    if not (backend and colon and source):
        raise InvalidInput("adversary", f"{spec[:80]!r} names no model. Write backend:source, as in onnx:bidaf-small.")
    if backend not in BACKENDS:
        raise UnknownName("backend", backend, BACKENDS)
    return backend, source


def _load_function(backend: str) -> Load:
    module, _, function = BACKENDS[backend].partition(":")
    try:
        return cast(Load, getattr(importlib.import_module(module), function))
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in PACKAGES_OF_GPU:
            raise
        raise AdversaryError(
            f"The backend {backend!r} needs {package}, which is not installed. Run in the checkout: make gpu"
        ) from missing
