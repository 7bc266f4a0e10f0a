"""A GRU as steps over a question's pieces, and its gradient as steps back: torch's own cannot be exported with one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch._higher_order_ops.scan import scan
from torch.nn import functional

Step = Callable[[Tensor, tuple[Tensor, ...]], tuple[Tensor, Tensor]]
"""From what is carried and what is at a place, to what is carried on and what is found there."""


def matrix(layer: nn.Module) -> Tensor:
    """The weights (out, in) of a linear layer, also of one that is packed."""
    weight = layer.weight
    unpacked: Tensor = weight() if isinstance(weight, nn.Module) else weight
    return unpacked


class Gates(NamedTuple):
    """The gates of a step (N, w).

    The fields: what the candidate remembers, what is kept of the old state, the candidate, and what there was to
    remember.
    """

    reset: Tensor
    kept: Tensor
    candidate: Tensor
    remembered: Tensor


class Recurrence(nn.Module):  # type: ignore[misc]
    """One direction of a GRU (Cho et al. 2014), with the gates of `torch.nn.GRU`."""

    def __init__(self, inputs: int, width: int, *, backwards: bool) -> None:
        super().__init__()
        self.from_input = nn.Linear(inputs, 3 * width)
        self.to_hidden = nn.Linear(width, 3 * width)
        self.width, self.backwards = width, backwards

    def forward(self, vectors: Tensor, there: Tensor) -> Tensor:
        """States (N, L, w) of vectors (N, L, i); `there` (N, L) is 0 at padding, where the state is 0."""

        def step(state: Tensor, at: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
            given, present = at
            gates = self._gates(given, state)
            after = present * ((1 - gates.kept) * gates.candidate + gates.kept * state)
            return after, after.clone()

        return self._along(step, (self.from_input(vectors), there.unsqueeze(2)), against=False)

    def gradient(self, vectors: Tensor, by_states: Tensor) -> Tensor:
        """Return the gradient by the vectors (1, L, i) from the gradient by the states (1, L, w)."""
        states = self.forward(vectors, torch.ones_like(vectors[:, :, 0]))
        none = torch.zeros_like(states[:, :1])
        parts = [states[:, 1:], none] if self.backwards else [none, states[:, :-1]]
        before = torch.cat(parts, dim=1)
        gates, hidden = self._gates(self.from_input(vectors), before), matrix(self.to_hidden)

        def step(carried: Tensor, at: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
            by_state, state, reset, kept, candidate, remembered = at
            by_after = carried + by_state
            by_candidate = by_after * (1 - kept) * (1 - candidate**2)
            by_kept = by_after * (state - candidate) * kept * (1 - kept)
            by_reset = by_candidate * remembered * reset * (1 - reset)
            through_hidden = torch.cat([by_reset, by_kept, by_candidate * reset], dim=1)
            by_before = by_after * kept + functional.linear(through_hidden, hidden.T)
            return by_before, torch.cat([by_reset, by_kept, by_candidate], dim=1)

        by_given = self._along(step, (by_states, before, *gates), against=True)
        return functional.linear(by_given, matrix(self.from_input).T)

    def _along(self, step: Step, over: tuple[Tensor, ...], *, against: bool) -> Tensor:
        """(N, L, …) of tensors (N, L, …), in the direction of reading or `against` it, from zeros (N, w)."""
        reverse = self.backwards != against
        carried = over[0].new_zeros(over[0].shape[0], self.width)
        if torch.compiler.is_exporting():
            found = scan(step, carried, tuple(each.transpose(0, 1) for each in over), reverse=reverse)[1]
            return found.transpose(0, 1)
        places = list(zip(*(each.unbind(1) for each in over), strict=True))
        steps = []
        for at in reversed(places) if reverse else places:
            carried, found = step(carried, at)
            steps.append(found)
        return torch.stack(steps[::-1] if reverse else steps, dim=1)

    def _gates(self, given: Tensor, state: Tensor) -> Gates:
        for_reset, for_kept, for_candidate = given.chunk(3, dim=-1)
        of_reset, of_kept, remembered = self.to_hidden(state).chunk(3, dim=-1)
        reset = torch.sigmoid(for_reset + of_reset)
        candidate = torch.tanh(for_candidate + reset * remembered)
        return Gates(reset, torch.sigmoid(for_kept + of_kept), candidate, remembered)
