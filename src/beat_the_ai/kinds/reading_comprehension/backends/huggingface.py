"""Any extractive question-answering model of Hugging Face's transformers: a local folder or a hub id.

How it reads a passage, and what becomes of its logits, is in `windows`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, TypeVar

import numpy as np
from transformers import AutoModelForQuestionAnswering

from beat_the_ai.adversary.protocol import Explanation, LoadOptions
from beat_the_ai.kinds.reading_comprehension.windows import Reading, Window, WindowEncoder, answer
from beat_the_ai.kinds.reading_comprehension.writing import NAME, Prediction, Query
from beat_the_ai.networks import huggingface, saliency
from beat_the_ai.networks.huggingface import Forward, Inputs, Pretrained
from beat_the_ai.networks.saliency import Traced

ReaderT = TypeVar("ReaderT", bound="PretrainedReader")
OUTPUTS = ("start_logits", "end_logits")


def load(source: str, options: LoadOptions) -> HuggingFaceReader:
    """Load the model in the folder `source`, or of that hub id."""
    return HuggingFaceReader(
        huggingface.load(source, options, NAME, AutoModelForQuestionAnswering, "question-answering", OUTPUTS)
    )


class PretrainedReader:
    """A loaded model; its answers are stretches of the passage, word by word."""

    query_type: ClassVar[type[Query]] = Query

    def __init__(self, pretrained: Pretrained) -> None:
        self.identity = pretrained.identity
        self.pretrained = pretrained
        self._forward = Forward(pretrained, OUTPUTS)
        self._encode = WindowEncoder(pretrained.tokenizer, pretrained.model.config)

    def stream(self) -> PretrainedReader:
        return self.over(self.pretrained.stream())

    def over(self: ReaderT, pretrained: Pretrained) -> ReaderT:
        """The same with another model."""
        return type(self)(pretrained)

    def rows(self, queries: Sequence[Query]) -> list[Inputs]:
        """Return the model's inputs for these queries: a row for each window."""
        return [window.inputs for query in queries for window in self._encode(query)]

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        windows = [self._encode(query) for query in queries]
        read = iter(self._read([window for of_query in windows for window in of_query]))
        return [
            answer(query.context, islice(read, len(of_query))) for query, of_query in zip(queries, windows, strict=True)
        ]

    def _read(self, windows: Sequence[Window]) -> list[Reading]:
        found = self._forward([window.inputs for window in windows])
        return [window.reading(*logits) for window, logits in zip(windows, found, strict=True)]


@dataclass(frozen=True)
class Place:
    """The place of an answer in a window: its first and last token, and the sum of their logits."""

    window: Window
    first: int
    last: int
    logit: float


class HuggingFaceReader(PretrainedReader):
    """One of torch's, which can be gone back through."""

    def explain(self, queries: Sequence[Query]) -> list[tuple[Prediction, Explanation]]:
        """Explain predictions by what raises the logits of the answer's two end tokens, where they are highest."""
        return [self._explain(query) for query in queries]

    def _explain(self, query: Query) -> tuple[Prediction, Explanation]:
        windows = self._encode(query)
        # Of one window the pass that gives the answer is the one that is gone back; more would take too much memory.
        traced = self._trace(windows[0]) if len(windows) == 1 else None
        read = self._read(windows) if traced is None else [_reading(windows[0], traced)]
        said = answer(query.context, read)
        places = [place for reading in read if (place := _place(said, reading)) is not None]
        fields = {"question": query.question, "context": query.context}
        if not places:
            return said, saliency.explanation(fields, [], np.zeros((0, 2), np.int64), np.zeros(0))
        best = max(places, key=lambda place: place.logit)
        if traced is None:
            traced = self._trace(best.window)
        logit = traced.output.start_logits[0, best.first] + traced.output.end_logits[0, best.last]
        offsets = np.stack([best.window.starts, best.window.ends], axis=1)
        return said, saliency.explanation(fields, best.window.parts, offsets, traced.token_weights(logit))

    def _trace(self, window: Window) -> Traced:
        return saliency.trace(self.pretrained.model, window.inputs)


def _reading(window: Window, traced: Traced) -> Reading:
    starts, ends = (
        logits[0].detach().double().cpu().numpy() for logits in (traced.output.start_logits, traced.output.end_logits)
    )
    return window.reading(starts, ends)


def _place(said: Prediction, reading: Reading) -> Place | None:
    """None where the window does not hold all of the answer. Of tokens that share a character the likelier counts."""
    if not said.text:
        return None
    window, *logits = reading
    holding = [
        window.inside & (window.starts <= place) & (place < window.ends)
        for place in (said.start, said.start + len(said.text) - 1)
    ]
    if not all(tokens.any() for tokens in holding):
        return None
    first, last = (
        int(np.where(tokens, of_tokens, -np.inf).argmax()) for tokens, of_tokens in zip(holding, logits, strict=True)
    )
    return Place(window, first, last, float(reading.starts[first] + reading.ends[last]))
