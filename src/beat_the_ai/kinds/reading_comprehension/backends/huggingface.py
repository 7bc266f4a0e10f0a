"""Any extractive question-answering model of Hugging Face's transformers: a local folder or a hub id.

Passages longer than the model's window are read in overlapping windows, and the best span of whole words over all of
them is the answer. Its score is that span's probability among all spans the model could have given: a softmax over the
sum of start and end logits, as in BERT's SQuAD model (Devlin et al. 2019, §4.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModelForQuestionAnswering

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.kinds.reading_comprehension.borders import words_begin_and_end
from beat_the_ai.kinds.reading_comprehension.writing import NAME, Prediction, Query
from beat_the_ai.networks import huggingface
from beat_the_ai.networks.huggingface import Pretrained

MAX_WINDOW_TOKENS = 384
OVERLAP_TOKENS = 128  # or a third of a smaller window
MAX_ANSWER_TOKENS = 30
WINDOWS_PER_BATCH = 32


def load(source: str, options: LoadOptions) -> HuggingFaceReader:
    """Load the model in the folder `source`, or of that hub id."""
    return HuggingFaceReader(
        huggingface.load(source, options, NAME, AutoModelForQuestionAnswering, "question-answering")
    )


@dataclass(frozen=True)
class Window:
    """A stretch of a passage as the model sees it, together with the question.

    `inputs` are the model's arguments, a row of token numbers each; `starts` and `ends` are every token's place in the
    passage in code points, without white space around it; `inside` says which tokens belong to the passage.
    """

    inputs: dict[str, NDArray[np.int32]]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    inside: NDArray[np.bool_]


@dataclass(frozen=True)
class BestSpan:
    """The best span of one window, and what all its spans weigh: log Σ exp(start logit + end logit)."""

    logit: float
    log_total: float
    start: int
    end: int


class WindowEncoder:
    """From questions about passages to what a model of that config reads."""

    def __init__(self, tokenizer: Any, config: Any) -> None:
        self._tokenizer = tokenizer
        positions = getattr(config, "max_position_embeddings", MAX_WINDOW_TOKENS)
        self._tokens = min(MAX_WINDOW_TOKENS, tokenizer.model_max_length, positions)
        room = self._tokens - self._tokens // 2 - tokenizer.num_special_tokens_to_add(pair=True)
        self._overlap = min(OVERLAP_TOKENS, self._tokens // 3, room - 1)

    def __call__(self, query: Query) -> list[Window]:
        """The windows of one query; none for a passage without a token."""
        encoded = self._tokenizer(
            # the passage needs the other half
            huggingface.shortened(query.question, self._tokenizer, self._tokens // 2),
            query.context,
            truncation="only_second",
            max_length=self._tokens,
            stride=self._overlap,
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        )
        windows = (self._window(query.context, encoded, row) for row in range(len(encoded["input_ids"])))
        return [window for window in windows if window.inside.any()]

    def _window(self, context: str, encoded: Any, row: int) -> Window:
        inputs = {name: np.array(encoded[name][row], dtype=np.int32) for name in self._tokenizer.model_input_names}
        starts, ends = np.array(encoded["offset_mapping"][row], dtype=np.int64).T
        inside = np.array([part == 1 for part in encoded.sequence_ids(row)])
        for token in np.flatnonzero(inside):  # some tokenizers count the space before a word as part of it
            text = context[starts[token] : ends[token]]
            starts[token] += len(text) - len(text.lstrip())
            ends[token] -= len(text) - len(text.rstrip())
        return Window(inputs, starts, ends, inside & (ends > starts))


class HuggingFaceReader:
    """A loaded model; its answers are stretches of the passage, word by word."""

    query_type: ClassVar[type[Query]] = Query

    def __init__(self, pretrained: Pretrained) -> None:
        self.identity = pretrained.identity
        self._model, self._tokenizer = pretrained.model, pretrained.tokenizer
        self._encode = WindowEncoder(self._tokenizer, self._model.config)

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        windows = [(number, window) for number, query in enumerate(queries) for window in self._encode(query)]
        spans: list[list[BestSpan]] = [[] for _ in queries]
        for number, window, start_logits, end_logits in self._logits(windows):
            spans[number] += best_spans(queries[number].context, window, start_logits, end_logits)
        return [prediction(query.context, found) for query, found in zip(queries, spans, strict=True)]

    def _logits(
        self, windows: Sequence[tuple[int, Window]]
    ) -> Iterator[tuple[int, Window, NDArray[np.float64], NDArray[np.float64]]]:
        """Start and end logits of each window, which are batched by length so that little is padded."""
        by_length = sorted(windows, key=lambda numbered: len(numbered[1].starts))
        for first in range(0, len(by_length), WINDOWS_PER_BATCH):
            batch = by_length[first : first + WINDOWS_PER_BATCH]
            padded = self._tokenizer.pad([window.inputs for _, window in batch], return_tensors="pt")
            with torch.inference_mode():
                output = self._model(**padded.to(self._model.device))
            starts, ends = (logits.double().cpu().numpy() for logits in (output.start_logits, output.end_logits))
            for row, (number, window) in enumerate(batch):
                yield number, window, starts[row], ends[row]


def best_spans(
    context: str, window: Window, start_logits: NDArray[np.floating], end_logits: NDArray[np.floating]
) -> list[BestSpan]:
    """The best span of whole words, of at most 30 tokens; none where no such span lies in the window.

    The logits (L,) may go on beyond the window's tokens, where a batch was padded.
    """
    begin, end = words_begin_and_end(context)
    may_start = window.inside & np.array([int(start) in begin for start in window.starts])
    may_end = window.inside & np.array([int(place) in end for place in window.ends])
    starts = np.where(may_start, start_logits[: len(window.starts)], -np.inf).astype(np.float64)
    ends = np.where(may_end, end_logits[: len(window.starts)], -np.inf).astype(np.float64)
    ends = np.concatenate([ends, np.full(MAX_ANSWER_TOKENS - 1, -np.inf)])
    # [first token, number of tokens after it]
    spans = starts[:, None] + np.lib.stride_tricks.sliding_window_view(ends, MAX_ANSWER_TOKENS)
    first, more = np.unravel_index(int(spans.argmax()), spans.shape)
    best = float(spans[first, more])
    if best == -np.inf:
        return []
    log_total = best + float(np.log(np.exp(spans - best).sum()))
    return [BestSpan(best, log_total, int(window.starts[first]), int(window.ends[first + more]))]


def prediction(context: str, spans: Sequence[BestSpan]) -> Prediction:
    """The best of the best spans of a passage's windows; without any an empty text with score 0."""
    if not spans:
        return Prediction(text="", start=0, score=0.0)
    best = max(spans, key=lambda span: (span.logit, -span.start))
    log_total = np.logaddexp.reduce([span.log_total for span in spans])
    score = float(np.exp(best.logit - log_total))
    return Prediction(text=context[best.start : best.end], start=best.start, score=score)
