"""How the networks' weights are learnt: AdamW, a slower rate for the pretrained encoder, warm-up, and a linear fall."""

from __future__ import annotations

from typing import Protocol

import torch
from torch import nn


class Schedule(Protocol):
    """Rates are peaks; the last three say how a rate goes up, stays and falls, steps first and then shares of a run."""

    @property
    def learning_rate(self) -> float: ...

    @property
    def encoder_learning_rate(self) -> float: ...

    @property
    def weight_decay(self) -> float: ...

    @property
    def warmup_steps(self) -> int: ...

    @property
    def constant_share(self) -> float: ...

    @property
    def final_share(self) -> float: ...


def optimiser_of(network: nn.Module, encoder: nn.Module, schedule: Schedule) -> torch.optim.AdamW:
    """Two groups, each with its `peak`: the encoder, which is a part of the network, and the rest."""
    inside = {id(parameter) for parameter in encoder.parameters()}
    trained = [parameter for parameter in network.parameters() if parameter.requires_grad]
    groups = [
        {"params": [p for p in trained if id(p) in inside], "peak": schedule.encoder_learning_rate},
        {"params": [p for p in trained if id(p) not in inside], "peak": schedule.learning_rate},
    ]
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=schedule.weight_decay)


def learning_rate_share(schedule: Schedule, step: int, done: float) -> float:
    """Of the peak, at a step; `done` is the share of the run."""
    warmup = min(1.0, (step + 1) / schedule.warmup_steps)
    fallen = max(0.0, done - schedule.constant_share) / (1 - schedule.constant_share)
    return warmup * (1 - min(1.0, fallen) * (1 - schedule.final_share))
