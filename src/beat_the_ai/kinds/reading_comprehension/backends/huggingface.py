"""Any extractive question-answering model of Hugging Face's transformers: a local folder or a hub id.

Passages longer than the model's window are read in overlapping windows, and the best span over all of them is the
answer. Its score is that span's probability among all spans the model could have given: a softmax over the sum of
start and end logits, as in BERT's SQuAD model (Devlin et al. 2019, §4.2).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModelForQuestionAnswering, AutoTokenizer
from transformers.utils import cached_file

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.kinds.reading_comprehension.writing import NAME, Prediction, Query

MAX_WINDOW_TOKENS = 384
OVERLAP_TOKENS = 128
MAX_ANSWER_TOKENS = 30
WINDOWS_PER_BATCH = 32
HASHED_AT_ONCE_BYTES = 1024 * 1024

PRECISIONS = {
    "cpu": {"fp32": torch.float32},
    "cuda": {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32},
}
WEIGHT_FILES = ("*.safetensors", "*.bin")
OTHER_FILES = (
    "config.json",
    "tokenizer*",
    "vocab*",
    "merges.txt",
    "special_tokens_map.json",
    "added_tokens.json",
    "*.model",
)


def load(source: str, options: LoadOptions) -> HuggingFaceReader:
    """Load the model in the folder `source`, or of that hub id; a folder is never looked up on the hub."""
    precision, dtype = _precision(options)
    local = Path(source).is_dir()
    try:
        tokenizer = AutoTokenizer.from_pretrained(source, local_files_only=local, padding_side="right")
        model, loading = AutoModelForQuestionAnswering.from_pretrained(
            source, local_files_only=local, dtype=dtype, output_loading_info=True
        )
        folder = Path(source) if local else Path(str(cached_file(source, "config.json"))).parent
    except (OSError, ValueError) as error:
        raise AdversaryError(f"{source!r} is no model that transformers can load: {error}") from error
    if loading["missing_keys"]:
        raise AdversaryError(
            f"{source!r} has no trained question-answering head: {min(loading['missing_keys'])} is missing."
        )
    if not tokenizer.is_fast:
        raise AdversaryError(
            f"{source!r} has no fast tokenizer, without which its answers have no place in the passage."
        )
    if options.device == "cpu":
        torch.set_num_threads(options.threads)
    identity = ModelIdentity(Path(source).name if local else source, NAME, _hash(folder), precision)
    return HuggingFaceReader(identity, model.to(options.device).eval(), tokenizer)


@dataclass(frozen=True)
class Window:
    """A stretch of a passage as the model sees it, together with the question.

    `inputs` are the model's arguments, a list of token numbers each; `starts` and `ends` are every token's place in the
    passage in code points, and `inside` says which tokens belong to the passage.
    """

    query: int
    inputs: dict[str, list[int]]
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


class HuggingFaceReader:
    """A loaded model; its answers are stretches of the passage, character by character."""

    query_type: ClassVar[type[Query]] = Query

    def __init__(self, identity: ModelIdentity, model: Any, tokenizer: Any) -> None:
        self.identity = identity
        self._model = model
        self._tokenizer = tokenizer
        positions = getattr(model.config, "max_position_embeddings", MAX_WINDOW_TOKENS)
        self._window_tokens = min(MAX_WINDOW_TOKENS, tokenizer.model_max_length, positions)

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        windows = [window for number, query in enumerate(queries) for window in self._windows(number, query)]
        spans: list[list[BestSpan]] = [[] for _ in queries]
        for window, start_logits, end_logits in self._logits(windows):
            spans[window.query].append(_best_span(window, start_logits, end_logits))
        return [_prediction(query.context, found) for query, found in zip(queries, spans, strict=True)]

    def _windows(self, number: int, query: Query) -> Iterator[Window]:
        """The windows of one query; none for a passage without a token."""
        encoded = self._tokenizer(
            self._shortened(query.question),
            query.context,
            truncation="only_second",
            max_length=self._window_tokens,
            stride=min(OVERLAP_TOKENS, self._window_tokens // 4),
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        )
        for row in range(len(encoded["input_ids"])):
            offsets = np.array(encoded["offset_mapping"][row], dtype=np.int64)
            of_passage = np.array([part == 1 for part in encoded.sequence_ids(row)])
            inside = of_passage & (offsets[:, 1] > offsets[:, 0])
            if inside.any():
                inputs = {name: encoded[name][row] for name in self._tokenizer.model_input_names}
                yield Window(number, inputs, offsets[:, 0], offsets[:, 1], inside)

    def _shortened(self, question: str) -> str:
        """The question's beginning, if it would take more than half a window; the passage needs the other half."""
        limit = self._window_tokens // 2
        offsets = self._tokenizer(question, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
        return question if len(offsets) <= limit else question[: offsets[limit - 1][1]]

    def _logits(self, windows: list[Window]) -> Iterator[tuple[Window, NDArray[np.float64], NDArray[np.float64]]]:
        """Start and end logits of each window, which are batched by length so that little is padded."""
        by_length = sorted(windows, key=lambda window: len(window.starts))
        for first in range(0, len(by_length), WINDOWS_PER_BATCH):
            batch = by_length[first : first + WINDOWS_PER_BATCH]
            padded = self._tokenizer.pad([window.inputs for window in batch], return_tensors="pt")
            with torch.inference_mode():
                output = self._model(**padded.to(self._model.device))
            starts, ends = (logits.double().cpu().numpy() for logits in (output.start_logits, output.end_logits))
            for row, window in enumerate(batch):
                length = len(window.starts)
                yield window, starts[row, :length], ends[row, :length]


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


def _precision(options: LoadOptions) -> tuple[str, torch.dtype]:
    allowed = PRECISIONS.get(options.device)
    if allowed is None:
        raise InvalidInput("device", f"{options.device!r} is no device. Allowed: cpu, cuda.")
    precision = options.precision or next(iter(allowed))
    if precision not in allowed:
        raise InvalidInput(
            "precision", f"{precision!r} is not available on {options.device}. Allowed: {', '.join(allowed)}."
        )
    return precision, allowed[precision]


def _hash(folder: Path) -> str:
    """SHA-256 over the names and contents of the files that make the model what it is."""
    weights = next((found for pattern in WEIGHT_FILES if (found := list(folder.glob(pattern)))), [])
    others = {path for pattern in OTHER_FILES for path in folder.glob(pattern)}
    total = hashlib.sha256()
    for path in sorted([*weights, *others]):
        total.update(f"{path.name} {path.stat().st_size}\n".encode())
        with path.open("rb") as file:
            while chunk := file.read(HASHED_AT_ONCE_BYTES):
                total.update(chunk)
    return total.hexdigest()
