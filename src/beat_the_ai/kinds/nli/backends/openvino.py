"""Classifiers of Hugging Face's transformers on a CPU by OpenVINO, faster than torch.

They run as they are, or in int8.

A source is a local folder or a hub id as for `huggingface:`, or a folder that `adversary quantise` wrote.
"""

from __future__ import annotations

from transformers import AutoModelForSequenceClassification

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.kinds.nli.backends.huggingface import OUTPUTS, PretrainedClassifier, label_order
from beat_the_ai.networks import openvino_network


def load(source: str, options: LoadOptions) -> PretrainedClassifier:
    """Raises `AdversaryError`, also for a model in int8 that has not passed its gate, and for unclear labels."""
    pretrained = openvino_network.load(
        source, options, "nli", AutoModelForSequenceClassification, "classification", OUTPUTS
    )
    return PretrainedClassifier(pretrained, label_order(source, pretrained.model.config.id2label))
