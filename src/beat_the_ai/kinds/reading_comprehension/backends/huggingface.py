"""Any extractive question-answering model of Hugging Face's transformers: a local folder or a hub id.

Passages longer than the model's window are read in overlapping windows, and the best span over all of them is the
answer. Its score is that span's probability among all spans the model could have given: a softmax over the sum of
start and end logits, as in BERT's SQuAD model (Devlin et al. 2019, §4.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray
from transformers import AutoModelForQuestionAnswering

from beat_the_ai.adversary.protocol import Explanation, LoadOptions
from beat_the_ai.kinds.reading_comprehension.writing import NAME, Prediction, Query
from beat_the_ai.networks import huggingface, saliency
from beat_the_ai.networks.huggingface import Forward, Inputs, Pretrained
from beat_the_ai.networks.saliency import Traced

MAX_WINDOW_TOKENS = 384
ReaderT = TypeVar("ReaderT", bound="PretrainedReader")
OVERLAP_TOKENS = 128
MAX_ANSWER_TOKENS = 30
OUTPUTS = ("start_logits", "end_logits")


def load(source: str, options: LoadOptions) -> HuggingFaceReader:
    """Load the model in the folder `source`, or of that hub id."""
    return HuggingFaceReader(
        huggingface.load(source, options, NAME, AutoModelForQuestionAnswering, "question-answering")
    )


@dataclass(frozen=True)
class Window:
    """A stretch of a passage as the model sees it, together with the question.

    `inputs` are the model's arguments, a list of token numbers each; `starts` and `ends` are every token's place in its
    text in code points, `parts` which text that is (0 the question, 1 the passage, None for what the model adds), and
    `inside` says which tokens belong to the passage.
    """

    query: int
    inputs: dict[str, list[int]]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    inside: NDArray[np.bool_]
    parts: Sequence[int | None]


@dataclass(frozen=True)
class BestSpan:
    """The best span of one window, and what all its spans weigh: log Σ exp(start logit + end logit)."""

    logit: float
    log_total: float
    start: int
    end: int


class PretrainedReader:
    """A loaded model; its answers are stretches of the passage, character by character."""

    query_type: ClassVar[type[Query]] = Query

    def __init__(self, pretrained: Pretrained) -> None:
        self.identity = pretrained.identity
        self.pretrained = pretrained
        self._forward = Forward(pretrained, OUTPUTS)
        self._tokenizer = tokenizer = pretrained.tokenizer
        positions = getattr(pretrained.model.config, "max_position_embeddings", MAX_WINDOW_TOKENS)
        self._window_tokens = min(MAX_WINDOW_TOKENS, tokenizer.model_max_length, positions)

    def stream(self) -> PretrainedReader:
        return self.over(self.pretrained.stream())

    def over(self: ReaderT, pretrained: Pretrained) -> ReaderT:
        """The same with another model."""
        return type(self)(pretrained)

    def rows(self, queries: Sequence[Query]) -> list[Inputs]:
        """What the model reads of them: a row for each window."""
        return [window.inputs for query in queries for window in self._windows(0, query)]

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        windows = [window for number, query in enumerate(queries) for window in self._windows(number, query)]
        spans: list[list[BestSpan]] = [[] for _ in queries]
        for window, start_logits, end_logits in self._logits(windows):
            spans[window.query].append(_best_span(window, start_logits, end_logits))
        return [_prediction(query.context, found) for query, found in zip(queries, spans, strict=True)]

    def _windows(self, number: int, query: Query) -> Iterator[Window]:
        """The windows of one query; none for a passage without a token."""
        encoded = self._tokenizer(
            # the passage needs the other half
            huggingface.shortened(query.question, self._tokenizer, self._window_tokens // 2),
            query.context,
            truncation="only_second",
            max_length=self._window_tokens,
            stride=min(OVERLAP_TOKENS, self._window_tokens // 4),
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        )
        for row in range(len(encoded["input_ids"])):
            offsets = np.array(encoded["offset_mapping"][row], dtype=np.int64)
            parts = encoded.sequence_ids(row)
            of_passage = np.array([part == 1 for part in parts])
            inside = of_passage & (offsets[:, 1] > offsets[:, 0])
            if inside.any():
                inputs = {name: encoded[name][row] for name in self._tokenizer.model_input_names}
                yield Window(number, inputs, offsets[:, 0], offsets[:, 1], inside, parts)

    def _logits(self, windows: list[Window]) -> Iterator[tuple[Window, NDArray[np.float64], NDArray[np.float64]]]:
        """Start and end logits of each window."""
        found = self._forward([window.inputs for window in windows])
        for window, (starts, ends) in zip(windows, found, strict=True):
            length = len(window.starts)
            yield window, starts[:length], ends[:length]


@dataclass(frozen=True)
class Place:
    """Where an answer stands in a window: its first and last token, and the sum of their logits."""

    window: Window
    first: int
    last: int
    logit: float


class HuggingFaceReader(PretrainedReader):
    """One of torch's, which can be gone back through."""

    def explain(self, queries: Sequence[Query]) -> list[tuple[Prediction, Explanation]]:
        """By what raises the logits of the answer's first and last token, in the window where they are highest."""
        return [self._explain(query) for query in queries]

    def _explain(self, query: Query) -> tuple[Prediction, Explanation]:
        windows = list(self._windows(0, query))
        # Of one window the pass that gives the answer is the one that is gone back; more would take too much memory.
        traced = self._trace(windows[0]) if len(windows) == 1 else None
        read = [(windows[0], *_logits_of(traced))] if traced is not None else list(self._logits(windows))
        prediction = _prediction(query.context, [_best_span(*one) for one in read])
        places = [place for one in read if (place := _place(prediction, *one)) is not None]
        fields = {"question": query.question, "context": query.context}
        if not places:
            return prediction, saliency.explanation(fields, [], np.zeros((0, 2), np.int64), np.zeros(0))
        best = max(places, key=lambda place: place.logit)
        if traced is None:
            traced = self._trace(best.window)
        said = traced.output.start_logits[0, best.first] + traced.output.end_logits[0, best.last]
        offsets = np.stack([best.window.starts, best.window.ends], axis=1)
        return prediction, saliency.explanation(fields, best.window.parts, offsets, traced.token_weights(said))

    def _trace(self, window: Window) -> Traced:
        return saliency.trace(self.pretrained.model, window.inputs)


def _logits_of(traced: Traced) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    starts, ends = (
        logits[0].detach().double().cpu().numpy() for logits in (traced.output.start_logits, traced.output.end_logits)
    )
    return starts, ends


def _place(answer: Prediction, window: Window, starts: NDArray[np.float64], ends: NDArray[np.float64]) -> Place | None:
    """None where the window does not hold all of the answer. Of tokens that share a character the likelier counts."""
    if not answer.text:
        return None
    holding = [
        window.inside & (window.starts <= place) & (place < window.ends)
        for place in (answer.start, answer.start + len(answer.text) - 1)
    ]
    if not all(tokens.any() for tokens in holding):
        return None
    first, last = (
        int(np.where(tokens, logits, -np.inf).argmax()) for tokens, logits in zip(holding, (starts, ends), strict=True)
    )
    return Place(window, first, last, float(starts[first] + ends[last]))


def _best_span(window: Window, start_logits: NDArray[np.float64], end_logits: NDArray[np.float64]) -> BestSpan:
    starts = np.where(window.inside, start_logits, -np.inf)
    ends = np.where(window.inside, end_logits, -np.inf)
    ends = np.concatenate([ends, np.full(MAX_ANSWER_TOKENS - 1, -np.inf)])
    # [first token, number of tokens after it]
    spans = starts[:, None] + np.lib.stride_tricks.sliding_window_view(ends, MAX_ANSWER_TOKENS)
    first, more = np.unravel_index(int(spans.argmax()), spans.shape)
    best = float(spans[first, more])
    log_total = best + float(np.log(np.exp(spans - best).sum()))
    return BestSpan(best, log_total, int(window.starts[first]), int(window.ends[first + more]))


def _prediction(context: str, spans: list[BestSpan]) -> Prediction:
    if not spans:
        return Prediction(text="", start=0, score=0.0)
    best = max(spans, key=lambda span: (span.logit, -span.start))
    log_total = np.logaddexp.reduce([span.log_total for span in spans])
    # Some tokenizers count the space before a word as part of it.
    text = context[best.start : best.end].lstrip()
    start = best.end - len(text)
    return Prediction(text=text.rstrip(), start=start, score=float(np.exp(best.logit - log_total)))
