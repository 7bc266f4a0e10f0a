"""Fine-tuning a model of transformers with their Trainer: a linear schedule, early stopping, and runs that go on.

A run's folder holds its settings, the Trainer's last and best checkpoints, and in the end `best`: the model that did
best on the development part, as transformers load it. On one machine's CPU, under a seed, a run gives the same weights
each time, also when it was stopped or killed and went on; unless its minutes decide when it ends.
"""

from __future__ import annotations

import gc
import json
import math
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray
from transformers import DataCollatorWithPadding, PrinterCallback, TrainingArguments
from transformers.trainer_callback import TrainerState

from beat_the_ai.errors import AdversaryError
from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.networks.device_memory import check_trains_on
from beat_the_ai.networks.divergence import Diverged
from beat_the_ai.networks.outputs import NoNumbers, check_numbers
from beat_the_ai.networks.progress import Deciding, Look, Observer, Trained
from beat_the_ai.networks.runs import take_up
from beat_the_ai.networks.sampling import Weighted
from beat_the_ai.networks.schedule import Schedule
from beat_the_ai.networks.trainer import Encoded, Order, OrderedTrainer, Watch, has_ended, is_out_of_time
from beat_the_ai.networks.trainer_checkpoints import FIGURE, copy_model, last_checkpoint, look_of, state_of


@dataclass(frozen=True, kw_only=True)
class TrainerSchedule(Schedule):
    """Rates as in Devlin et al. (2019, A.3), warm-up as in Liu et al. (2019, table 10). A batch that does not fit into
    the GPU's memory is split."""

    epochs: float = 3.0
    learning_rate: float = 2e-5
    batch_size: int = 32
    check_steps: int = 500
    warmup_share: float = 0.06  # of the run


@dataclass(frozen=True)
class Material:
    """The material of training, and its measurement.

    `model` gives the model with the initial weights, whose head has one output for each of `labels`. `labels` are the
    names of an example's labels. `figures` are those of these outputs and the labels of the development part. Both are
    an array (N first), or a tuple of arrays where there are several.
    """

    model: Callable[[], Any]
    tokenizer: Any
    training: Sequence[Weighted[Encoded]]
    dev: Sequence[Encoded]
    labels: Sequence[str]
    figures: Callable[[Any, Any], Mapping[str, float]]
    deciding: Deciding


def fine_tune(
    out: Path, settings: Mapping[str, Any], schedule: TrainerSchedule, material: Material, observer: Observer
) -> Trained | None:
    """Train, or go on from the last checkpoint in `out`; None where `observer` stopped it: the same call goes on.

    `settings` are all that decides the weights. Raises `InvalidInput` where `out` has a run of other settings,
    `AdversaryError` where the training diverges, or not even one example fits into the GPU's memory.
    """
    check_trains_on(schedule.device)
    out = out.resolve()
    take_up(out, settings)
    result = out / "result.json"
    if result.is_file():
        return Trained(out / "best", Look(**json.loads(result.read_text(encoding="utf-8"))))
    torch.set_num_threads(schedule.threads)
    state = _Run(out, schedule, material, observer).fitting()
    if state is None:
        return None
    best = look_of(state, state.best_global_step)
    copy_model(out / f"checkpoint-{state.best_global_step}", out / "best")
    if has_ended(state, schedule):
        with replacing(result) as file:
            file.write(json.dumps(asdict(best)).encode())
        for checkpoint in out.glob("checkpoint-*"):
            shutil.rmtree(checkpoint)
    return Trained(out / "best", best)


class _Run:
    def __init__(self, out: Path, schedule: TrainerSchedule, material: Material, observer: Observer) -> None:
        self.out, self.schedule, self.material, self.observer = out, schedule, material, observer
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

    def _train(self, size: int) -> TrainerState | None:
        """`size` is how many examples of a batch are computed at once."""
        last, state = last_checkpoint(self.out), None
        if last is not None:
            state = state_of(last)
            if state.best_metric is not None and (
                has_ended(state, self.schedule) or is_out_of_time(state, self.schedule)
            ):
                return state
        watch = Watch(self.schedule, self.material.deciding, self.observer, state)
        torch.manual_seed(self.schedule.seed)
        order = Order(self.material.training, self.schedule)
        trainer = OrderedTrainer(
            order,
            model=self.material.model(),
            args=self._arguments(size, len(order)),
            data_collator=DataCollatorWithPadding(self.material.tokenizer),
            train_dataset=self.examples,
            eval_dataset=list(self.material.dev),
            processing_class=self.material.tokenizer,
            compute_metrics=self._figures,
            preprocess_logits_for_metrics=self._of_the_head,
            callbacks=[watch],
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train(resume_from_checkpoint=None if last is None else str(last))
        return None if watch.interrupted else trainer.state

    def _arguments(self, size: int, examples: int) -> TrainingArguments:
        schedule, on_gpu = self.schedule, self.schedule.device == "cuda"
        epoch_steps, dev_batches = (-(-number // schedule.batch_size) for number in (examples, len(self.material.dev)))
        check_steps = schedule.steps_between_looks(epoch_steps, dev_batches)
        arguments = TrainingArguments(
            output_dir=str(self.out),
            num_train_epochs=schedule.epochs,
            max_steps=self._max_steps(epoch_steps),
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
            logging_nan_inf_filter=False,  # it would log the mean of other steps instead
            eval_steps=check_steps,
            save_steps=check_steps,
            logging_steps=check_steps,
            save_total_limit=2,  # the last one and the best
            metric_for_best_model=f"{FIGURE}{self.material.deciding.figure}",
            greater_is_better=self.material.deciding.more_is_better,
            remove_unused_columns=False,
            label_names=list(self.material.labels),
            report_to="none",
            push_to_hub=False,
            disable_tqdm=True,
            log_level="error",
        )
        if arguments.n_gpu > 1:
            arguments._n_gpu = 1  # or the Trainer would multiply the batch by the GPUs that it finds
        return arguments

    def _max_steps(self, epoch_steps: int) -> int:
        """-1, which leaves it to the epochs, where these end first."""
        wanted = self.schedule.max_steps
        return -1 if wanted is None or wanted >= math.ceil(self.schedule.epochs * epoch_steps) else wanted

    def _figures(self, found: Any) -> dict[str, float]:
        outputs = found.predictions
        try:
            check_numbers(outputs if isinstance(outputs, tuple) else [outputs])
        except NoNumbers as error:
            raise Diverged("What the network answers on the dev part is no number") from error
        figures = self.material.figures(outputs, found.label_ids)
        return {f"{FIGURE}{name}": value for name, value in figures.items()}

    def _of_the_head(self, outputs: Any, _: Any) -> Any:
        """Models that also decode give their hidden states after it."""
        if not isinstance(outputs, tuple):
            return outputs
        head: tuple[NDArray[Any], ...] = outputs[: len(self.material.labels)]
        return head if len(head) > 1 else head[0]
