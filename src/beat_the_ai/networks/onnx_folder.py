"""The folder of an exported network: `model.onnx`, `vocabulary.txt` and `config.json`, and how onnxruntime runs it.

A source is the name of a model that ships with a kind of task, or a folder that an export has written. Models that ship
share one vocabulary: their folders have its hash, in `vocabulary.sha256`, in the place of a `vocabulary.txt`.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as runtime_errors

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.errors import AdversaryError, InvalidInput, UnknownName
from beat_the_ai.networks.outputs import Run, check_numbers
from beat_the_ai.networks.text import Vocabulary
from beat_the_ai.process.malloc import give_back_what_is_free

OWN_VOCABULARY, VOCABULARY_HASH = "vocabulary.txt", "vocabulary.sha256"
SHIPPED_VOCABULARY = Path(__file__).with_name("vocabulary.txt")
MODEL_FILES = ("config.json", "model.onnx", OWN_VOCABULARY)
FORMAT = 1
NO_FOLDER = "/nonexistent"  # where onnxruntime looks for weights outside of the file, and finds none
WARNINGS_AND_WORSE_OFF, FATAL = 3, 4  # onnxruntime's log levels
UNREADABLE = (  # what onnxruntime raises of a file that is cut off, or no network
    runtime_errors.Fail,
    runtime_errors.InvalidArgument,
    runtime_errors.InvalidGraph,
    runtime_errors.InvalidProtobuf,
    runtime_errors.NotImplemented,
    runtime_errors.RuntimeException,
)


@dataclass(frozen=True)
class Exported:
    """A loaded network; `config` is what its config.json says."""

    identity: ModelIdentity
    config: dict[str, Any]
    vocabulary: Vocabulary
    run: Run


def load(
    source: str,
    options: LoadOptions,
    weights: Path,
    task: str,
    outputs: Sequence[str],
    example: Callable[[Vocabulary, int], dict[str, NDArray[Any]]],
    *,
    helpers: int = 0,
) -> Exported:
    """Load the model of that name in the folder `weights`, or the one in the folder `source`.

    A question that is alone is answered sooner with `helpers`: so many threads of the other streams, which pays for
    some networks. `example` gives the inputs of a text with that number of a piece in it. Raises `UnknownName`, and
    `AdversaryError` for a folder that holds no network for that kind of task.
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
    run = session(folder / "model.onnx", 1 + more, outputs)
    _check_pieces(folder.name, run, example, vocabulary)
    return Exported(identity, config, vocabulary, run)


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
        content = (vocabulary_file(folder) if name == OWN_VOCABULARY else folder / name).read_bytes()
        total.update(f"{name} {len(content)}\n".encode())
        total.update(content)
    return total.hexdigest()


def vocabulary_file(folder: Path) -> Path:
    """Return the vocabulary of a model's folder: its own, or the one that ships.

    Raises `AdversaryError` for a folder that names another one than that.
    """
    own, named = folder / OWN_VOCABULARY, folder / VOCABULARY_HASH
    if own.is_file() or not named.is_file():
        return own
    if named.read_bytes().strip() != hashlib.sha256(SHIPPED_VOCABULARY.read_bytes()).hexdigest().encode():
        raise AdversaryError(
            f"The {VOCABULARY_HASH} of {folder.name!r} names another vocabulary than the one that ships. Put the "
            f"model's own {OWN_VOCABULARY} into the folder, or export the model again."
        )
    return SHIPPED_VOCABULARY


def session(path: Path, threads: int, outputs: Sequence[str]) -> Run:
    """Return the network in a file; it gives its outputs in that order.

    Weights are read from that file alone, so that its hash is of all of them. Raises `AdversaryError` for a file
    without a network, or with operators of somebody's own; and when it runs, for one that computes no numbers.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = WARNINGS_AND_WORSE_OFF
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # threads that wait leave the cores alone
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", NO_FOLDER)
    try:
        opened = onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    except UNREADABLE as error:
        raise AdversaryError(f"{path.name} of {path.parent.name!r} is no network: {error}") from error
    give_back_what_is_free()  # its weights were unpacked several times over: 200 MB of the shipped model's
    given = {output.name for output in opened.get_outputs()}
    if not given.issuperset(outputs):
        raise AdversaryError(
            f"{path.name} of {path.parent.name!r} gives {', '.join(sorted(given))}; {', '.join(outputs)} are needed."
        )

    quiet = onnxruntime.RunOptions()
    quiet.log_severity_level = FATAL  # what is worse than a warning is raised

    def run(arrays: dict[str, NDArray[Any]]) -> Sequence[NDArray[Any]]:
        found: Sequence[NDArray[Any]] = opened.run(list(outputs), arrays, quiet)
        check_numbers(found)
        return found

    return run


def _check_pieces(
    name: str, run: Run, example: Callable[[Vocabulary, int], dict[str, NDArray[Any]]], vocabulary: Vocabulary
) -> None:
    """Raise `AdversaryError` unless the network knows just as many pieces as the vocabulary, and computes numbers."""
    pieces = len(vocabulary)
    try:
        run(example(vocabulary, pieces - 1))
    except UNREADABLE as error:
        raise AdversaryError(
            f"The network of {name!r} knows fewer pieces than the {pieces:,} of its vocabulary.txt. Export the model "
            "again."
        ) from error
    try:
        run(example(vocabulary, pieces))
    except UNREADABLE:
        return
    raise AdversaryError(
        f"The network of {name!r} knows more pieces than the {pieces:,} of its vocabulary.txt. Export the model again."
    )


def _folder(source: str, weights: Path) -> Path:
    if source in shipped(weights):
        return weights / source
    folder = Path(source)
    if not folder.is_dir():
        raise UnknownName("model", source, shipped(weights))
    files = {name: folder / name for name in MODEL_FILES} | {OWN_VOCABULARY: vocabulary_file(folder)}
    missing = [name for name, path in files.items() if not path.is_file()]
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
    temperature = config["temperature"]
    if not isinstance(temperature, int | float) or not 0 < temperature < math.inf:
        raise AdversaryError(
            f"The config.json of {folder.name!r} has temperature {temperature!r}, which is no number above 0. "
            "Export the model again."
        )
    return config


def _vocabulary(folder: Path) -> Vocabulary:
    try:
        return Vocabulary.load(vocabulary_file(folder))
    except (ValueError, LookupError) as error:  # no UTF-8, no special pieces
        raise AdversaryError(f"The vocabulary.txt of {folder.name!r} holds no word pieces: {error}") from error
