"""The Trainer of transformers with our order of examples, and what watches it: looks, time, and ends."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from transformers import Trainer, TrainerCallback, TrainingArguments
from transformers.trainer_callback import ExportableState, TrainerState

from beat_the_ai.networks.divergence import check_look, check_loss
from beat_the_ai.networks.progress import Clock, Deciding, Observer, Step
from beat_the_ai.networks.sampling import Weighted, batched, draw
from beat_the_ai.networks.schedule import Schedule
from beat_the_ai.networks.trainer_checkpoints import look_of

Encoded = Mapping[str, Any]
"""The inputs of one example (rows of the same length) and its labels."""


class OrderedTrainer(Trainer):  # type: ignore[misc]
    """One that draws what an epoch has by weights, and ends with `Diverged` once the loss is no number."""

    def __init__(self, order: Order, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._order = order
        # BERT and others take the size of the whole batch and give the mean over a part of it all the same, so that
        # the Trainer, which believes them, would add up the parts' means instead of taking the mean of these.
        self.model_accepts_loss_kwargs = False

    def training_step(self, *arguments: Any, **named: Any) -> torch.Tensor:
        loss = super().training_step(*arguments, **named)
        check_loss(float(loss), self.state.global_step + 1)
        return loss

    def _get_train_sampler(self, train_dataset: Any = None) -> Order:
        return self._order


class Order(torch.utils.data.Sampler):  # type: ignore[misc]
    """The numbers of an epoch's examples: batches of similar length in random order, what is left over at the end."""

    def __init__(self, corpora: Sequence[Weighted[Encoded]], schedule: Schedule) -> None:
        self._lengths = [len(example["input_ids"]) for corpus in corpora for example in corpus.examples]
        self._numbers, first = list[Weighted[int]](), 0
        for corpus in corpora:
            self._numbers.append(Weighted(range(first, first + len(corpus.examples)), corpus.weight))
            first += len(corpus.examples)
        self._seed, self._batch_size, self._epoch = schedule.seed, schedule.batch_size, 0

    def set_epoch(self, epoch: int) -> None:
        self._epoch = epoch

    def __len__(self) -> int:
        return len(self._drawn())

    def __iter__(self) -> Iterator[int]:
        batches = batched(self._drawn(), self._batch_size)
        left_over = [batches.pop()] if len(batches[-1]) < self._batch_size else []
        random.Random(f"{self._seed}/{self._epoch}/batches").shuffle(batches)  # noqa: S311 - draws, not secrets
        return (number for batch in [*batches, *left_over] for number in batch)

    def _drawn(self) -> list[int]:
        rng = random.Random(f"{self._seed}/{self._epoch}")  # noqa: S311 - draws, not secrets
        return draw(self._numbers, self._lengths.__getitem__, rng)


class Watch(TrainerCallback, ExportableState):  # type: ignore[misc]
    """Reports steps and looks; ends a run that gets no better, whose time is over or that is stopped.

    Kept in each checkpoint, and taken up from the `state` of one.
    """

    def __init__(self, schedule: Schedule, deciding: Deciding, observer: Observer, state: TrainerState | None) -> None:
        self._schedule, self._deciding, self._observer = schedule, deciding, observer
        so_far = {} if state is None else _kept(state)
        self._clock = Clock(so_far.get("seconds", 0.0))
        self._look_seconds: float = so_far.get("look_seconds", 0.0)
        self._unimproved: int = so_far.get("unimproved", 0)
        self._look_began = 0.0
        self.interrupted = False

    def state(self) -> dict[str, Any]:
        kept = {
            "seconds": self._clock.seconds,
            "look_seconds": self._look_seconds,
            "unimproved": self._unimproved,
        }
        return {"args": {}, "attributes": kept}

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: Any, **_: Any) -> None:
        seconds = self._clock.seconds
        if self._clock.is_time_to_speak():
            self._observer.stepped(Step(state.global_step / state.max_steps, state.global_step, seconds))
        if self._schedule.share_of_time(seconds + self._look_seconds) >= 1:
            control.should_evaluate = control.should_training_stop = True
        elif state.global_step < state.max_steps and self._observer.stopped():
            control.should_save = control.should_training_stop = self.interrupted = True
        if control.should_evaluate:
            control.should_log = control.should_save = True
            self._look_began = seconds

    def on_evaluate(
        self, args: TrainingArguments, state: TrainerState, control: Any, metrics: Mapping[str, float], **_: Any
    ) -> None:
        self._look_seconds = self._clock.seconds - self._look_began
        look = look_of(state, state.global_step)
        check_look(look)
        best = None if state.best_metric is None else look_of(state, state.best_global_step)
        self._unimproved = 0 if self._deciding.prefers(look, best) else self._unimproved + 1
        if self._unimproved >= self._schedule.patience:
            control.should_training_stop = True
            self.interrupted = False
        self._observer.looked(look)


def has_ended(state: TrainerState, schedule: Schedule) -> bool:
    """Return whether the run ended by its steps or for lack of improvement, and not because of the time."""
    return bool(state.global_step >= state.max_steps or _kept(state)["unimproved"] >= schedule.patience)


def is_out_of_time(state: TrainerState, schedule: Schedule) -> bool:
    kept = _kept(state)
    return schedule.share_of_time(kept["seconds"] + kept["look_seconds"]) >= 1


def _kept(state: TrainerState) -> dict[str, Any]:
    attributes: dict[str, Any] = state.stateful_callbacks[Watch.__name__]["attributes"]
    return attributes
