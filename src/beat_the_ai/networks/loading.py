"""The one door through which files of Hugging Face's transformers are opened, from a local folder or the hub.

No code that a model brings is run, nothing is asked on standard input, and weights are safetensors. What is opened is
checked: the tokenizer fits the network, and the weights are numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from safetensors import SafetensorError
from transformers import AutoConfig, AutoTokenizer
from transformers.utils import cached_file

from beat_the_ai.errors import AdversaryError
from beat_the_ai.networks.outputs import check_numbers
from beat_the_ai.networks.weights import check_weights

# What transformers raises of files that are missing, cut off, not as they should be, or in need of other packages.
UNREADABLE = (
    *(OSError, ValueError, TypeError, LookupError, RuntimeError, AttributeError, ImportError),
    *(SafetensorError, UnpicklingError),
)
PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.pickle", "*.joblib")
# The models that `hydra_configs/adversary` and the papers' matrices pin at commits which have, or may have, weights in
# PyTorch's format alone. A commit is a checksum of its files, and torch unpickles tensors alone.
PICKLED = frozenset(
    {
        "xlnet/xlnet-large-cased@37658b4f179eaf971d127d16bfbd9ca676a93034",
        "csarron/roberta-large-squad-v1@97f419f4aff79fa10f7e229fdc859736ccd93b5c",
        "ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli@5b605abab9b75bc87ab66cfc049ef58d9d64b8ed",
    }
)
SHOWN_CHARACTERS = 300  # of what transformers says
MOST_UNUSED_ROWS = 1024  # of a network's table of pieces: sizes are rounded up, and some rows kept for later
_COMMIT = re.compile(r"@([0-9a-f]{40})$")
_INDEX = "model.safetensors.index.json"
_PROBE = ("Who? é 日", "Ada, in 1871.")


def located(source: str) -> tuple[str, str | None]:
    """Return a folder or an id of the hub, and the commit that stands behind the id: `any/model@97f4…`."""
    found = None if Path(source).is_dir() else _COMMIT.search(source)
    return (source, None) if found is None else (source[: found.start()], found[1])


def folder_of(source: str) -> Path:
    """Return where a model's files lie: the folder itself, or that of the hub's cache. Raises `OSError`."""
    name, commit = located(source)
    return Path(name) if Path(name).is_dir() else Path(str(cached_file(name, "config.json", revision=commit))).parent


def config_of(source: str) -> Any:
    """Return a model's config. Raises `AdversaryError`."""
    return _opened(source, AutoConfig.from_pretrained)


def tokenizer_of(source: str, config: Any) -> Any:
    """Return the fast tokenizer of a model with that config.

    Raises `AdversaryError` for one that cannot be read, makes no batches, or does not fit the network's table.
    """
    tokenizer = _opened(source, AutoTokenizer.from_pretrained, padding_side="right")
    if not tokenizer.is_fast:
        raise AdversaryError(f"{source!r} has no fast tokenizer, without which a token has no place in its text.")
    _check_pieces(source, tokenizer, config)
    if tokenizer.pad_token is None:
        raise AdversaryError(
            f"The tokenizer of {source!r} has no padding, without which texts make no batch. Save the model to a "
            "folder with a pad_token, or take an encoder, such as BERT, RoBERTa or DeBERTa."
        )
    return tokenizer


def model_of(source: str, architecture: Any, **options: Any) -> tuple[Any, dict[str, Any]]:
    """Return the model that a class of transformers reads from safetensors, and what it says of loading.

    Raises `AdversaryError`, also for weights that are no numbers.
    """
    check_weight_files(source)
    safetensors_only = None if source in PICKLED else True
    model, loading = _opened(
        source, architecture.from_pretrained, use_safetensors=safetensors_only, output_loading_info=True, **options
    )
    made_up = {*loading["missing_keys"], *(name for name, *_ in loading["mismatched_keys"])}
    check_weights(source, ((name, values) for name, values in model.named_parameters() if name not in made_up))
    return model, loading


def check_fit(source: str, model: Any, tokenizer: Any, outputs: Iterable[str]) -> None:
    """Ask the network what it says of a pair of texts. Raises `AdversaryError` where it cannot read it."""
    encoded = tokenizer(*_PROBE, return_tensors="pt")
    try:
        with torch.inference_mode():
            found = model(**{name: encoded[name] for name in tokenizer.model_input_names})
        arrays = [getattr(found, name).float().numpy() for name in outputs]
    except (LookupError, RuntimeError, TypeError, ValueError, AttributeError) as error:
        raise AdversaryError(
            f"The network of {source!r} cannot read what its tokenizer makes of a text: {error}. Save both of the same "
            "model to the folder again."
        ) from error
    check_numbers(arrays)


def check_weight_files(source: str) -> None:
    """Raise `AdversaryError` for a folder whose index names weights that are elsewhere, or no safetensors."""
    index = Path(source) / _INDEX
    if not index.is_file():
        return
    try:
        names = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
    except (OSError, ValueError, TypeError, LookupError, AttributeError) as error:
        raise AdversaryError(f"The {_INDEX} of {source!r} names no files of weights.") from error
    strange = [name for name in names if Path(str(name)).name != name or not name.endswith(".safetensors")]
    if strange:
        raise AdversaryError(
            f"The {_INDEX} of {source!r} names {str(strange[0])[:80]!r}. Only safetensors in the folder itself are "
            "read."
        )


def _opened(source: str, read: Callable[..., Any], **options: Any) -> Any:
    name, commit = located(source)
    local = Path(name).is_dir()
    try:
        return read(name, revision=commit, local_files_only=local, trust_remote_code=False, **options)
    except UNREADABLE as error:
        raise AdversaryError(_reason(source, error)) from error


def _reason(source: str, error: Exception) -> str:
    """Say why a model cannot be opened, in our own words where transformers would advise what nobody can do here."""
    try:
        folder = folder_of(source)
    except UNREADABLE:
        folder = Path(source)
    if any(_names_code(folder / name) for name in ("config.json", "tokenizer_config.json")):
        return (
            f"{source!r} brings code of its own, which is not run. Name a model of an architecture that transformers "
            "has."
        )
    pickles = sorted(path.name for pattern in PICKLES for path in folder.glob(pattern))
    if pickles and not list(folder.glob("*.safetensors")):
        return (
            f"{source!r} has its weights in {pickles[0]}, a pickle, which may hold code and is not read. If you "
            "trust it, load it once with transformers and write it as safetensors: model.save_pretrained(FOLDER)."
        )
    return f"{source!r} is no model that transformers can load: {str(error)[:SHOWN_CHARACTERS]}"


def _names_code(path: Path) -> bool:
    try:
        return "auto_map" in json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError):
        return False


def _check_pieces(source: str, tokenizer: Any, config: Any) -> None:
    """Raise `AdversaryError` for a tokenizer whose pieces are not those of the network's table."""
    rows = getattr(config, "vocab_size", None)
    if rows is None:
        return
    pieces, last = len(tokenizer), max(tokenizer.get_vocab().values(), default=-1)
    if last >= rows:
        raise AdversaryError(
            f"The tokenizer of {source!r} numbers its pieces up to {last:,}, and its network has {rows:,}, from 0 on. "
            "They are not of the same model, or pieces were added without model.resize_token_embeddings."
        )
    if 2 * pieces < rows or pieces + MOST_UNUSED_ROWS < rows:
        raise AdversaryError(
            f"The tokenizer of {source!r} has {pieces:,} pieces and its network {rows:,}: files of it are missing, "
            "such as tokenizer.json or vocab.txt, or it is the tokenizer of another model."
        )
