"""Networks that ship with the project, run by onnxruntime on the CPU: a label in milliseconds, no torch.

A source is the name of a shipped model (`cross-encoder-small`) or a folder that `cross_encoder.export` wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.kinds.nli.cross_encoder.classifier import Classifier
from beat_the_ai.kinds.nli.cross_encoder.features import probe
from beat_the_ai.kinds.nli.labels import Pair, Prediction
from beat_the_ai.networks import onnx_folder

SHIPPED = Path(__file__).resolve().parents[1] / "weights"


def load(source: str, options: LoadOptions) -> OnnxClassifier:
    """Load a shipped model by name, or the model in a folder."""
    exported = onnx_folder.load(source, options, SHIPPED, "nli", ("logits",), probe)
    config = exported.config
    classifier = Classifier(
        exported.vocabulary, exported.run, config["temperature"], hypothesis_only=config["hypothesis_only"]
    )
    return OnnxClassifier(exported.identity, classifier)


@dataclass(frozen=True)
class OnnxClassifier:
    """A loaded model."""

    query_type: ClassVar[type[Pair]] = Pair

    identity: ModelIdentity
    classifier: Classifier

    def stream(self) -> OnnxClassifier:
        """The same: it keeps nothing between two queries, and onnxruntime runs a session for many threads at once."""
        return self

    def predict(self, queries: Sequence[Pair]) -> list[Prediction]:
        return self.classifier.predict(queries)
