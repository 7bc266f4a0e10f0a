"""From a checkpoint to the folder that ships: `model.onnx`, `vocabulary.txt`, `config.json`.

Matrices are stored in 4 bits a weight (the encoder, which was trained with it) or in 8 bits (all others) and unpacked
by operators of the graph itself. What these work on is constant, so onnxruntime unpacks once, when it loads the model,
and then computes in fp32: no quantised kernels are needed, and every processor answers the same.
"""

from __future__ import annotations

import copy
import json
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnx
import torch
from onnxscript import opset20 as operators
from torch import Tensor, nn
from torch.nn import functional

from beat_the_ai.kinds.reading_comprehension.bidaf import checkpoint, features
from beat_the_ai.kinds.reading_comprehension.bidaf.encoder import LEVELS, RoundedEmbedding, RoundedLinear, quantise
from beat_the_ai.kinds.reading_comprehension.bidaf.network import Network
from beat_the_ai.kinds.reading_comprehension.bidaf.text import Vocabulary
from beat_the_ai.kinds.reading_comprehension.writing import NAME

FORMAT = 1
OPSET = 20  # that of `operators`; the first with Gelu
OUTPUTS = ("start", "end")


@dataclass(frozen=True)
class ExportConfig:
    """From which checkpoint to which folder; `name` is what the model calls itself in every attempt's record."""

    checkpoint: Path
    out: Path
    name: str = "bidaf"


def export(config: ExportConfig) -> Path:
    """Write the folder and return its path. Needs the packages `onnx` and `onnxscript`."""
    trained = checkpoint.load(config.checkpoint)
    config.out.mkdir(parents=True, exist_ok=True)
    _write_graph(packed(trained.network), trained.vocabulary, config.out / "model.onnx")
    trained.vocabulary.save(config.out / "vocabulary.txt")
    described = {
        "format": FORMAT,
        "name": config.name,
        "task": NAME,
        "temperature": round(trained.temperature, 4),
    }
    (config.out / "config.json").write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")
    return config.out


class FourBits(nn.Module):  # type: ignore[misc]
    """A matrix as two 4-bit integers a byte and a half-precision scale per group; calling it unpacks."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        integers, scale = quantise(weight)
        low, high = (integers + LEVELS + 1).to(torch.uint8).chunk(2, dim=-1)
        self.register_buffer("bytes", low + 16 * high)  # (rows, groups, 16)
        self.register_buffer("scale", scale.half())

    def forward(self) -> Tensor:
        both = self.bytes.float()
        high = torch.floor(both / 16)
        integers = torch.cat([both - 16 * high, high], dim=-1) - (LEVELS + 1)
        return (integers * self.scale.float()).flatten(-2)


class EightBits(nn.Module):  # type: ignore[misc]
    """A matrix as 8-bit integers and a scale per row; calling it unpacks."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.register_buffer("scale", (weight.abs().amax(dim=-1, keepdim=True) / 127).clamp(min=1e-12))
        self.register_buffer("bytes", (weight / self.scale).round().to(torch.int8))

    def forward(self) -> Tensor:
        return self.bytes.float() * self.scale


class PackedLinear(nn.Module):  # type: ignore[misc]
    def __init__(self, source: nn.Linear) -> None:
        super().__init__()
        pack = FourBits if isinstance(source, RoundedLinear) else EightBits
        self.weight = pack(source.weight.detach())
        self.bias = source.bias

    def forward(self, x: Tensor) -> Tensor:
        return functional.linear(x, self.weight(), self.bias)


class PackedEmbedding(nn.Module):  # type: ignore[misc]
    """Stands in for `nn.Embedding`; `weight` is the unpacked table."""

    def __init__(self, source: nn.Embedding) -> None:
        super().__init__()
        pack = FourBits if isinstance(source, RoundedEmbedding) else EightBits
        self.packed = pack(source.weight.detach())

    @property
    def weight(self) -> Tensor:
        return self.packed()

    def forward(self, rows: Tensor) -> Tensor:
        return functional.embedding(rows, self.weight)


def packed(network: Network) -> Network:
    """A copy of the network with packed matrices: what will be computed after the export, still in torch."""
    network = copy.deepcopy(network).eval()
    for module in list(network.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Linear):
                setattr(module, name, PackedLinear(child))
            elif isinstance(child, nn.Embedding):
                setattr(module, name, PackedEmbedding(child))
    return network


def doubling_scan(forget: Any, addend: Any) -> Any:
    """`recurrence.scan` in ONNX operators, for any T that `features` allows: log2(T) steps over the whole text.

    Hillis and Steele 1986: after a step of width w, row t holds the recurrence over its last 2w rows.
    """
    width = 1
    while width < features.MAX_WORDS:
        addend = operators.Add(addend, operators.Mul(forget, _shifted(addend, width)))
        forget = operators.Mul(forget, _shifted(forget, width))
        width *= 2
    return addend


def _shifted(x: Any, width: int) -> Any:
    """x (T, B, H) moved down by `width` rows, zeros above."""
    padded = operators.Pad(x, operators.Constant(value_ints=[width, 0, 0, 0, 0, 0]))
    top, rows = operators.Constant(value_ints=[0]), operators.Shape(x, start=0, end=1)
    return operators.Slice(padded, top, rows, top)


def _write_graph(network: Network, vocabulary: Vocabulary, path: Path) -> None:
    passages = [features.encode(text, vocabulary) for text in ("A brief example.", "Two of them, in fact: 2.")]
    questions = [features.encode(text, vocabulary) for text in ("How many?", "Why is it?", "Is it so brief, then?")]
    arrays = features.batch(passages, questions, [0, 1, 1])
    # All but the features of a word may have any length.
    dynamic = {
        name: dict.fromkeys(range(min(2, array.ndim)), torch.export.Dim.DYNAMIC) for name, array in arrays.items()
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # torch warns of torch
        program = torch.onnx.export(
            network,
            kwargs={name: torch.from_numpy(array) for name, array in arrays.items()},
            input_names=list(arrays),
            output_names=list(OUTPUTS),
            dynamic_shapes=dynamic,
            opset_version=OPSET,
            dynamo=True,
            custom_translation_table={torch.ops.beat_the_ai.scan.default: doubling_scan},
            optimize=False,  # onnxruntime optimises when it loads; here it would store matrices unpacked
            external_data=False,
            verbose=False,
        )
    onnx.save(_without_origins(program.model_proto), path)


def _without_origins(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model without the stack traces of the code it was traced from, which are half as large as the weights."""
    del model.graph.value_info[:]
    for part in [*model.graph.node, *model.graph.input, *model.graph.output, *model.graph.initializer, model.graph]:
        del part.metadata_props[:]
        part.doc_string = ""
    return model
