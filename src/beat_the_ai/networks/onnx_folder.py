"""The folder of an exported network: `model.onnx`, `vocabulary.txt` and `config.json`, and how onnxruntime runs it.

A source is the name of a model that ships with a kind of task, or a folder that an export has written.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as runtime_errors

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.errors import AdversaryError, InvalidInput, UnknownName
from beat_the_ai.networks.outputs import check_numbers
from beat_the_ai.networks.text import Vocabulary

MODEL_FILES = ("config.json", "model.onnx", "vocabulary.txt")
FORMAT = 1
WARNINGS_AND_WORSE_OFF = 3  # onnxruntime's log level: errors only
UNREADABLE = (  # what onnxruntime raises of a file that is cut off, or no network
    runtime_errors.Fail,
    runtime_errors.InvalidArgument,
    runtime_errors.InvalidGraph,
    runtime_errors.InvalidProtobuf,
    runtime_errors.NotImplemented,
    runtime_errors.RuntimeException,
)

Run = Callable[[dict[str, NDArray[Any]]], Sequence[NDArray[Any]]]
"""From arrays by the names of a network's inputs to its outputs."""


@dataclass(frozen=True)
class Exported:
    """A loaded network; `config` is what its config.json says."""

    identity: ModelIdentity
    config: dict[str, Any]
    vocabulary: Vocabulary
    run: Run


def load(
    source: str, options: LoadOptions, weights: Path, task: str, outputs: Sequence[str], *, helpers: int = 0
) -> Exported:
    """Load the model of that name in the folder `weights`, or the one in the folder `source`.

    A question that is alone is answered sooner with `helpers`: so many threads of the other streams, which pays for
    some networks. Raises `UnknownName`, and `AdversaryError` for a folder that holds no network for that kind of task.
    """
    if options.device != "cpu":
        raise InvalidInput("device", f"{options.device!r} was given; the backend 'onnx' runs on the cpu only.")
    if options.precision not in (None, "fp32"):
        raise InvalidInput("precision", f"{options.precision!r} was given; the backend 'onnx' computes in fp32 only.")
    folder, config = find(source, weights, task)
    identity = ModelIdentity(config["name"], task, hash_of(folder), "fp32")
    vocabulary = _vocabulary(folder)
    # Each stream brings a thread of its own; what it may have beyond that is shared.
    more = max(options.streams * (options.threads - 1), min(helpers, options.streams - 1))
    return Exported(identity, config, vocabulary, session(folder / "model.onnx", 1 + more, outputs))


def find(source: str, weights: Path, task: str) -> tuple[Path, dict[str, Any]]:
    """The folder of a model, and what its config.json says. Raises as `load`."""
    folder = _folder(source, weights)
    return folder, _config(folder, task)


def shipped(weights: Path) -> list[str]:
    """The names of the models in that folder."""
    return sorted(config.parent.name for config in weights.glob("*/config.json"))


def hash_of(folder: Path) -> str:
    """SHA-256 over the names, sizes and contents of the files that make the model what it is; not the model card."""
    total = hashlib.sha256()
    for name in sorted(MODEL_FILES):
        content = (folder / name).read_bytes()
        total.update(f"{name} {len(content)}\n".encode())
        total.update(content)
    return total.hexdigest()


def session(path: Path, threads: int, outputs: Sequence[str]) -> Run:
    """The network in a file; it gives its outputs in that order. Raises `AdversaryError` for a file without it, as it
    does, when it runs, for one that computes no numbers.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = WARNINGS_AND_WORSE_OFF
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # threads that wait leave the cores alone
    try:
        opened = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except UNREADABLE as error:
        raise AdversaryError(f"{path.name} of {path.parent.name!r} is no network: {error}") from error
    given = {output.name for output in opened.get_outputs()}
    if not given.issuperset(outputs):
        raise AdversaryError(
            f"{path.name} of {path.parent.name!r} gives {', '.join(sorted(given))}; {', '.join(outputs)} are needed."
        )

    def run(arrays: dict[str, NDArray[Any]]) -> Sequence[NDArray[Any]]:
        found: Sequence[NDArray[Any]] = opened.run(list(outputs), arrays)
        check_numbers(found)
        return found

    return run


def _folder(source: str, weights: Path) -> Path:
    if source in shipped(weights):
        return weights / source
    folder = Path(source)
    if not folder.is_dir():
        raise UnknownName("model", source, shipped(weights))
    missing = [name for name in MODEL_FILES if not (folder / name).is_file()]
    if missing:
        raise AdversaryError(f"{folder.name!r} is no exported model: it lacks {', '.join(missing)}.")
    return folder


def _config(folder: Path, task: str) -> dict[str, Any]:
    try:
        config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # no UTF-8, no JSON
        raise AdversaryError(f"The config.json of {folder.name!r} is no JSON: {error}") from error
    if not isinstance(config, dict) or not {"name", "temperature"} <= config.keys():
        raise AdversaryError(
            f"The config.json of {folder.name!r} tells no name and temperature. Export the model again."
        )
    if config.get("format") != FORMAT or config.get("task") != task:
        raise AdversaryError(
            f"The config.json of {folder.name!r} has format {config.get('format')!r} and task {config.get('task')!r}; "
            f"format {FORMAT} and task {task!r} can be read. Export the model again."
        )
    return config


def _vocabulary(folder: Path) -> Vocabulary:
    try:
        return Vocabulary.load(folder / "vocabulary.txt")
    except (ValueError, LookupError) as error:  # no UTF-8, no special pieces
        raise AdversaryError(f"The vocabulary.txt of {folder.name!r} holds no word pieces: {error}") from error
