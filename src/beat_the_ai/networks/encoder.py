"""The encoder: the lowest layers of a pretrained BERT-like transformer, squeezed into a few MB.

Two things make it small. The table of word-piece vectors is reduced to fewer dimensions by a principal component
analysis and led back to full width by a learned matrix. And matrices are stored as 4-bit integers with a scale
per 32 weights; training sees the rounded weights too (straight-through gradient, Bengio et al. 2013), so that what is
measured is what ships.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

GROUP = 32
MASKED = -1e4  # added to a score that must not count; small enough for half precision
SMALLEST_SCALE = 2.0**-24  # above zero in half precision, in which scales are stored
LEVELS = 7  # a 4-bit weight is one of -7 .. 7 times the scale of its group


@dataclass(frozen=True)
class EncoderConfig:
    """`vocabulary` pieces with vectors of `table_width`; `layers` of `width` with `heads`, as MiniLM has them."""

    vocabulary: int
    table_width: int = 128
    width: int = 384
    hidden: int = 1536
    heads: int = 12
    layers: int = 3
    positions: int = 512

    @classmethod
    def of_weights(cls, weights: Mapping[str, Tensor]) -> EncoderConfig:
        """Return the config of a network with an `encoder`; the number of heads, unknown to weights, is as usual."""
        vocabulary, table_width = weights["encoder.table.weight"].shape
        return cls(
            vocabulary=vocabulary,
            table_width=table_width,
            width=len(weights["encoder.norm.weight"]),
            hidden=len(weights["encoder.layers.0.widen.bias"]),
            layers=len({name.split(".")[2] for name in weights if name.startswith("encoder.layers.")}),
            positions=len(weights["encoder.positions.weight"]),
        )


@dataclass(frozen=True)
class NetworkConfig:
    """The sizes of a network that reads through an encoder.

    `width` is that of everything above the encoder; `dropout` is the share that is dropped in training.
    """

    encoder: EncoderConfig
    width: int = 128
    dropout: float = 0.2

    @classmethod
    def of_sizes(cls, sizes: Mapping[str, Any]) -> NetworkConfig:
        """Return the config whose `asdict` these sizes are."""
        return cls(**{**sizes, "encoder": EncoderConfig(**sizes["encoder"])})

    @classmethod
    def of_weights(cls, weights: Mapping[str, Tensor]) -> NetworkConfig:
        """Return the config of a network with these weights, whose first layer above the encoder is `reduce`."""
        return cls(EncoderConfig.of_weights(weights), width=len(weights["reduce.bias"]))


def quantise(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Integers -7 .. 7 (rows, groups, 32) and scales (rows, groups, 1) of a matrix (rows, columns)."""
    groups = weight.unflatten(-1, (-1, GROUP))
    scale = (groups.abs().amax(dim=-1, keepdim=True) / LEVELS).clamp(min=SMALLEST_SCALE).half().float()
    return (groups / scale).round().clamp(-LEVELS, LEVELS), scale


def rounded(weight: Tensor) -> Tensor:
    """The matrix as it will be stored; the gradient passes as if it were not rounded."""
    with torch.no_grad():
        integers, scale = quantise(weight)
        error = (integers * scale).flatten(-2) - weight
    return weight + error


class RoundedLinear(nn.Linear):  # type: ignore[misc]
    """A linear layer that computes with 4-bit weights."""

    def forward(self, x: Tensor) -> Tensor:
        return functional.linear(x, rounded(self.weight), self.bias)


class RoundedEmbedding(nn.Embedding):  # type: ignore[misc]
    """A table of vectors that are stored in 4 bits and not trained; what is put into it must be `rounded`."""

    def __init__(self, rows: int, width: int) -> None:
        super().__init__(rows, width, _weight=torch.zeros(rows, width), _freeze=True)


class Layer(nn.Module):  # type: ignore[misc]
    """One transformer layer with layer norms behind its parts, as in BERT (Devlin et al. 2019)."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        width = config.width
        self.heads = config.heads
        self.query, self.key, self.value = (RoundedLinear(width, width) for _ in range(3))
        self.attended = RoundedLinear(width, width)
        self.attended_norm = nn.LayerNorm(width, eps=1e-12)
        self.widen = RoundedLinear(width, config.hidden)
        self.narrow = RoundedLinear(config.hidden, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, x: Tensor, hidden: Tensor) -> Tensor:
        """x (N, L, d); `hidden` (N, 1, 1, L) is added to attention scores."""
        query, key, value = (
            part(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        scores = (query @ key.transpose(2, 3)) * query.shape[-1] ** -0.5 + hidden.to(query.dtype)
        seen = scores.softmax(dim=-1, dtype=scores.dtype) @ value
        x = self.attended_norm(x + self.attended(seen.transpose(1, 2).flatten(2)))
        return self.norm(x + self.narrow(functional.gelu(self.widen(x))))


class Encoder(nn.Module):  # type: ignore[misc]
    """Word pieces (N, L) -> table vectors (N, L, table) and encoded pieces (N, L, d). The table is not trained."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.table = RoundedEmbedding(config.vocabulary, config.table_width)
        self.expand = nn.Linear(config.table_width, config.width)
        self.positions = nn.Embedding(config.positions, config.width)
        self.norm = nn.LayerNorm(config.width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))

    def forward(self, pieces: Tensor) -> tuple[Tensor, Tensor]:
        table = self.table(pieces)
        hidden = (pieces == 0).float()[:, None, None, :] * MASKED
        x = self.norm(self.expand(table) + self.positions.weight[: pieces.shape[1]])
        for layer in self.layers:
            x = layer(x, hidden)
        return table, x
