"""Models of Hugging Face's transformers, from a local folder or the hub: how they are loaded, what identifies them,
and how they are run on any number of inputs.
"""

from __future__ import annotations

import copy
import gc
import hashlib
import logging
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from transformers.utils import logging as transformers_logging

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.networks.device_memory import check_fits
from beat_the_ai.networks.divergence import Diverged
from beat_the_ai.networks.loading import UNREADABLE, check_fit, folder_of, located, model_of, tokenizer_of
from beat_the_ai.networks.outputs import check_numbers
from beat_the_ai.networks.weights import not_finite

HASHED_AT_ONCE_BYTES = 1024 * 1024
ROWS_PER_BATCH = 32

Inputs = Mapping[str, Sequence[int]]
"""What a model reads of one text or pair: token numbers, and the like, by the names of its arguments."""

log = logging.getLogger(__name__)

PRECISIONS = {
    "cpu": {"fp32": torch.float32},
    "cuda": {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32},
}
WEIGHT_FILES = ("*.safetensors", "*.bin")
OTHER_FILES = (
    "config.json",
    "tokenizer*",
    "vocab*",
    "merges.txt",
    "special_tokens_map.json",
    "added_tokens.json",
    "*.model",
    "model_int8.*",  # of OpenVINO
)


@dataclass(frozen=True)
class Pretrained:
    """A loaded model, on its device and ready to answer, and its fast tokenizer."""

    identity: ModelIdentity
    model: Any
    tokenizer: Any
    rows_per_batch: int = ROWS_PER_BATCH

    def stream(self) -> Pretrained:
        """For another thread: a tokenizer, unlike a network, keeps its settings between two calls."""
        return replace(self, tokenizer=copy.deepcopy(self.tokenizer))


class Forward:
    """Runs a model: from rows of inputs to what its head says of each, in order.

    `outputs` are names of the head's outputs, whose first axis is that of the rows. Rows are batched by length, so that
    little is padded. A batch that the GPU's memory does not hold is halved, and so are those that come after it.
    """

    def __init__(self, pretrained: Pretrained, outputs: Sequence[str]) -> None:
        self._model, self._tokenizer = pretrained.model, pretrained.tokenizer
        self._outputs = outputs
        self._rows_per_batch = pretrained.rows_per_batch

    def __call__(self, rows: Sequence[Inputs]) -> list[tuple[NDArray[np.float64], ...]]:
        """Arrays are as long as their row was padded. Raises `AdversaryError` where one row alone does not fit."""
        by_length = sorted(range(len(rows)), key=lambda number: len(rows[number]["input_ids"]))
        found: dict[int, tuple[NDArray[np.float64], ...]] = {}
        while by_length:
            batch = by_length[: self._rows_per_batch]
            arrays = self._batch([rows[number] for number in batch])
            if arrays is None:
                self._halve(len(batch))
                continue
            found.update(zip(batch, zip(*arrays, strict=True), strict=True))
            by_length = by_length[len(batch) :]
        return [found[number] for number in range(len(rows))]

    def _batch(self, rows: Sequence[Inputs]) -> list[NDArray[np.float64]] | None:
        """The outputs of all rows; None where they do not fit into the memory together. Raises `AdversaryError`."""
        padded = self._tokenizer.pad([dict(row) for row in rows], return_tensors="pt")
        try:
            with torch.inference_mode():
                output = self._model(**padded.to(self._model.device))
            arrays = [getattr(output, name).double().cpu().numpy() for name in self._outputs]
        except torch.OutOfMemoryError:
            return None
        check_numbers(arrays)
        return arrays

    def _halve(self, rows: int) -> None:
        gc.collect()
        torch.cuda.empty_cache()
        if rows == 1:
            raise AdversaryError("This text does not fit into the memory of the AI's device.")
        self._rows_per_batch = rows // 2
        log.warning("%d rows did not fit into the GPU's memory; from now on batches have %d", rows, rows // 2)


def load(
    source: str, options: LoadOptions, task: str, architecture: Any, head: str, outputs: Sequence[str]
) -> Pretrained:
    """Load the model in the folder `source`, or of the hub: `ID@COMMIT`. A folder is never looked up on the hub.

    `architecture` is the class of transformers that loads it, `head` what its last layer is for, in words, and
    `outputs` are those of the head, by name.
    Raises `AdversaryError` for what is no such model, or was never trained for this, and `InvalidInput` for a model of
    the hub without a commit: its main branch may move, and with it what people have to beat.
    """
    precision, dtype = _precision(options)
    name, commit = located(source)
    local = Path(name).is_dir()
    if not local and commit is None:
        raise InvalidInput(
            "adversary.members",
            f"{source!r} is no folder here, and a model of the hub needs its commit: write huggingface:{name}@COMMIT, "
            f"of 40 hexadecimal digits. https://huggingface.co/{name}/commits/main lists them.",
        )
    model, loading = model_of(source, architecture, dtype=dtype)
    if loading["missing_keys"]:
        raise AdversaryError(f"{source!r} has no trained {head} head: {min(loading['missing_keys'])} is missing.")
    tokenizer = tokenizer_of(source, model.config)
    model.eval().requires_grad_(False)
    check_fit(source, model, tokenizer, outputs)
    identity = ModelIdentity(Path(name).name if local else name, task, hash_of(folder_of(source)), precision)
    if options.device == "cpu":
        torch.set_num_threads(options.threads)
    else:
        check_fits(identity.name, model, options.memory_gib)
    return Pretrained(identity, model.to(options.device), tokenizer)


def origin_of(source: str) -> dict[str, str]:
    """Return the origin in a training's record: the model from which it continues."""
    name, _ = located(source)
    try:
        folder = folder_of(source)
    except UNREADABLE as error:
        raise AdversaryError(f"{source!r} is no model that transformers can load: {error}") from error
    return {"model": Path(name).name if Path(name).is_dir() else source, "hash": hash_of(folder)}


def export(weights: Path, folder: Path) -> None:
    """Copy the best model of a run to the new folder that `huggingface:FOLDER` names.

    Raises `Diverged` for weights that are no numbers.
    """
    for path in weights.glob("*.safetensors"):
        name = not_finite(load_file(path).items())
        if name is not None:
            raise Diverged(f"{name} is no number")
    shutil.copytree(weights, folder)


def initial_model(
    source: str, tokenizer: Any, architecture: Any, outputs: Sequence[str], *, new_head: bool, **config: Any
) -> Any:
    """The model in the folder `source`, which is never looked up on the hub, or of that hub id.

    `architecture` is the class of transformers that loads it, `outputs` are those of its head, by name, and `config` is
    what is changed in its config. A new head has random weights. Raises `AdversaryError` for what has no trained
    encoder for such a head.
    """
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    model, loading = model_of(source, architecture, dtype=torch.float32, ignore_mismatched_sizes=True, **config)
    body = f"{model.base_model_prefix}."
    random = [*loading["missing_keys"], *(name for name, *_ in loading["mismatched_keys"])]
    lacking = [name for name in random if name.startswith(body) and "pooler" not in name]
    if lacking:
        raise AdversaryError(f"{source!r} has no trained encoder of sequences: {min(lacking)} is missing.")
    if new_head:
        random_weights = architecture.from_config(model.config, trust_remote_code=False).state_dict()
        head = {name: value for name, value in random_weights.items() if not name.startswith(body)}
        model.load_state_dict(head, strict=False)
    check_fit(source, model, tokenizer, outputs)
    return model


def hash_of(folder: Path) -> str:
    """SHA-256 over the names and contents of the files that make the model what it is."""
    weights = next((found for pattern in WEIGHT_FILES if (found := list(folder.glob(pattern)))), [])
    others = {path for pattern in OTHER_FILES for path in folder.glob(pattern)}
    total = hashlib.sha256()
    for path in sorted({*weights, *others}):
        total.update(f"{path.name} {path.stat().st_size}\n".encode())
        with path.open("rb") as file:
            while chunk := file.read(HASHED_AT_ONCE_BYTES):
                total.update(chunk)
    return total.hexdigest()


def window_tokens(tokenizer: Any, config: Any, most: int) -> int:
    """Return how many tokens a model reads at once, and never more than `most`.

    Relative positions have no limit: XLNet's config says -1.
    """
    positions = getattr(config, "max_position_embeddings", most)
    return int(min(most, tokenizer.model_max_length, positions if positions > 0 else most))


def shortened(text: str, tokenizer: Any, limit: int) -> str:
    """The text's beginning of at most that many tokens."""
    offsets = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
    return text if len(offsets) <= limit else text[: offsets[limit - 1][1]]


def _precision(options: LoadOptions) -> tuple[str, torch.dtype]:
    allowed = PRECISIONS.get(options.device)
    if allowed is None:
        raise InvalidInput("device", f"{options.device!r} is no device. Allowed: cpu, cuda.")
    precision = options.precision or next(iter(allowed))
    if precision not in allowed:
        raise InvalidInput(
            "precision", f"{precision!r} is not available on {options.device}. Allowed: {', '.join(allowed)}."
        )
    return precision, allowed[precision]
