"""Models that ship with the project, run by onnxruntime on the CPU: reading comprehension in milliseconds, no torch.

A source is the name of a shipped model (`bidaf-small`) or a folder that `bidaf.export` wrote.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.errors import AdversaryError, InvalidInput, UnknownName
from beat_the_ai.kinds.reading_comprehension.bidaf.features import Array
from beat_the_ai.kinds.reading_comprehension.bidaf.reader import Logits, Reader
from beat_the_ai.kinds.reading_comprehension.bidaf.text import Vocabulary
from beat_the_ai.kinds.reading_comprehension.writing import NAME, Prediction, Query

SHIPPED = Path(__file__).resolve().parents[1] / "weights"
MODEL_FILES = ("config.json", "model.onnx", "vocabulary.txt")
FORMAT = 1
WARNINGS_AND_WORSE_OFF = 3  # onnxruntime's log level: errors only


def load(source: str, options: LoadOptions) -> OnnxReader:
    """Load a shipped model by name, or the model in a folder."""
    if options.device != "cpu":
        raise InvalidInput("device", f"{options.device!r} was given; the backend 'onnx' runs on the cpu only.")
    if options.precision not in (None, "fp32"):
        raise InvalidInput("precision", f"{options.precision!r} was given; the backend 'onnx' computes in fp32 only.")
    folder = _folder(source)
    config = _config(folder)
    identity = ModelIdentity(config["name"], NAME, hash_of(folder), "fp32")
    vocabulary = Vocabulary.load(folder / "vocabulary.txt")
    logits = _logits(folder / "model.onnx", options.threads)
    return OnnxReader(identity, Reader(vocabulary, logits, config["temperature"]))


@dataclass(frozen=True)
class OnnxReader:
    """A loaded model."""

    query_type: ClassVar[type[Query]] = Query

    identity: ModelIdentity
    reader: Reader

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        return self.reader.predict(queries)


def shipped() -> list[str]:
    """The names of the models that come with the project."""
    return sorted(folder.name for folder in SHIPPED.iterdir() if (folder / "config.json").is_file())


def hash_of(folder: Path) -> str:
    """SHA-256 over the names, sizes and contents of the files that make the model what it is; not the model card."""
    total = hashlib.sha256()
    for name in sorted(MODEL_FILES):
        content = (folder / name).read_bytes()
        total.update(f"{name} {len(content)}\n".encode())
        total.update(content)
    return total.hexdigest()


def _folder(source: str) -> Path:
    if source in shipped():
        return SHIPPED / source
    folder = Path(source)
    if not folder.is_dir():
        raise UnknownName("model", source, shipped())
    missing = [name for name in MODEL_FILES if not (folder / name).is_file()]
    if missing:
        raise AdversaryError(f"{folder.name!r} is no exported model: it lacks {', '.join(missing)}.")
    return folder


def _config(folder: Path) -> dict[str, Any]:
    try:
        config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise AdversaryError(f"The config.json of {folder.name!r} is no JSON: {error}") from error
    if config.get("format") != FORMAT or config.get("task") != NAME:
        raise AdversaryError(
            f"The config.json of {folder.name!r} has format {config.get('format')!r} and task {config.get('task')!r}; "
            f"format {FORMAT} and task {NAME!r} can be read. Export the model again."
        )
    return config


def _logits(path: Path, threads: int) -> Logits:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = WARNINGS_AND_WORSE_OFF
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def run(arrays: dict[str, Array]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        start, end = session.run(["start", "end"], arrays)
        return start, end

    return run
