"""The reading of passages by transformers: in overlapping windows of tokens, and in spans of whole words.

The score of an answer is its probability among all spans that the model could have given. It is a softmax over the sum
of start and end logits, as in BERT's SQuAD model (Devlin et al. 2019, §4.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.kinds.reading_comprehension.borders import words_begin_and_end
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from beat_the_ai.networks.huggingface import shortened, window_tokens

MAX_WINDOW_TOKENS = 384
OVERLAP_TOKENS = 128  # or a third of a smaller window
MAX_ANSWER_TOKENS = 30


@dataclass(frozen=True)
class Window:
    """A stretch of a passage as the model sees it, together with the question.

    `inputs` are the model's arguments, a list of token numbers each; `starts` and `ends` are every token's place in its
    text in code points, `parts` which text that is (0 the question, 1 the passage, None for what the model adds), and
    `inside` says which tokens belong to the passage. These have no white space around them.
    """

    inputs: dict[str, list[int]]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    inside: NDArray[np.bool_]
    parts: Sequence[int | None]

    def reading(self, starts: NDArray[np.floating], ends: NDArray[np.floating]) -> Reading:
        """With a model's logits, which go on beyond the window where it was padded."""
        tokens = len(self.starts)
        return Reading(self, starts[:tokens].astype(np.float64), ends[:tokens].astype(np.float64))


class Reading(NamedTuple):
    """A model's reading of a window: logits that the answer starts, and ends, at each of its tokens."""

    window: Window
    starts: NDArray[np.float64]
    ends: NDArray[np.float64]


class WindowEncoder:
    """From questions about passages to what a model of that config reads."""

    def __init__(self, tokenizer: Any, config: Any) -> None:
        self._tokenizer = tokenizer
        self._tokens = window_tokens(tokenizer, config, MAX_WINDOW_TOKENS)
        room = self._tokens - self._tokens // 2 - tokenizer.num_special_tokens_to_add(pair=True)
        self._overlap = min(OVERLAP_TOKENS, self._tokens // 3, room - 1)

    def __call__(self, query: Query) -> list[Window]:
        """The windows of one query; none for a passage without a token."""
        encoded = self._tokenizer(
            # the passage needs the other half
            shortened(query.question, self._tokenizer, self._tokens // 2),
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
        inputs = {name: encoded[name][row] for name in self._tokenizer.model_input_names}
        starts, ends = np.array(encoded["offset_mapping"][row], dtype=np.int64).T
        parts = encoded.sequence_ids(row)
        inside = np.array([part == 1 for part in parts])
        for token in np.flatnonzero(inside):  # some tokenizers count the space before a word as part of it
            text = context[starts[token] : ends[token]]
            inside[token] = bool(text.strip())
            if inside[token]:
                starts[token] += len(text) - len(text.lstrip())
                ends[token] -= len(text) - len(text.rstrip())
        return Window(inputs, starts, ends, inside, parts)


def answer(context: str, read: Iterable[Reading]) -> Prediction:
    """The best of the best spans of a passage's windows; without any an empty text with score 0."""
    spans = [span for reading in read if (span := _best_span(context, reading)) is not None]
    if not spans:
        return Prediction(text="", start=0, score=0.0)
    best = max(spans, key=lambda span: (span.logit, -span.start))
    log_total = np.logaddexp.reduce([span.log_total for span in spans])
    score = float(np.exp(best.logit - log_total))
    return Prediction(text=context[best.start : best.end], start=best.start, score=score)


class _BestSpan(NamedTuple):
    """The best span of one window, and the weight of all its spans: log Σ exp(start logit + end logit)."""

    logit: float
    log_total: float
    start: int
    end: int


def _best_span(context: str, reading: Reading) -> _BestSpan | None:
    """Return the best span of whole words and at most 30 tokens; None where no such span lies in the window."""
    window = reading.window
    begin, end = words_begin_and_end(context)
    may_start = window.inside & np.array([int(place) in begin for place in window.starts])
    may_end = window.inside & np.array([int(place) in end for place in window.ends])
    starts = np.where(may_start, reading.starts, -np.inf)
    ends = np.concatenate([np.where(may_end, reading.ends, -np.inf), np.full(MAX_ANSWER_TOKENS - 1, -np.inf)])
    # [first token, number of tokens after it]
    spans = starts[:, None] + np.lib.stride_tricks.sliding_window_view(ends, MAX_ANSWER_TOKENS)
    first, more = np.unravel_index(int(spans.argmax()), spans.shape)
    best = float(spans[first, more])
    if best == -np.inf:
        return None
    log_total = best + float(np.log(np.exp(spans - best).sum()))
    return _BestSpan(best, log_total, int(window.starts[first]), int(window.ends[first + more]))
