"""Models of OpenVINO in 8-bit integers: post-training quantisation by NNCF, with scales from unlabelled examples.

Weights get a scale a row, activations one each, and outliers move from activations into weights first (SmoothQuant,
Xiao et al. 2023), as NNCF does for transformers. Layer norms, softmax and the embeddings stay in floating point.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

import nncf
import numpy as np
import openvino

from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.errors import InvalidInput
from beat_the_ai.networks.huggingface import OTHER_FILES, Inputs, Pretrained, hash_of
from beat_the_ai.networks.loading import folder_of
from beat_the_ai.networks.openvino_network import MODEL_FILE, OpenvinoNetwork

ModelT = TypeVar("ModelT", bound="OfTransformers")


class OfTransformers(Protocol):
    """An adversary that a model of transformers answers for, of any kind of task."""

    pretrained: Pretrained

    def rows(self, queries: Sequence[Any]) -> list[Inputs]:
        """Return the model's inputs for these queries."""

    def over(self: ModelT, pretrained: Pretrained) -> ModelT:
        """The same with another model."""


def quantised(adversary: ModelT, queries: Sequence[Any]) -> ModelT:
    """In int8, with scales from what it reads of the queries. It has no hash before it is written."""
    pretrained = adversary.pretrained
    network: OpenvinoNetwork = pretrained.model
    rows = adversary.rows(queries)
    examples = [{name: np.array([row[name]]) for name in row} for row in rows]
    graph = nncf.quantize(
        network.graph, nncf.Dataset(examples), model_type=nncf.ModelType.TRANSFORMER, subset_size=len(examples)
    )
    int8 = OpenvinoNetwork(graph, network.config, network.options)
    return adversary.over(replace(pretrained, identity=replace(pretrained.identity, precision="int8"), model=int8))


def write(adversary: OfTransformers, source: str, folder: Path, name: str) -> ModelIdentity:
    """The model, and what else of its source's folder it needs, into a new folder."""
    folder.mkdir(parents=True)
    for path in sorted({path for pattern in OTHER_FILES for path in folder_of(source).glob(pattern)}):
        shutil.copyfile(path, folder / path.name)
    openvino.save_model(adversary.pretrained.model.graph, folder / MODEL_FILE, compress_to_fp16=False)
    return replace(adversary.pretrained.identity, name=name, hash=hash_of(folder))


def check_is_new(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InvalidInput("OUT", f"{out} is there already. Name a folder that is new, or empty.")
