"""The development part as the network reads it, in batches: how well it does there, and how sure it should be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.kinds.reading_comprehension.bidaf import features
from beat_the_ai.kinds.reading_comprehension.bidaf.calibration import fit_temperature
from beat_the_ai.kinds.reading_comprehension.bidaf.examples import words_of
from beat_the_ai.kinds.reading_comprehension.bidaf.features import EncodedText
from beat_the_ai.kinds.reading_comprehension.bidaf.reader import answer
from beat_the_ai.kinds.reading_comprehension.bidaf.span import BestSpan, best_span
from beat_the_ai.kinds.reading_comprehension.corpora import figures
from beat_the_ai.kinds.reading_comprehension.squad import Passage, Question, majority
from beat_the_ai.networks.outputs import Run
from beat_the_ai.networks.progress import Observer, prepare
from beat_the_ai.networks.sampling import batched
from beat_the_ai.networks.text import Vocabulary


@dataclass(frozen=True)
class _Reading:
    """A question and one window of its passage; `asked` is the question's number."""

    asked: int
    window: int
    passage: EncodedText
    question: EncodedText


class DevPart:
    def __init__(self, passages: Sequence[Passage], vocabulary: Vocabulary, batch_size: int, observer: Observer):
        self._texts = [passage.text for passage in passages for _ in passage.questions]
        self._questions: list[Question] = [question for passage in passages for question in passage.questions]
        encoded = prepare(passages, lambda passage: features.windows(passage.text, vocabulary), observer)
        self._windows = [windows for passage, windows in zip(passages, encoded, strict=True) for _ in passage.questions]
        readings = [
            _Reading(asked, number, window, features.encode(question.text, vocabulary, features.MAX_QUESTION_WORDS))
            for asked, (question, windows) in enumerate(zip(self._questions, self._windows, strict=True))
            for number, window in enumerate(windows)
            if window.words
        ]
        readings.sort(key=lambda reading: len(reading.passage.pieces))  # stable: questions of a passage stay together
        self._batches = batched(readings, batch_size)

    @property
    def batches(self) -> int:
        return len(self._batches)

    def figures(self, run: Run) -> dict[str, float]:
        """Exact match and F1 in percent."""
        spans: list[dict[int, BestSpan]] = [{} for _ in self._questions]
        for reading, start, end in self._read(run):
            spans[reading.asked][reading.window] = best_span(start, end)
        answers = {}
        for asked, found in enumerate(spans):
            windows = [self._windows[asked][number] for number in sorted(found)]
            given = answer(self._texts[asked], windows, [found[number] for number in sorted(found)])
            answers[str(asked)] = given.text
        return figures(self._questions, answers)

    def temperature(self, run: Run) -> float:
        """Return the temperature that calibrates the scores, by references in the first window of a passage."""
        judged = []
        for reading, start, end in self._read(run):
            gold = majority(self._questions[reading.asked].answers)
            words = words_of(reading.passage, gold.start, gold.start + len(gold.text))
            if reading.window == 0 and words is not None:
                judged.append((start, end, *words))
        return fit_temperature(judged)

    def _read(self, run: Run) -> Iterator[tuple[_Reading, NDArray[np.float32], NDArray[np.float32]]]:
        """Start and end logits (T,) of each question and window."""
        for batch in self._batches:
            rows: dict[int, int] = {}
            owner = [rows.setdefault(id(reading.passage), len(rows)) for reading in batch]
            passages = {id(reading.passage): reading.passage for reading in batch}
            inputs = features.batch(list(passages.values()), [reading.question for reading in batch], owner)
            starts, ends = run(inputs)
            for reading, start, end in zip(batch, starts, ends, strict=True):
                length = len(reading.passage.words)
                yield reading, start[:length], end[:length]
