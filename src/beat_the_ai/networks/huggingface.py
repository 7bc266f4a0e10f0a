"""Models of Hugging Face's transformers, from a local folder or the hub: how they are loaded, what identifies them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoTokenizer
from transformers.utils import cached_file

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
