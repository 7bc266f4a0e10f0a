"""The optimisation of our networks: AdamW, a slower rate for the pretrained encoder, warm-up, and a linear fall."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from beat_the_ai.networks.schedule import Schedule


@dataclass(frozen=True, kw_only=True)
class Optimisation(Schedule):
    """Rates are peaks. `average_decay` is that of the average of the weights over time (EMA)."""

    encoder_learning_rate: float = 3e-4
    warmup_steps: int = 100
    constant_share: float = 0.4  # of the run, before the learning rate falls linearly ...
    final_share: float = 0.02  # ... to this share of itself
    average_decay: float = 0.998
    clip_norm: float = 5.0

    def rate_share(self, step: int, done: float) -> float:
        """Return the share of the peak rate at a step; `done` is the share of the run."""
        warmup = min(1.0, (step + 1) / self.warmup_steps)
        fallen = max(0.0, done - self.constant_share) / (1 - self.constant_share)
        return warmup * (1 - min(1.0, fallen) * (1 - self.final_share))


def optimiser_of(network: nn.Module, encoder: nn.Module, optimisation: Optimisation) -> torch.optim.AdamW:
    """Two groups, each with its `peak`: the encoder, which is a part of the network, and the rest."""
    inside = {id(parameter) for parameter in encoder.parameters()}
    trained = [parameter for parameter in network.parameters() if parameter.requires_grad]
    groups = [
        {"params": [p for p in trained if id(p) in inside], "peak": optimisation.encoder_learning_rate},
        {"params": [p for p in trained if id(p) not in inside], "peak": optimisation.learning_rate},
    ]
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=optimisation.weight_decay)
