"""The storage of a network in an ONNX file of a few MB.

Matrices are stored in 4 bits a weight (the encoder, which was trained with it) or in 8 bits (all others). Operators of
the graph itself unpack them. Their inputs are constant, so onnxruntime unpacks once, when it loads the model, and then
computes in fp32. No quantised kernels are needed, and every processor answers the same.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import onnx
import torch
from google.protobuf.message import DecodeError
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from beat_the_ai.errors import AdversaryError
from beat_the_ai.networks.divergence import Diverged
from beat_the_ai.networks.encoder import LEVELS, RoundedEmbedding, RoundedLinear, quantise
from beat_the_ai.networks.weights import not_finite

OPSET = 20  # the first with Gelu

NetworkT = TypeVar("NetworkT", bound=nn.Module)


class FourBits(nn.Module):  # type: ignore[misc]
    """A matrix as two 4-bit integers a byte and a half-precision scale per group; calling it unpacks."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        integers, scale = quantise(weight)
        low, high = (integers + LEVELS + 1).to(torch.uint8).chunk(2, dim=-1)
        self.register_buffer("bytes", low + 16 * high)  # (rows, groups, 16)
        self.register_buffer("scale", scale.half())

    def forward(self) -> Tensor:
        return _from_four_bits(self.bytes, self.scale)


class EightBits(nn.Module):  # type: ignore[misc]
    """A matrix as 8-bit integers and a scale per row; calling it unpacks."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.register_buffer("scale", (weight.abs().amax(dim=-1, keepdim=True) / 127).clamp(min=1e-12))
        self.register_buffer("bytes", (weight / self.scale).round().to(torch.int8))

    def forward(self) -> Tensor:
        return _from_eight_bits(self.bytes, self.scale)


def _from_four_bits(pairs: Tensor, scale: Tensor) -> Tensor:
    both = pairs.float()
    high = torch.floor(both / 16)
    integers = torch.cat([both - 16 * high, high], dim=-1) - (LEVELS + 1)
    return (integers * scale.float()).flatten(-2)


def _from_eight_bits(integers: Tensor, scale: Tensor) -> Tensor:
    return integers.float() * scale


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


def packed(network: NetworkT) -> NetworkT:
    """Return a copy of the network with packed matrices: what will be computed after the export, still in torch.

    Raises `Diverged` for a network whose weights are no numbers.
    """
    network = copy.deepcopy(network).eval()
    for module in list(network.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Linear):
                setattr(module, name, PackedLinear(child))
            elif isinstance(child, nn.Embedding):
                setattr(module, name, PackedEmbedding(child))
    name = not_finite(network.state_dict().items())
    if name is not None:
        raise Diverged(f"{name} is no number")
    return network


def stored_weights(path: Path) -> dict[str, Tensor]:
    """The weights in a file of `write_graph`, unpacked, by the names that they had before the network was `packed`.

    Packing them again gives the same integers. What is no weight of a linear layer or a table stands as it is. Raises
    `AdversaryError` for a file without a network.
    """
    try:
        graph = onnx.load(path, load_external_data=False).graph
    except (OSError, DecodeError) as error:
        raise AdversaryError(f"{path.name} of {path.parent.name!r} is no network: {error}") from error
    stored = {
        initialiser.name: torch.from_numpy(onnx.numpy_helper.to_array(initialiser).copy())
        for initialiser in graph.initializer
    }
    weights = {name: value for name, value in stored.items() if not name.endswith((".bytes", ".scale"))}
    for name in (name.removesuffix(".bytes") for name in stored if name.endswith(".bytes")):
        integers, scale = stored[f"{name}.bytes"], stored[f"{name}.scale"]
        unpacked = _from_four_bits if integers.dtype == torch.uint8 else _from_eight_bits
        weights[name.replace(".packed", ".weight")] = unpacked(integers, scale)
    return weights


def write_graph(
    network: nn.Module,
    arrays: Mapping[str, NDArray[Any]],
    fixed: Mapping[str, Sequence[int]],
    outputs: Sequence[str],
    path: Path,
    translations: Mapping[Any, Any] | None = None,
) -> None:
    """Write a network that takes such arrays by name. All their axes may have any length, but for those in `fixed`.

    `translations` are ONNX operators in the place of torch's own. Needs the packages `onnx` and `onnxscript`.
    """
    dynamic = {
        name: {axis: torch.export.Dim.DYNAMIC for axis in range(array.ndim) if axis not in fixed.get(name, ())}
        for name, array in arrays.items()
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # torch warns of torch
        program = torch.onnx.export(
            network,
            kwargs={name: torch.from_numpy(array) for name, array in arrays.items()},
            input_names=list(arrays),
            output_names=list(outputs),
            dynamic_shapes=dynamic,
            opset_version=OPSET,
            dynamo=True,
            custom_translation_table=dict(translations or {}),
            optimize=False,  # onnxruntime optimises when it loads; here it would store matrices unpacked
            external_data=False,
            verbose=False,
        )
    onnx.save(_without_origins(program.model_proto), path)


def write_like(network: nn.Module, graph: Path, path: Path) -> None:
    """As `write_graph`, for a network whose architecture is that of a file which `write_graph` wrote: in no time."""
    model, weights = onnx.load(graph), network.state_dict()
    for initialiser in model.graph.initializer:
        stored = onnx.numpy_helper.from_array(weights[initialiser.name].numpy(force=True), initialiser.name)
        if (stored.dims, stored.data_type) != (initialiser.dims, initialiser.data_type):
            raise ValueError(f"{graph} has another architecture: {initialiser.name} has the sizes {initialiser.dims}")
        initialiser.CopyFrom(stored)
    onnx.save(model, path)


def _without_origins(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return the model without the stack traces of the code it was traced from.

    They are half as large as the weights, and have the paths of the machine.
    """
    graphs = [model.graph]
    while graphs:
        graph = graphs.pop()
        del graph.value_info[:]
        for part in [*graph.node, *graph.input, *graph.output, *graph.initializer, graph]:
            del part.metadata_props[:]
            part.doc_string = ""
        attributes = [attribute for node in graph.node for attribute in node.attribute]
        graphs += [attribute.g for attribute in attributes if attribute.type == onnx.AttributeProto.GRAPH]
    return model
