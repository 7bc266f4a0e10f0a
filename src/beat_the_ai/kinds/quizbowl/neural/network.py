"""The two networks, and the gradients by which they say which words they went by.

Gradients are computed by the network's own operators, going forward, so that they can be exported like its answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from beat_the_ai.kinds.quizbowl.neural.features import PAD
from beat_the_ai.kinds.quizbowl.neural.recurrence import Recurrence, matrix
from beat_the_ai.networks.checkpoint import Checkpoint
from beat_the_ai.networks.encoder import RoundedEmbedding

Architecture = Literal["dan", "gru"]
SMALL = 1e-9
WIDTH: dict[Architecture, int] = {"dan": 512, "gru": 192}
# Of initial weights: vectors are short, and means of many are shorter.
INPUT_SCALE, OUTPUT_SCALE = 10.0, 5.0


@dataclass(frozen=True)
class NetworkConfig:
    """`vocabulary` pieces with vectors of `table_width`, and as many logits as `pages`.

    `width` is that of each layer, of a GRU in each direction.
    """

    architecture: Architecture
    vocabulary: int
    pages: int
    width: int
    table_width: int = 128
    dropout: float = 0.4

    @classmethod
    def of_sizes(cls, sizes: Mapping[str, Any]) -> NetworkConfig:
        return cls(**sizes)

    @classmethod
    def of_weights(cls, weights: Mapping[str, Tensor]) -> NetworkConfig:
        """Return the config of a network with these weights, which tell nothing of its dropout."""
        vocabulary, table_width = weights["words.table.weight"].shape
        architecture: Architecture = "gru" if "reading.forwards.to_hidden.weight" in weights else "dan"
        first = "reading.forwards.to_hidden" if architecture == "gru" else "reading.first"
        return cls(
            architecture,
            vocabulary,
            len(weights["guess.weight"]),
            weights[f"{first}.weight"].shape[1 if architecture == "gru" else 0],
            table_width,
        )

    def with_pages(self, pages: int) -> NetworkConfig:
        return replace(self, pages=pages)


class Words(nn.Module):  # type: ignore[misc]
    """Vectors of pieces, and how loud each is: what it weighs in a mean. Padding weighs nothing."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.table = RoundedEmbedding(config.vocabulary, config.table_width)
        self.loudness = nn.Parameter(torch.zeros(config.vocabulary))

    def forward(self, pieces: Tensor) -> tuple[Tensor, Tensor]:
        """Return for pieces (N, L) vectors (N, L, t), and weights (N, L) that sum to 1 in a row with any."""
        loud = self.loudness[pieces].exp() * (pieces != PAD)
        return self.table(pieces), loud / (loud.sum(dim=1, keepdim=True) + SMALL)


class Averaging(nn.Module):  # type: ignore[misc]
    """The mean of a question's vectors, and two layers over it (Iyyer et al. 2015)."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.first = nn.Linear(config.table_width, config.width)
        with torch.no_grad():
            self.first.weight *= INPUT_SCALE
        self.second = nn.Linear(config.width, config.width)
        self.dropout = nn.Dropout(config.dropout)
        self.width = config.width

    def forward(self, vectors: Tensor, weights: Tensor, pieces: Tensor) -> Tensor:
        """(N, w) of vectors (N, L, t) and weights (N, L)."""
        del pieces
        mean = (weights.unsqueeze(2) * vectors).sum(dim=1)
        return self.dropout(self.second(self.dropout(self.first(mean).relu())).relu())

    def gradient(self, vectors: Tensor, weights: Tensor, by_output: Tensor) -> Tensor:
        """Return the gradient by each vector (1, L, t) from the gradient by the output (1, w); without dropout."""
        mean = (weights.unsqueeze(2) * vectors).sum(dim=1)
        first = self.first(mean).relu()
        by_second = by_output * (self.second(first) > 0)
        by_first = functional.linear(by_second, matrix(self.second).T) * (first > 0)
        return weights.unsqueeze(2) * functional.linear(by_first, matrix(self.first).T).unsqueeze(1)


class Recurrent(nn.Module):  # type: ignore[misc]
    """The weighted mean of what a GRU says at each piece, read from both ends (Cho et al. 2014)."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.forwards = Recurrence(config.table_width, config.width, backwards=False)
        self.backwards = Recurrence(config.table_width, config.width, backwards=True)
        self.dropout = nn.Dropout(config.dropout)
        self.width = 2 * config.width
        with torch.no_grad():
            for direction in (self.forwards, self.backwards):
                direction.from_input.weight *= INPUT_SCALE

    def forward(self, vectors: Tensor, weights: Tensor, pieces: Tensor) -> Tensor:
        """(N, 2w) of vectors (N, L, t) and weights (N, L)."""
        vectors, there = self.dropout(vectors), (pieces != PAD).float()
        states = torch.cat([self.forwards(vectors, there), self.backwards(vectors, there)], dim=2)
        return self.dropout((weights.unsqueeze(2) * states).sum(dim=1))

    def gradient(self, vectors: Tensor, weights: Tensor, by_output: Tensor) -> Tensor:
        """As that of `Averaging`; of a question without padding."""
        by_states = weights.unsqueeze(2) * by_output.unsqueeze(1)
        by_forwards, by_backwards = by_states.chunk(2, dim=2)
        return self.forwards.gradient(vectors, by_forwards) + self.backwards.gradient(vectors, by_backwards)


class Reading(NamedTuple):
    """Logits of pages (N, P), and what they come from: vectors (N, L, t) of the pieces, and their weights (N, L)."""

    logits: Tensor
    vectors: Tensor
    weights: Tensor


class Network(nn.Module):  # type: ignore[misc]
    """Reads pieces (N, L)."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.words = Words(config)
        self.reading = Averaging(config) if config.architecture == "dan" else Recurrent(config)
        self.guess = nn.Linear(self.reading.width, config.pages)
        if config.architecture == "gru":
            with torch.no_grad():
                self.guess.weight *= OUTPUT_SCALE

    def forward(self, pieces: Tensor) -> Reading:
        vectors, weights = self.words(pieces)
        return Reading(self.guess(self.reading(vectors, weights, pieces)), vectors, weights)


@dataclass(frozen=True)
class TrainedGuesser(Checkpoint):
    """A trained network, and the pages that its logits are for."""

    network_class, config_class = Network, NetworkConfig

    pages: list[str] = field(kw_only=True)

    @property
    def described(self) -> dict[str, Any]:
        return {"architecture": self.network.config.architecture, **super().described}


class Saliency(nn.Module):  # type: ignore[misc]
    """The weight of each piece of one question for a page, by the network that read it."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.reading, self.guess = network.reading, network.guess

    def forward(self, vectors: Tensor, weights: Tensor, page: Tensor) -> Tensor:
        """Gradient × embedding ("Trick Me If You Can", §3.3, eq. 1) of the logit of a page (1,): (1, L)."""
        by_output = functional.embedding(page, matrix(self.guess))
        return (self.reading.gradient(vectors, weights, by_output) * vectors).sum(dim=2)
