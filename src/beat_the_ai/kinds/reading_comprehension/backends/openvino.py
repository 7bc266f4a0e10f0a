"""Extractive question-answering models of Hugging Face's transformers on a CPU by OpenVINO, faster than torch.

They run as they are, or in int8.

A source is a local folder or a hub id as for `huggingface:`, or a folder that `adversary quantise` wrote.
"""

from __future__ import annotations

from transformers import AutoModelForQuestionAnswering

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.kinds.reading_comprehension.backends.huggingface import OUTPUTS, PretrainedReader
from beat_the_ai.kinds.reading_comprehension.writing import NAME
from beat_the_ai.networks import openvino_network


def load(source: str, options: LoadOptions) -> PretrainedReader:
    """Raises `AdversaryError`, also for a model in int8 that has not passed its gate."""
    return PretrainedReader(
        openvino_network.load(source, options, NAME, AutoModelForQuestionAnswering, "question-answering", OUTPUTS)
    )
