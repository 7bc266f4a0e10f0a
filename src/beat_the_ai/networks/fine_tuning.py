"""Fine-tuning a model of transformers with their Trainer: a linear schedule, early stopping, and runs that go on.

A run's folder holds its settings, the Trainer's last and best checkpoints, and in the end `best`: the model that did
best on the development part, as transformers load it. On one machine's CPU, under a seed, a run gives the same weights
each time, also when it was stopped or killed and went on; unless its time runs out.
"""

from __future__ import annotations

import gc
import json
import random
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray
from transformers import (
    DataCollatorWithPadding,
    PrinterCallback,
    Trainer,
    TrainerCallback,
    TrainingArguments,
)
from transformers.trainer_callback import ExportableState, TrainerState

from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.networks.sampling import Weighted, batched, draw
from beat_the_ai.replacing import replacing

Encoded = Mapping[str, Any]
"""The inputs of one example (lists of the same length) and its `labels`."""

STATE = "trainer_state.json"  # what the Trainer writes last into a checkpoint
OF_THE_RUN = ("optimizer.pt", "scheduler.pt", "rng_state.pth", "scaler.pt", "training_args.bin", STATE)


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """How long and how fast. Rates as in Devlin et al. (2019, A.3), warm-up as in Liu et al. (2019, table 10).

    `batch_size` is that of a step of the optimiser: what does not fit into the GPU's memory is split. `check_steps` lie
    between two looks at the development part (an epoch, where that is less); after `patience` looks without a better
    one a run ends, and after `minutes` of wall-clock time.
    """

    epochs: float = 3.0
    minutes: float | None = None
    seed: int = 0
    learning_rate: float = 2e-5
    batch_size: int = 32
    warmup_share: float = 0.06  # of the run
    weight_decay: float = 0.01
    check_steps: int = 500
    patience: int = 5
    device: str = "cpu"
    threads: int = 1
    bfloat16: bool = False  # mixed precision, which a GPU that can always has


@dataclass(frozen=True)
class Material:
    """What is learnt, and how it is measured.

    `model` gives the model with the weights to begin with. `figures` are those of the head's outputs and the labels (N)
    of the development part; the one named `deciding` says which checkpoint is the best.
    """

    model: Callable[[], Any]
    tokenizer: Any
    training: Sequence[Weighted[Encoded]]
    dev: Sequence[Encoded]
    figures: Callable[[Any, NDArray[Any]], Mapping[str, float]]
    deciding: str
    more_is_better: bool


@dataclass(frozen=True)
class Look:
    """At the development part: the share of the run that is done, mean loss since the last look, and the figures."""

    done: float
    step: int
    loss: float
    figures: Mapping[str, float]


@dataclass(frozen=True)
class FineTuned:
    """The folder of the best model, and how it did."""

    folder: Path
    best: Look


def fine_tune(
    out: Path,
    settings: Mapping[str, Any],
    schedule: Schedule,
    material: Material,
    progress: Callable[[Look], None],
    stopped: Callable[[], bool],
) -> FineTuned | None:
    """Train, or go on from the last checkpoint in `out`; calls `progress` at every look at the development part.

    `settings` are all that decides the weights. Once `stopped` says so the run is kept, and None is given: the same
    call goes on. Raises `InvalidInput` where `out` has a run of other settings, `AdversaryError` where not even one
    example fits into the GPU's memory.
    """
    if schedule.device == "cuda" and not torch.cuda.is_available():
        raise InvalidInput("device", "cuda was given, and there is no GPU that torch can use. Allowed here: cpu.")
    out = out.resolve()
    _take_up(out, settings)
    result = out / "result.json"
    if result.is_file():
        return FineTuned(out / "best", Look(**json.loads(result.read_text(encoding="utf-8"))))
    torch.set_num_threads(schedule.threads)
    run = _Run(out, schedule, material, progress, stopped)
    state = run.fitting()
    if state is None:
        return None
    best = _look(state, state.best_global_step)
    _copy_model(out / f"checkpoint-{state.best_global_step}", out / "best")
    if run.has_ended(state):
        with replacing(result) as file:
            file.write(json.dumps(asdict(best)).encode())
        for checkpoint in out.glob("checkpoint-*"):
            shutil.rmtree(checkpoint)
    return FineTuned(out / "best", best)


class _Run:
    def __init__(
        self,
        out: Path,
        schedule: Schedule,
        material: Material,
        progress: Callable[[Look], None],
        stopped: Callable[[], bool],
    ) -> None:
        self.out, self.schedule, self.material, self.report, self.stopped = out, schedule, material, progress, stopped
        self.examples = [example for corpus in material.training for example in corpus.examples]

    def fitting(self) -> TrainerState | None:
        """In as large parts of a batch as the memory holds; None where it was stopped."""
        size = self.schedule.batch_size
        while True:
            try:
                return self._train(size)
            except torch.OutOfMemoryError as error:
                if size == 1:
                    raise AdversaryError(
                        "Not even one example fits into the GPU's memory with this model. Name a smaller model, or "
                        "use a GPU with more memory."
                    ) from error
            size //= 2
            gc.collect()
            torch.cuda.empty_cache()

    def has_ended(self, state: TrainerState) -> bool:
        """By its epochs or because it got no better, and not because of the time."""
        return bool(state.global_step >= state.max_steps or _watched(state)["unimproved"] >= self.schedule.patience)

    def _train(self, size: int) -> TrainerState | None:
        last = _last_checkpoint(self.out)
        if last is not None:
            state = TrainerState.load_from_json(str(last / STATE))
            if self.has_ended(state) or _is_over(_watched(state)["seconds"], self.schedule.minutes):
                return state
        watch = _Watch(self, {"seconds": 0.0, "unimproved": 0} if last is None else _watched(state))
        torch.manual_seed(self.schedule.seed)
        order = _Order(self.material.training, self.schedule)
        trainer = _Trainer(
            order,
            model=self.material.model(),
            args=self._arguments(size, len(order)),
            data_collator=DataCollatorWithPadding(self.material.tokenizer),
            train_dataset=self.examples,
            eval_dataset=list(self.material.dev),
            processing_class=self.material.tokenizer,
            compute_metrics=lambda found: dict(self.material.figures(found.predictions, found.label_ids)),
            preprocess_logits_for_metrics=_of_the_head,
            callbacks=[watch],
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train(resume_from_checkpoint=None if last is None else str(last))
        return None if watch.interrupted else trainer.state

    def _arguments(self, size: int, examples: int) -> TrainingArguments:
        """`size` is how many examples of a batch are computed at once."""
        schedule, on_gpu = self.schedule, self.schedule.device == "cuda"
        check_steps = min(schedule.check_steps, -(-examples // schedule.batch_size))
        arguments = TrainingArguments(
            output_dir=str(self.out),
            num_train_epochs=schedule.epochs,
            learning_rate=schedule.learning_rate,
            lr_scheduler_type="linear",
            warmup_steps=schedule.warmup_share,
            weight_decay=schedule.weight_decay,
            per_device_train_batch_size=size,
            per_device_eval_batch_size=size,
            gradient_accumulation_steps=-(-schedule.batch_size // size),
            seed=schedule.seed,
            use_cpu=not on_gpu,
            bf16=schedule.bfloat16 or (on_gpu and torch.cuda.is_bf16_supported()),
            dataloader_pin_memory=on_gpu,
            eval_strategy="steps",
            save_strategy="steps",
            logging_strategy="steps",
            eval_steps=check_steps,
            save_steps=check_steps,
            logging_steps=check_steps,
            save_total_limit=2,  # the last one and the best
            metric_for_best_model=self.material.deciding,
            greater_is_better=self.material.more_is_better,
            remove_unused_columns=False,
            label_names=["labels"],
            report_to="none",
            push_to_hub=False,
            disable_tqdm=True,
            log_level="error",
        )
        if arguments.n_gpu > 1:
            arguments._n_gpu = 1  # or the Trainer would multiply the batch by the GPUs that it finds
        return arguments


class _Trainer(Trainer):  # type: ignore[misc]
    """One that draws what an epoch has by weights."""

    def __init__(self, order: _Order, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._order = order
        # BERT and others take the size of the whole batch and give the mean over a part of it all the same, so that
        # the Trainer, which believes them, would add up the parts' means instead of taking the mean of these.
        self.model_accepts_loss_kwargs = False

    def _get_train_sampler(self, train_dataset: Any = None) -> _Order:
        return self._order


class _Order(torch.utils.data.Sampler):  # type: ignore[misc]
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
        chance = random.Random(f"{self._seed}/{self._epoch}")  # noqa: S311 - draws, not secrets
        return draw(self._numbers, self._lengths.__getitem__, chance)


class _Watch(TrainerCallback, ExportableState):  # type: ignore[misc]
    """Reports looks; ends a run that gets no better, whose time is over or that is stopped. Kept in each checkpoint."""

    def __init__(self, run: _Run, so_far: Mapping[str, Any]) -> None:
        self._run = run
        self._began = time.monotonic() - so_far["seconds"]
        self._unimproved = so_far["unimproved"]
        self.interrupted = False

    def state(self) -> dict[str, Any]:
        attributes = {"seconds": time.monotonic() - self._began, "unimproved": self._unimproved}
        return {"args": {}, "attributes": attributes}

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: Any, **_: Any) -> None:
        if _is_over(time.monotonic() - self._began, self._run.schedule.minutes):
            control.should_evaluate = control.should_training_stop = True
        elif state.global_step < state.max_steps and self._run.stopped():
            control.should_save = control.should_training_stop = self.interrupted = True
        if control.should_evaluate:
            control.should_log = control.should_save = True

    def on_evaluate(
        self, args: TrainingArguments, state: TrainerState, control: Any, metrics: Mapping[str, float], **_: Any
    ) -> None:
        material, best = self._run.material, state.best_metric
        figure = metrics[f"eval_{material.deciding}"]
        better = best is None or (figure > best if material.more_is_better else figure < best)
        self._unimproved = 0 if better else self._unimproved + 1
        if self._unimproved >= self._run.schedule.patience:
            control.should_training_stop = True
            self.interrupted = False
        self._run.report(_look(state, state.global_step))


def _is_over(seconds: float, minutes: float | None) -> bool:
    return minutes is not None and seconds >= 60 * minutes


def _watched(state: TrainerState) -> dict[str, Any]:
    attributes: dict[str, Any] = state.stateful_callbacks[_Watch.__name__]["attributes"]
    return attributes


def _look(state: TrainerState, step: int) -> Look:
    """As the Trainer's log has it."""
    logged = {name: value for entry in state.log_history if entry["step"] == step for name, value in entry.items()}
    figures = {name.removeprefix("eval_"): value for name, value in logged.items() if name.startswith("eval_")}
    return Look(step / state.max_steps, step, logged["loss"], figures)


def _of_the_head(outputs: Any, _: Any) -> Any:
    """Models that also decode give their hidden states after it."""
    return outputs[0] if isinstance(outputs, tuple) else outputs


def _last_checkpoint(out: Path) -> Path | None:
    """The last that is whole: one whose writing was cut off lacks what is written last."""
    whole = [folder for folder in out.glob("checkpoint-*") if _is_whole(folder / STATE)]
    return max(whole, key=lambda folder: int(folder.name.rpartition("-")[2]), default=None)


def _is_whole(state: Path) -> bool:
    try:
        json.loads(state.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return True


def _copy_model(checkpoint: Path, folder: Path) -> None:
    """What loads the model, without what only the run needs."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(checkpoint, folder, ignore=shutil.ignore_patterns(*OF_THE_RUN))


def _take_up(out: Path, settings: Mapping[str, Any]) -> None:
    """Keep the settings of a new run, or compare them with those of the run that goes on."""
    path, wanted = out / "settings.json", json.loads(json.dumps(settings))
    if not path.is_file():
        with replacing(path) as file:
            file.write(json.dumps(wanted, indent=2).encode())
        return
    kept = json.loads(path.read_text(encoding="utf-8"))
    if other := [name for name in wanted if kept.get(name) != wanted[name]]:
        raise InvalidInput(
            "out",
            f"{out} has the checkpoints of another run, which differs in {', '.join(other)}. Name another folder, or "
            "remove it.",
        )
