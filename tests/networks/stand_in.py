"""A stand-in for the pretrained MiniLM: a folder like that of its package, with random weights."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

WIDTH, HIDDEN = 384, 1536
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def write_pretrained(folder: Path, pieces: Sequence[str], layers: int = 1) -> str:
    """Its vocabulary has these pieces beside the special ones. Gives the digest by which it is known."""
    generator = np.random.default_rng(0)
    header, body = {}, b""
    for name, shape in _shapes(len(SPECIAL) + len(pieces), layers).items():
        values = generator.normal(size=shape, scale=0.05).astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(body), len(body) + len(values)]}
        body += values
    text = json.dumps(header).encode()
    content = len(text).to_bytes(8, "little") + text + body
    (folder / "model.safetensors").write_bytes(content)
    (folder / "vocab.txt").write_text("\n".join([*SPECIAL, *pieces]) + "\n")
    return hashlib.sha256(content).hexdigest()


def _shapes(rows: int, layers: int) -> dict[str, tuple[int, ...]]:
    embeddings = {"word_embeddings": rows, "position_embeddings": 512, "token_type_embeddings": 2}
    found: dict[str, tuple[int, ...]] = {f"embeddings.{name}.weight": (n, WIDTH) for name, n in embeddings.items()}
    linear = {"attention.self.query": (WIDTH, WIDTH), "attention.self.key": (WIDTH, WIDTH)}
    linear |= {"attention.self.value": (WIDTH, WIDTH), "attention.output.dense": (WIDTH, WIDTH)}
    linear |= {"intermediate.dense": (HIDDEN, WIDTH), "output.dense": (WIDTH, HIDDEN)}
    norms = ["embeddings.LayerNorm"]
    for layer in (f"encoder.layer.{number}" for number in range(layers)):
        for name, shape in linear.items():
            found |= {f"{layer}.{name}.weight": shape, f"{layer}.{name}.bias": shape[:1]}
        norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"]
    return found | {f"{name}.{part}": (WIDTH,) for name in norms for part in ("weight", "bias")}
