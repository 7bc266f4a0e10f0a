"""The network: a shallow pretrained encoder reads a pair as one text (Devlin et al. 2019); what it says of the premise
and of the hypothesis is pooled by mean and maximum, as in ESIM (Chen et al. 2017b, §3.3), and classified."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn import functional

from beat_the_ai.kinds.nli.cross_encoder.features import HYPOTHESIS, MATCH_FEATURES, MAX_PIECES, PREMISE
from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.networks.checkpoint import Checkpoint
from beat_the_ai.networks.encoder import Encoder, NetworkConfig


class Network(nn.Module):  # type: ignore[misc]
    """Logits over `LABELS`; the inputs are those of `features.batch`."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        assert config.encoder.positions >= MAX_PIECES
        self.config = config
        encoded, table = config.encoder.width, config.encoder.table_width
        self.encoder = Encoder(config.encoder)
        self.reduce = nn.Linear(encoded + table + MATCH_FEATURES, config.width)
        self.combine = nn.Linear(encoded + 4 * config.width, config.width)
        self.classify = nn.Linear(config.width, len(LABELS))

    def forward(self, pieces: Tensor, segments: Tensor, match: Tensor) -> Tensor:
        """Shapes as in `features.batch`; gives (N, 3)."""
        table, encoded = self.encoder(pieces)
        x = functional.relu(self.reduce(self._drop(torch.cat([encoded, table, match], dim=-1))))
        pooled = [encoded[:, 0], *_pooled(x, segments, PREMISE), *_pooled(x, segments, HYPOTHESIS)]
        return self.classify(self._drop(functional.relu(self.combine(self._drop(torch.cat(pooled, dim=-1))))))

    def _drop(self, x: Tensor) -> Tensor:
        return functional.dropout(x, self.config.dropout, self.training)


@dataclass(frozen=True)
class TrainedClassifier(Checkpoint):
    """A trained network, and whether it never saw a premise."""

    network_class, config_class = Network, NetworkConfig

    hypothesis_only: bool = field(kw_only=True)


def _pooled(x: Tensor, segments: Tensor, segment: int) -> tuple[Tensor, Tensor]:
    """Mean and maximum (N, d) of what is never negative (N, L, d), over one segment."""
    inside = (segments == segment).to(x.dtype)[:, :, None]
    return (x * inside).sum(dim=1) / inside.sum(dim=1), (x * inside).amax(dim=1)
