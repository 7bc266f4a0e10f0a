"""The training of our own networks: batches in, the best average of the weights out; resumable and repeatable.

Weights are averaged over time (EMA), and it is the average that is looked at and kept. A run's folder holds its
settings, `last.pt`, from which it goes on, and `best.pt`. Under a seed, on one machine's CPU, a run gives the same
weights each time, also when it was stopped or killed and went on; unless its minutes decide when it ends.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from beat_the_ai.errors import AdversaryError
from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.networks.divergence import Diverged, check_look, check_loss
from beat_the_ai.networks.optimisation import Optimisation, optimiser_of
from beat_the_ai.networks.outputs import NoNumbers
from beat_the_ai.networks.progress import Clock, Deciding, Look, Observer, Step, Trained
from beat_the_ai.networks.runs import take_up
from beat_the_ai.networks.weights import not_finite, read_checkpoint

SAVE_SECONDS = 300.0  # no more is lost when a run is killed

Batch = TypeVar("Batch")


class Learner(Protocol[Batch]):
    """A network's own part of training: its batches, loss, measurement and storage. `encoder` is a part of it."""

    network: nn.Module
    encoder: nn.Module
    deciding: Deciding

    @property
    def dev_batches(self) -> int: ...

    def epoch(self, number: int, done: float) -> Sequence[Batch]:
        """Its batches, always the same; `done` is the share of the run when it begins."""

    def loss(self, batch: Batch, step: int) -> Tensor:
        """Return the loss of the network as it stands, a scalar."""

    def figures(self, network: nn.Module) -> Mapping[str, float]:
        """Return the figures of a network of this kind on the development part."""

    def save(self, path: Path, network: nn.Module) -> None:
        """As what is exported."""


def fit(
    folder: Path, settings: Mapping[str, Any], plan: Optimisation, learner: Learner[Any], observer: Observer
) -> Trained | None:
    """Train, or go on from the last checkpoint in `folder`; None where `observer` stopped it: the same call goes on.

    `settings` are all that decides the weights. Raises `InvalidInput` where the folder has a run of others, and
    `AdversaryError` where a GPU's memory does not hold a step, or the training diverges.
    """
    take_up(folder, settings)
    try:
        return _Run(folder, plan, learner, observer).fitting()
    except torch.OutOfMemoryError as error:
        raise AdversaryError(
            "The GPU's memory does not hold the network and a batch of this size. Train with a smaller --batch-size "
            "and another --out, or on a GPU with more memory."
        ) from error


@dataclass
class _State:
    """The state of a resumed run beside weights.

    `batch` counts the done batches of the epoch; `epoch_began` is the share of the run at its beginning.
    """

    step: int = 0
    epoch: int = 0
    batch: int = 0
    epoch_began: float = 0.0
    seconds: float = 0.0
    look_seconds: float = 0.0  # what the last look took
    looked: int = 0  # the step of the last look
    unimproved: int = 0
    best: Look | None = None


class _Run:
    def __init__(self, folder: Path, plan: Optimisation, learner: Learner[Any], observer: Observer) -> None:
        self.folder, self.plan, self.learner, self.observer = folder, plan, learner, observer
        learner.network.to(plan.device)
        self.average = copy.deepcopy(learner.network).requires_grad_(False)
        self.optimiser = optimiser_of(learner.network, learner.encoder, plan)
        epoch_steps = len(learner.epoch(0, 0.0))
        self.steps = plan.steps(epoch_steps)
        self.check_steps = plan.steps_between_looks(epoch_steps, learner.dev_batches)
        self.state = _State()
        self.losses: list[float] = []
        self._resume()
        self.clock = Clock(self.state.seconds)
        self.saved = self.state.seconds

    def fitting(self) -> Trained | None:
        for batch in self._batches():
            if self.observer.stopped():
                self._save()
                return None
            self._step(batch)
            if self.state.step % self.check_steps == 0:
                self._look()
        if self.state.looked < self.state.step:
            self._look()
        assert self.state.best is not None, "a run has at least one step"
        return Trained(self.folder / "best.pt", self.state.best)

    @property
    def done(self) -> float:
        """The share of the run that lies behind. Of its time the last look is left out, which is yet to come."""
        state = self.state
        return max(state.step / self.steps, self.plan.share_of_time(state.seconds + state.look_seconds))

    def _has_ended(self) -> bool:
        return self.done >= 1 or self.state.unimproved >= self.plan.patience

    def _batches(self) -> Iterator[Any]:
        """Yield the batches that are left of the run; each must be a step."""
        state = self.state
        while not self._has_ended():
            for batch in self.learner.epoch(state.epoch, state.epoch_began)[state.batch :]:
                if self._has_ended():
                    return
                yield batch
            state.epoch, state.batch, state.epoch_began = state.epoch + 1, 0, self.done

    def _step(self, batch: Any) -> None:
        plan, state, network = self.plan, self.state, self.learner.network
        share = plan.rate_share(state.step, self.done)
        for group in self.optimiser.param_groups:
            group["lr"] = group["peak"] * share
        network.train()
        with torch.autocast(plan.device, dtype=torch.bfloat16, enabled=plan.bfloat16):
            loss = self.learner.loss(batch, state.step)
        check_loss(float(loss.detach()), state.step + 1)
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), plan.clip_norm)
        self.optimiser.step()
        state.step += 1
        state.batch += 1
        self.losses.append(float(loss.detach()))
        self._update_average()
        state.seconds = self.clock.seconds
        if self.clock.is_time_to_speak():
            self.observer.stepped(Step(min(1.0, self.done), state.step, state.seconds))
        if state.seconds - self.saved > SAVE_SECONDS:
            self._save()

    def _update_average(self) -> None:
        decay = min(self.plan.average_decay, (1 + self.state.step) / (10 + self.state.step))
        pairs = zip(self.average.parameters(), self.learner.network.parameters(), strict=True)
        for averaged, current in pairs:
            if current.requires_grad:
                averaged.lerp_(current.detach(), 1 - decay)

    def _look(self) -> None:
        """At the development part; keeps the average as `best.pt` if it is the best so far, and the run."""
        state, began = self.state, self.clock.seconds
        look = Look(min(1.0, self.done), state.step, float(np.mean(self.losses)), self._figures())
        check_look(look)
        self.losses = []
        if self.learner.deciding.prefers(look, state.best):
            state.best, state.unimproved = look, 0
            self.learner.save(self.folder / "best.pt", self.average)
        else:
            state.unimproved += 1
        state.looked, state.seconds = state.step, self.clock.seconds
        state.look_seconds = state.seconds - began
        self._save()
        self.observer.looked(look)

    def _figures(self) -> Mapping[str, float]:
        """Return the average's figures on the development part. Raises `Diverged`."""
        name = not_finite(self.average.named_parameters())
        if name is not None:
            raise Diverged(f"{name} is no number after step {self.state.step}")
        try:
            return self.learner.figures(self.average)
        except NoNumbers as error:
            raise Diverged(f"What the network answers is no number after step {self.state.step}") from error

    def _save(self) -> None:
        run = {
            "network": self.learner.network.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "state": asdict(self.state),
            "losses": self.losses,
            "torch_random": torch.get_rng_state(),
        }
        with replacing(self.folder / "last.pt") as file:
            torch.save(run, file)
        self.saved = self.state.seconds

    def _resume(self) -> None:
        path = self.folder / "last.pt"
        if not path.exists():
            return
        run = read_checkpoint(path)
        self.learner.network.load_state_dict(run["network"])
        self.average.load_state_dict(run["average"])
        self.optimiser.load_state_dict(run["optimiser"])
        best = run["state"].pop("best")
        self.state = _State(**run["state"], best=Look(**best) if best else None)
        self.losses = run["losses"]
        torch.set_rng_state(run["torch_random"])
