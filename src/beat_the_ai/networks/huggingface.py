"""Models of Hugging Face's transformers, from a local folder or the hub: how they are loaded, what identifies them."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoTokenizer
from transformers.utils import cached_file, logging

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.errors import AdversaryError, InvalidInput

HASHED_AT_ONCE_BYTES = 1024 * 1024

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
)


@dataclass(frozen=True)
class Pretrained:
    """A loaded model, on its device and ready to answer, and its fast tokenizer."""

    identity: ModelIdentity
    model: Any
    tokenizer: Any


def load(source: str, options: LoadOptions, task: str, architecture: Any, head: str) -> Pretrained:
    """Load the model in the folder `source`, or of that hub id; a folder is never looked up on the hub.

    `architecture` is the class of transformers that loads it, `head` what its last layer is for, in words.
    Raises `AdversaryError` for what is no such model, or was never trained for this.
    """
    precision, dtype = _precision(options)
    local = Path(source).is_dir()
    try:
        tokenizer = AutoTokenizer.from_pretrained(source, local_files_only=local, padding_side="right")
        model, loading = architecture.from_pretrained(
            source, local_files_only=local, dtype=dtype, output_loading_info=True
        )
        folder = folder_of(source)
    except (OSError, ValueError) as error:
        raise AdversaryError(f"{source!r} is no model that transformers can load: {error}") from error
    if loading["missing_keys"]:
        raise AdversaryError(f"{source!r} has no trained {head} head: {min(loading['missing_keys'])} is missing.")
    if not tokenizer.is_fast:
        raise AdversaryError(f"{source!r} has no fast tokenizer, without which a token has no place in its text.")
    if options.device == "cpu":
        torch.set_num_threads(options.threads)
    identity = ModelIdentity(Path(source).name if local else source, task, hash_of(folder), precision)
    return Pretrained(identity, model.to(options.device).eval(), tokenizer)


def config_of(source: str) -> Any:
    """Raises `AdversaryError`."""
    try:
        return AutoConfig.from_pretrained(source, local_files_only=Path(source).is_dir())
    except (OSError, ValueError) as error:
        raise AdversaryError(f"{source!r} is no model that transformers can load: {error}") from error


def origin_of(source: str) -> dict[str, str]:
    """What the record of a training says of the model that it goes on from."""
    return {"model": Path(source).name if Path(source).is_dir() else source, "hash": hash_of(folder_of(source))}


def export(weights: Path, folder: Path) -> None:
    """From the best model of a run to the folder that `huggingface:FOLDER` names."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(weights, folder)


def initial_tokenizer(source: str) -> Any:
    """Raises `AdversaryError` for a model that has none by which texts can be cut and batched."""
    try:
        tokenizer = AutoTokenizer.from_pretrained(source, local_files_only=Path(source).is_dir(), padding_side="right")
    except (OSError, ValueError) as error:
        raise AdversaryError(f"{source!r} is no model that transformers can load: {error}") from error
    if not tokenizer.is_fast:
        raise AdversaryError(f"{source!r} has no fast tokenizer, without which a token has no place in its text.")
    if tokenizer.pad_token is None:
        raise AdversaryError(
            f"The tokenizer of {source!r} has no padding, without which texts make no batch. Save the model to a "
            "folder with a pad_token, or go on from an encoder, such as BERT, RoBERTa or DeBERTa."
        )
    return tokenizer


def initial_model(source: str, architecture: Any, *, new_head: bool, **config: Any) -> Any:
    """The model in the folder `source`, which is never looked up on the hub, or of that hub id.

    `architecture` is the class of transformers that loads it, `config` what is changed in its config. A new head has
    random weights. Raises `AdversaryError` for what has no trained encoder for such a head.
    """
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        model, loading = architecture.from_pretrained(
            source,
            local_files_only=Path(source).is_dir(),
            dtype=torch.float32,
            output_loading_info=True,
            ignore_mismatched_sizes=True,
            **config,
        )
    except (OSError, ValueError) as error:
        raise AdversaryError(
            f"{source!r} is no encoder of sequences that transformers can load and train: {error}"
        ) from error
    body = f"{model.base_model_prefix}."
    lacking = [name for name in loading["missing_keys"] if name.startswith(body) and "pooler" not in name]
    if lacking:
        raise AdversaryError(f"{source!r} has no trained encoder of sequences: {min(lacking)} is missing.")
    if new_head:
        random_weights = architecture.from_config(model.config).state_dict()
        head = {name: value for name, value in random_weights.items() if not name.startswith(body)}
        model.load_state_dict(head, strict=False)
    return model


def folder_of(source: str) -> Path:
    """Where a model's files lie: the folder itself, or that of the hub's cache. Raises `OSError`."""
    return Path(source) if Path(source).is_dir() else Path(str(cached_file(source, "config.json"))).parent


def hash_of(folder: Path) -> str:
    """SHA-256 over the names and contents of the files that make the model what it is."""
    weights = next((found for pattern in WEIGHT_FILES if (found := list(folder.glob(pattern)))), [])
    others = {path for pattern in OTHER_FILES for path in folder.glob(pattern)}
    total = hashlib.sha256()
    for path in sorted([*weights, *others]):
        total.update(f"{path.name} {path.stat().st_size}\n".encode())
        with path.open("rb") as file:
            while chunk := file.read(HASHED_AT_ONCE_BYTES):
                total.update(chunk)
    return total.hexdigest()


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
