"""The backends by name. A model is addressed as `backend:source`, for instance `onnx:bidaf-small`.

A backend is imported only when it is used, so that the base install needs neither torch nor transformers. A new one is
a module with `load(source, options)` and one line in `BACKENDS`; one that lies elsewhere is a `Backend` at a place
(`places`), and its models are addressed as `place:source`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from beat_the_ai.adversary.protocol import Adversary, LoadOptions
from beat_the_ai.errors import AdversaryError, InvalidInput, UnknownName
from beat_the_ai.places import found_at, is_place

Load = Callable[[str, LoadOptions], Adversary[Any, Any]]

PACKAGES_OF_GPU = ("torch", "transformers", "huggingface_hub")


@dataclass(frozen=True)
class Backend:
    """`load(source, options)` gives a model for the kinds of task in `kinds`, which are named as in `task.kind`."""

    load: Load
    kinds: frozenset[str]


def load_by(module: str, source: str, options: LoadOptions) -> Adversary[Any, Any]:
    """By the `load` of a module that is imported now. Raises `AdversaryError` where packages are missing."""
    try:
        load = cast(Load, importlib.import_module(module).load)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in PACKAGES_OF_GPU:
            raise
        backend = module.rpartition(".")[2]
        raise AdversaryError(
            f"The backend {backend!r} needs {package}, which is not installed. Run in the checkout: make gpu"
        ) from missing
    return load(source, options)


READING = "reading_comprehension"
BACKENDS = {
    name: Backend(partial(load_by, f"beat_the_ai.kinds.{READING}.backends.{name}"), frozenset({READING}))
    for name in ("bidaf", "huggingface", "onnx")
}


def shipped_models() -> list[str]:
    """Those that come with the project, as a campaign names them."""
    kinds = Path(__file__).resolve().parents[1] / "kinds"
    return [f"onnx:{config.parent.name}" for config in sorted(kinds.glob("*/weights/*/config.json"))]


def open_adversary(spec: str, options: LoadOptions) -> Adversary[Any, Any]:
    """Load the model that `spec` names. Raises `UnknownName` or `InvalidInput` for a backend that does not exist."""
    backend, source = parse_spec(spec)
    return _backend(backend).load(source, options)


def check_serves(spec: str, kind: str) -> None:
    """Raises `InvalidInput` for a model that cannot answer for that kind of task."""
    backend, _ = parse_spec(spec)
    kinds = _backend(backend).kinds
    if kind not in kinds:
        raise InvalidInput(
            "adversary.members",
            f"The model {spec!r} answers for {', '.join(sorted(kinds))}, and the task is {kind}. Name another one.",
        )


def parse_spec(spec: str) -> tuple[str, str]:
    """Split `backend:source` and check that the backend exists, without importing one that ships."""
    backend, colon, source = spec.partition(":")
    if not (backend and colon and source):
        raise InvalidInput("adversary", f"{spec[:80]!r} names no model. Write backend:source, as in onnx:bidaf-small.")
    if backend in BACKENDS:
        return backend, source
    place, _, source = spec.rpartition(":")
    if not is_place(place):
        raise UnknownName("backend", backend, BACKENDS)
    return place, source


def _backend(name: str) -> Backend:
    if name in BACKENDS:
        return BACKENDS[name]
    found = found_at(name, "adversary.members")
    if not isinstance(found, Backend):
        raise InvalidInput("adversary.members", f"{name} is no Backend of beat_the_ai.adversary.registry.")
    return found
