"""The backends by name. A model is addressed as `backend:source`, for instance `onnx:bidaf-small`.

A name stands for a backend of each kind of task that has one: `huggingface` loads extractive question answering for
reading comprehension, and classifiers of sequences for natural language inference. A backend is imported only when it
is used, so that the base install needs neither torch nor transformers. A new one is a module `backends/NAME.py` of its
kind with `load(source, options)`, and its kind's name in `BACKENDS`; one that lies elsewhere is a `Backend` at a place
(`process.importing`), and its models are addressed as `place:source`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from beat_the_ai.adversary.language_models.source import LanguageModelSource, read_source
from beat_the_ai.adversary.protocol import Adversary, LoadOptions, Shared
from beat_the_ai.errors import AdversaryError, InvalidInput, UnknownName
from beat_the_ai.process.gc_control import imported, search_paused
from beat_the_ai.process.importing import is_place, object_at

Load = Callable[[str, LoadOptions], Adversary[Any, Any]]

MADE_BY = {
    **dict.fromkeys(("torch", "transformers", "huggingface_hub"), "gpu"),
    **dict.fromkeys(("openvino", "nncf"), "openvino"),
}


@dataclass(frozen=True)
class Backend:
    """`load(source, options)` gives a model for the kinds of task in `kinds`, by their own names (`Kind.name`)."""

    load: Load
    kinds: frozenset[str]


def load_by(module: str, source: str, options: LoadOptions) -> Adversary[Any, Any]:
    """Load a model by the `load` of a module, imported now. Raises `AdversaryError` where packages are missing."""
    try:
        load = cast(Load, imported(module).load)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in MADE_BY:
            raise
        backend, target = module.rpartition(".")[2], MADE_BY[package]
        raise AdversaryError(
            f"The backend {backend!r} needs {package}, which is not installed. Run in the checkout: make {target}"
        ) from missing
    with search_paused():
        return load(source, options)


READING, NLI, QUIZBOWL = "reading_comprehension", "nli", "quizbowl"
LANGUAGE_MODEL, LANGUAGE_MODEL_STREAMS = "openai", 8
BACKENDS: dict[str, dict[str, Load]] = {
    name: {kind: partial(load_by, f"beat_the_ai.kinds.{kind}.backends.{name}") for kind in kinds}
    for name, kinds in {
        "bidaf": [READING],
        "huggingface": [READING, NLI],
        "onnx": [READING, NLI, QUIZBOWL],
        "openvino": [READING, NLI],
        LANGUAGE_MODEL: [READING, NLI, QUIZBOWL],
        "opensearch": [QUIZBOWL],
        "tantivy": [QUIZBOWL],
    }.items()
}


def shipped_models() -> dict[str, str]:
    """Return the models that come with the project, as a campaign names them, and their kinds of task."""
    kinds = Path(__file__).resolve().parents[1] / "kinds"
    found = sorted(kinds.glob("*/weights/*/config.json"))
    return {f"onnx:{config.parent.name}": config.parents[2].name for config in found}


def open_adversary(spec: str, kind: str, options: LoadOptions) -> Adversary[Any, Any]:
    """Load the model that `spec` names, for that kind of task.

    Raises `UnknownName` or `InvalidInput` for a backend that does not exist or answers for other kinds.
    """
    _, source = parse_spec(spec)
    return _load_of(spec, kind)(source, options)


def open_streams(spec: str, kind: str, options: LoadOptions) -> list[Adversary[Any, Any]]:
    """As `open_adversary`, `options.streams` instances: over the same weights, where the model can share them.

    Of a language model, which only waits for others, there are more.
    """
    if language_model(spec) is not None:
        options = replace(options, streams=max(options.streams, LANGUAGE_MODEL_STREAMS))
    first = open_adversary(spec, kind, options)
    more = range(options.streams - 1)
    if isinstance(first, Shared):
        return [first, *(first.stream() for _ in more)]
    return [first, *(open_adversary(spec, kind, options) for _ in more)]


def check_serves(spec: str, kind: str) -> None:
    """Raises `InvalidInput` for a model that cannot answer for that kind of task, or that nothing can be."""
    _load_of(spec, kind)
    language_model(spec)


def language_model(spec: str) -> LanguageModelSource | None:
    """Return the way in which `spec` asks a language model; None for any other backend. Raises `InvalidInput`."""
    backend, source = parse_spec(spec)
    return read_source(source) if backend == LANGUAGE_MODEL else None


def parse_spec(spec: str) -> tuple[str, str]:
    """Split `backend:source` and check that the backend exists, without importing one that ships."""
    backend, colon, source = spec.partition(":")
    if not (backend and colon and source):
        raise InvalidInput("adversary", f"{spec[:80]!r} names no model. Write backend:source, as in onnx:bidaf-small.")
    if backend in BACKENDS:
        return backend, source
    name, colon, source = source.partition(":")
    place = f"{backend}:{name}"
    if not (colon and source and is_place(place)):
        raise UnknownName("backend", backend, BACKENDS)
    return place, source


def member_name(spec: str) -> str:
    """The name of a pool's member: the last part of its source, of a folder, a hub id without its commit, or an address
    with a model."""
    return re.split("[/#]", re.sub("@[0-9a-f]{40}$", "", parse_spec(spec)[1]).rstrip("/"))[-1]


def _load_of(spec: str, kind: str) -> Load:
    backend, _ = parse_spec(spec)
    loads = BACKENDS.get(backend) or _elsewhere(backend)
    shipped = shipped_models()
    kinds = {shipped[spec]} if spec in shipped else set(loads)
    if kind not in kinds:
        raise InvalidInput(
            "adversary.members",
            f"The model {spec!r} answers for {', '.join(sorted(kinds))}, and the task is {kind}. Name another one.",
        )
    return loads[kind]


def _elsewhere(place: str) -> dict[str, Load]:
    found = object_at(place, "adversary.members")
    if not isinstance(found, Backend):
        raise InvalidInput("adversary.members", f"{place} is no Backend of beat_the_ai.adversary.registry.")
    return dict.fromkeys(found.kinds, found.load)
