"""The words on which a transformer relied: gradient × input (Shrikumar et al. 2017), by one backward pass.

A token's weight is the scalar product of its embedding and the gradient of the output with respect to it. A word's is
the sum over its tokens. Weights of parameters are frozen, so that the backward pass costs about as much as the forward
pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from beat_the_ai.adversary.protocol import Explanation, WordWeight
from beat_the_ai.networks.huggingface import Inputs
from beat_the_ai.networks.text import words

METHOD = "gradient × input"


@dataclass(frozen=True)
class Traced:
    """A forward pass that can be gone back: what the head says of one row, and the row's embeddings (1, L, d)."""

    output: Any
    embedded: torch.Tensor

    def token_weights(self, said: torch.Tensor) -> NDArray[np.float64]:
        """Return the weight of each token (L,), for a number that was computed from the output."""
        [gradient] = torch.autograd.grad(said, self.embedded)
        weights = (gradient.double() * self.embedded.detach().double()).sum(dim=-1)[0]
        return np.asarray(weights.cpu().numpy())


def trace(model: Any, row: Inputs) -> Traced:
    """Run a model of torch on one row."""
    inputs = {name: torch.tensor([values], device=model.device) for name, values in row.items()}
    with torch.no_grad():
        embedded = model.get_input_embeddings()(inputs.pop("input_ids"))
    embedded.requires_grad_()
    return Traced(model(inputs_embeds=embedded, **inputs), embedded)


def explanation(
    fields: Mapping[str, str], parts: Sequence[int | None], offsets: NDArray[np.int64], weights: NDArray[np.float64]
) -> Explanation:
    """Return the explanation of fields, by their names in the order in which the model reads them.

    `parts` gives the number of the field of each token (None: of none), `offsets` (L, 2) the token's place in it.
    """
    found = {}
    for number, (name, text) in enumerate(fields.items()):
        of_field = np.array([part == number for part in parts], dtype=bool)
        found[name] = _word_weights(text, offsets[of_field], weights[of_field])
    total = sum(abs(each.weight) for each_field in found.values() for each in each_field) or 1.0
    scaled = {
        name: [WordWeight(start=each.start, end=each.end, weight=each.weight / total) for each in of_field]
        for name, of_field in found.items()
    }
    return Explanation(method=METHOD, fields=scaled)


def _word_weights(text: str, offsets: NDArray[np.int64], weights: NDArray[np.float64]) -> list[WordWeight]:
    """A token counts for the word in which its last character stands: some begin with the space before a word."""
    sums = np.zeros(len(text))
    for (_, end), weight in zip(offsets, weights, strict=True):
        if end > 0:
            sums[end - 1] += weight
    return [
        WordWeight(start=word.start, end=word.end, weight=float(sums[word.start : word.end].sum()))
        for word in words(text)
    ]
