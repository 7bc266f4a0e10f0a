"""Any classifier of pairs of sequences of Hugging Face's transformers: a local folder or a hub id.

Which of its outputs stands for which label is read from its config (`id2label`): models differ in it, and a wrong order
would turn every verdict. Of a pair that does not fit into the model's window the end of the premise is cut off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import numpy as np
from transformers import AutoModelForSequenceClassification

from beat_the_ai.adversary.protocol import Explanation, LoadOptions
from beat_the_ai.errors import AdversaryError
from beat_the_ai.kinds.nli.label_names import ALLOWED, label_named
from beat_the_ai.kinds.nli.labels import LABELS, Label, Pair, Prediction
from beat_the_ai.kinds.nli.predictions import prediction
from beat_the_ai.networks import huggingface, saliency
from beat_the_ai.networks.huggingface import Forward, Inputs, Pretrained

MAX_WINDOW_TOKENS = 512
ClassifierT = TypeVar("ClassifierT", bound="PretrainedClassifier")
OUTPUTS = ("logits",)


def load(source: str, options: LoadOptions) -> HuggingFaceClassifier:
    """Raises `AdversaryError` for a model whose outputs are not clearly the three labels."""
    pretrained = huggingface.load(source, options, "nli", AutoModelForSequenceClassification, "classification", OUTPUTS)
    return HuggingFaceClassifier(pretrained, label_order(source, pretrained.model.config.id2label))


def label_order(source: str, names: Mapping[int, str]) -> tuple[Label, ...]:
    """The label of each output in turn, of a config's `id2label`. Raises `AdversaryError` where they are unclear."""
    order = clear_order(names)
    if order is None:
        shown = ", ".join(f"{number}: {str(names[number])[:40]!r}" for number in sorted(names)[:12])
        raise AdversaryError(
            f"The outputs of {source!r} are {shown}; three are needed, one for each of {ALLOWED}. If it was trained "
            "for natural language inference, find out in which order, save it to a folder, and write the labels' names "
            'into id2label in its config.json, as in {"0": "contradiction", "1": "neutral", "2": "entailment"}.'
        )
    return order


def clear_order(names: Mapping[int, str]) -> tuple[Label, ...] | None:
    """The label of each output in turn; None where they are not clearly the three."""
    order = tuple(label for number in sorted(names) if (label := label_named(str(names[number]))) is not None)
    return order if len(order) == len(names) and sorted(order) == sorted(LABELS) else None


class PairEncoder:
    """From pairs to what a model of that config reads; `hypothesis_only` for one that is blind to the premise.

    A model that sums up by its last token, such as XLNet, gets its padding in front.
    """

    def __init__(self, tokenizer: Any, config: Any, *, hypothesis_only: bool) -> None:
        self._tokenizer, self._hypothesis_only = tokenizer, hypothesis_only
        self._window_tokens = huggingface.window_tokens(tokenizer, config, MAX_WINDOW_TOKENS)
        if getattr(config, "summary_type", None) == "last":
            tokenizer.padding_side = "left"

    def __call__(self, pair: Pair) -> dict[str, list[int]]:
        return self.inputs(self.encoded(pair))

    def inputs(self, encoded: Any) -> dict[str, list[int]]:
        return {name: encoded[name] for name in self._tokenizer.model_input_names}

    def encoded(self, pair: Pair, *, offsets: bool = False) -> Any:
        """As the tokenizer gives it; with `offsets`, and where each token stands in its text."""
        premise = "" if self._hypothesis_only else pair.premise
        # The premise needs the other half of the window.
        hypothesis = huggingface.shortened(pair.hypothesis, self._tokenizer, self._window_tokens // 2)
        return self._tokenizer(
            premise,
            hypothesis,
            truncation="only_first",
            max_length=self._window_tokens,
            return_offsets_mapping=offsets,
        )


def is_blind(config: Any) -> bool:
    """Return whether a model's config says that it was trained without premises, as ours do."""
    return bool(getattr(config, "hypothesis_only", False))


class PretrainedClassifier:
    """A loaded model; `order` says which label each of its outputs stands for."""

    query_type: ClassVar[type[Pair]] = Pair

    def __init__(self, pretrained: Pretrained, order: Sequence[Label]) -> None:
        self.identity = pretrained.identity
        self.pretrained = pretrained
        self._order = order
        self._forward = Forward(pretrained, OUTPUTS)
        config = pretrained.model.config
        self._encode = PairEncoder(pretrained.tokenizer, config, hypothesis_only=is_blind(config))

    def stream(self) -> PretrainedClassifier:
        return self.over(self.pretrained.stream())

    def over(self: ClassifierT, pretrained: Pretrained) -> ClassifierT:
        """The same with another model."""
        return type(self)(pretrained, self._order)

    def rows(self, queries: Sequence[Pair]) -> list[Inputs]:
        """Return the model's inputs for these queries."""
        return [self._encode(pair) for pair in queries]

    def predict(self, queries: Sequence[Pair]) -> list[Prediction]:
        found = self._forward(self.rows(queries))
        return [prediction(logits, self._order) for [logits] in found]


class HuggingFaceClassifier(PretrainedClassifier):
    """One of torch's, which can be gone back through."""

    def explain(self, queries: Sequence[Pair]) -> list[tuple[Prediction, Explanation]]:
        """Explain predictions by what raises the logit of the label."""
        return [self._explain(pair) for pair in queries]

    def _explain(self, pair: Pair) -> tuple[Prediction, Explanation]:
        encoded = self._encode.encoded(pair, offsets=True)
        traced = saliency.trace(self.pretrained.model, self._encode.inputs(encoded))
        logits = traced.output.logits[0]
        said = prediction(logits.detach().double().cpu().numpy(), self._order)
        weights = traced.token_weights(logits[self._order.index(said.label)])
        offsets = np.array(encoded["offset_mapping"], dtype=np.int64)
        return said, saliency.explanation(pair.model_dump(), encoded.sequence_ids(), offsets, weights)
