"""Answers questions with any engine that turns a batch into logits: windows, best span, offsets, confidence.

Torch and ONNX backends differ in one function, `Run`; what surrounds it is here once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from beat_the_ai.kinds.reading_comprehension.bidaf import features
from beat_the_ai.kinds.reading_comprehension.bidaf.features import EncodedText
from beat_the_ai.kinds.reading_comprehension.bidaf.span import BestSpan, best_span
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from beat_the_ai.networks.outputs import Run
from beat_the_ai.networks.text import Vocabulary


class Reader:
    """Reading comprehension by a network, which gives start and end logits (Q, T) of `features.batch`.

    `temperature` divides the logits, so that scores match accuracy.
    """

    def __init__(self, vocabulary: Vocabulary, run: Run, temperature: float = 1.0) -> None:
        self._vocabulary = vocabulary
        self._run = run
        self._temperature = temperature

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        """One answer per query; a passage without a word is answered by an empty text with score 0."""
        return [self._answer(query) for query in queries]

    def _answer(self, query: Query) -> Prediction:
        question = features.encode(query.question, self._vocabulary, features.MAX_QUESTION_WORDS)
        windows = [window for window in features.windows(query.context, self._vocabulary) if window.words]
        return answer(query.context, windows, [self._read(window, question) for window in windows])

    def _read(self, window: EncodedText, question: EncodedText) -> BestSpan:
        start, end = self._run(features.batch([window], [question], [0]))
        return best_span(start[0] / self._temperature, end[0] / self._temperature)


def answer(context: str, windows: Sequence[EncodedText], spans: Sequence[BestSpan]) -> Prediction:
    """The best of the best spans of a passage's windows; without any an empty text with score 0."""
    if not spans:
        return Prediction(text="", start=0, score=0.0)
    best = max(range(len(spans)), key=lambda index: spans[index].logit)
    start = windows[best].words[spans[best].first].start
    end = windows[best].words[spans[best].last].end
    # Windows overlap: one whose best span is the same stretch of text is no rival of it.
    rivals = [
        span.log_total
        for window, span in zip(windows, spans, strict=True)
        if (window.words[span.first].start, window.words[span.last].end) != (start, end)
    ]
    log_total = np.logaddexp.reduce([spans[best].log_total, *rivals])
    score = min(1.0, math.exp(spans[best].logit - log_total))
    return Prediction(text=context[start:end], start=start, score=score)
