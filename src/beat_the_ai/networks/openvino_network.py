"""Models of Hugging Face's transformers, run by OpenVINO on a CPU: converted when they are loaded, or read in int8.

Each stream has as many threads as it was given, and a question that is alone has those of all streams. Activations are
fp32 on every CPU, also where OpenVINO would choose bf16, so that the same model gives the same answers everywhere.
"""

from __future__ import annotations

import threading
import types
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import openvino
import torch

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.networks import huggingface, int8_gate
from beat_the_ai.networks.huggingface import Pretrained
from beat_the_ai.networks.loading import check_fit, config_of, tokenizer_of

MODEL_FILE = "model_int8.xml"
# One by one nothing is padded, and on one thread batches bring little.
ROWS_PER_BATCH = 1


class OpenvinoNetwork:
    """Is called as a model of transformers is, and may be by several threads at once."""

    device = "cpu"

    def __init__(self, graph: Any, config: Any, options: LoadOptions) -> None:
        self.graph, self.config, self.options = graph, config, options
        threads = options.streams * options.threads
        self._crowd = Compiled(graph, options.streams, threads)
        self._lone = Compiled(graph, 1, threads) if options.streams > 1 else self._crowd
        self._counting = threading.Lock()
        self._running = 0

    def __call__(self, **inputs: torch.Tensor) -> types.SimpleNamespace:
        """The head's outputs by their names."""
        with self._counting:
            compiled = self._crowd if self._running else self._lone
            self._running += 1
        try:
            return compiled(inputs)
        finally:
            with self._counting:
                self._running -= 1


class Compiled:
    """A graph in the form in which `streams` questions at once share `threads` threads."""

    def __init__(self, graph: Any, streams: int, threads: int) -> None:
        self._model = openvino.Core().compile_model(
            graph,
            "CPU",
            {
                "NUM_STREAMS": streams,
                "INFERENCE_NUM_THREADS": threads,
                "INFERENCE_PRECISION_HINT": "f32",
                "ENABLE_CPU_PINNING": False,  # other models and processes have the same cores
            },
        )
        self._names = {name for port in self._model.inputs for name in port.get_names()}
        self._of_thread = threading.local()

    def __call__(self, inputs: Mapping[str, torch.Tensor]) -> types.SimpleNamespace:
        """The outputs by their names; may be called by several threads at once."""
        request = self._request()
        request.infer({name: value.numpy() for name, value in inputs.items() if name in self._names})
        outputs = {port.get_any_name(): request.get_tensor(port).data for port in self._model.outputs}
        return types.SimpleNamespace(**{name: torch.from_numpy(np.array(found)) for name, found in outputs.items()})

    def _request(self) -> Any:
        if not hasattr(self._of_thread, "request"):
            self._of_thread.request = self._model.create_infer_request()
        return self._of_thread.request


def load(
    source: str, options: LoadOptions, task: str, architecture: Any, head: str, outputs: Sequence[str]
) -> Pretrained:
    """As `huggingface.load` does; of a folder with a quantised model, that model.

    Raises `AdversaryError`, also for a quantised model that has not passed the gate (`int8_gate`).
    """
    if options.device != "cpu":
        raise InvalidInput("device", f"{options.device!r} was given; the backend 'openvino' runs on the cpu only.")
    folder = Path(source)
    precision = "int8" if (folder / MODEL_FILE).is_file() else "fp32"
    if options.precision not in (None, precision):
        raise InvalidInput(
            "precision",
            f"{options.precision!r} was given, and {folder.name!r} is a model in {precision}. A model in int8 is made "
            "by `beat-the-ai adversary quantise`.",
        )
    if precision == "fp32":
        plain = replace(options, precision=None)
        return converted(huggingface.load(source, plain, task, architecture, head, outputs), options)
    identity = ModelIdentity(folder.resolve().name, task, huggingface.hash_of(folder), precision)
    int8_gate.check_passed(folder, identity)
    config = config_of(source)
    try:
        network = OpenvinoNetwork(openvino.Core().read_model(folder / MODEL_FILE), config, options)
    except RuntimeError as error:
        raise AdversaryError(f"{MODEL_FILE} of {folder.name!r} is no network that OpenVINO can run: {error}") from error
    tokenizer = tokenizer_of(source, config)
    check_fit(source, network, tokenizer, outputs)
    return Pretrained(identity, network, tokenizer, ROWS_PER_BATCH)


def converted(pretrained: Pretrained, options: LoadOptions) -> Pretrained:
    """A model of torch's with the same weights in OpenVINO."""
    example = pretrained.tokenizer("a", "b", return_tensors="pt")
    arguments = {name: example[name] for name in pretrained.tokenizer.model_input_names}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tracing warns of each branch on a shape
        graph = openvino.convert_model(pretrained.model, example_input=arguments)
    network = OpenvinoNetwork(graph, pretrained.model.config, options)
    return replace(pretrained, model=network, rows_per_batch=ROWS_PER_BATCH)
