"""Fine-tuning any extractive reader or encoder of transformers on questions about passages.

A passage that is longer than the model's window is learnt as it is read: in overlapping windows. Those without the
answer teach the model to point at their first token (Devlin et al. 2019, §4.3), which is never an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from transformers import AutoModelForQuestionAnswering

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.corpora import Sources, settings_of
from beat_the_ai.kinds.reading_comprehension.backends.huggingface import OUTPUTS
from beat_the_ai.kinds.reading_comprehension.corpora import F1, deciding, figures, read_parts
from beat_the_ai.kinds.reading_comprehension.squad import Answer, Passage, Question, majority
from beat_the_ai.kinds.reading_comprehension.windows import Window, WindowEncoder, answer
from beat_the_ai.kinds.reading_comprehension.writing import Query
from beat_the_ai.networks.fine_tuning import Material, TrainerSchedule, fine_tune
from beat_the_ai.networks.huggingface import hash_of, initial_model
from beat_the_ai.networks.loading import config_of, folder_of, tokenizer_of
from beat_the_ai.networks.progress import Deciding, Observer, Trained, prepare
from beat_the_ai.networks.sampling import Weighted
from beat_the_ai.networks.trainer import Encoded

LABELS = ("start_positions", "end_positions")


@dataclass(frozen=True, kw_only=True)
class FineTuneConfig(Sources, TrainerSchedule):
    """`start` is a folder or a hub id. `extra` is there to be refused: only our own network has a use for it."""

    start: str
    extra: tuple[Any, ...] = ()
    tuned_for: str = F1

    @property
    def deciding(self) -> Deciding:
        return deciding(self.tuned_for)


@dataclass(frozen=True)
class _Asked:
    """A question, its passage, and the windows in which a model reads them."""

    passage: Passage
    question: Question
    windows: Sequence[Window]


def is_reader(source: str) -> bool:
    """Return whether the model has a head for this task; else it needs a new one."""
    return any(name.endswith("ForQuestionAnswering") for name in config_of(source).architectures or ())


def train(config: FineTuneConfig, observer: Observer | None = None) -> Trained | None:
    """Train, or go on from the last checkpoint in `config.out`; as `bidaf.train.train`."""
    if config.extra:
        raise InvalidInput("extra", "Only our own network puts single sentences together. Name the file as --data.")
    observer = observer or Observer()
    start = config_of(config.start)
    tokenizer = tokenizer_of(config.start, start)
    encode = WindowEncoder(tokenizer, start)
    parts = read_parts(config, config.seed)

    def asked(passages: Sequence[Passage]) -> Iterator[_Asked]:
        every = [(passage, question) for passage in passages for question in passage.questions]

        def windowed(pair: tuple[Passage, Question]) -> _Asked:
            passage, question = pair
            return _Asked(passage, question, encode(Query(context=passage.text, question=question.text)))

        return prepare(every, windowed, observer)

    dev = list(asked(parts.dev))
    material = Material(
        lambda: initial_model(
            config.start,
            tokenizer,
            AutoModelForQuestionAnswering,
            OUTPUTS,
            new_head=not is_reader(config.start),
            num_labels=len(LABELS),
        ),
        tokenizer,
        [Weighted(_examples(asked(part.examples)), part.weight) for part in parts.training],
        _examples(dev),
        LABELS,
        _Figures(dev),
        config.deciding,
    )
    settings = settings_of(config, hash_of(folder_of(config.start)))
    return fine_tune(config.out, settings, config, material, observer)


def _examples(asked: Iterable[_Asked]) -> list[Encoded]:
    return [_example(window, majority(each.question.answers)) for each in asked for window in each.windows]


def _example(window: Window, gold: Answer) -> Encoded:
    first, last = tokens_of(window, gold.start, gold.start + len(gold.text))
    inputs = {name: np.array(row, dtype=np.int32) for name, row in window.inputs.items()}  # lists take much more
    return {**inputs, "start_positions": first, "end_positions": last}


def tokens_of(window: Window, start: int, end: int) -> tuple[int, int]:
    """First and last token that the code points from `start` to `end` touch; (0, 0) where not all are in the window."""
    inside = np.flatnonzero(window.inside)
    if window.starts[inside[0]] > start or window.ends[inside[-1]] < end:
        return 0, 0
    touched = inside[(window.ends[inside] > start) & (window.starts[inside] < end)]
    return (int(touched[0]), int(touched[-1])) if len(touched) else (0, 0)


class _Figures:
    """Exact match and F1 in percent, of the start and end logits (N, L) of the windows in their order."""

    def __init__(self, asked: Sequence[_Asked]) -> None:
        self._asked = asked

    def __call__(self, logits: tuple[NDArray[Any], NDArray[Any]], _: Any) -> dict[str, float]:
        rows, answers = zip(*logits, strict=True), dict[str, str]()
        for number, each in enumerate(self._asked):
            read = [window.reading(*next(rows)) for window in each.windows]
            answers[str(number)] = answer(each.passage.text, read).text
        return figures([each.question for each in self._asked], answers)
