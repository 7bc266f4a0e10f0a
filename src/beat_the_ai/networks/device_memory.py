"""A GPU's memory, which the models of a process share: whether one more fits is known before it is moved there.

What is left beside the weights is for batches. One that turns out too large is halved (`huggingface.Forward`).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from beat_the_ai.errors import AdversaryError, InvalidInput

GIB = 2**30
WORKING_BYTES = GIB // 4  # what the smallest batches of a base-sized model need, with the device's own libraries


@dataclass(frozen=True)
class DeviceMemory:
    """In bytes: what this process's models have, what is free, and how much the process may have in all."""

    taken: int
    free: int
    budget: int | None = None

    @property
    def room(self) -> int:
        left = self.free if self.budget is None else min(self.free, self.budget - self.taken)
        return max(0, left)

    def check_fits(self, name: str, weights: int) -> None:
        """Raises `AdversaryError` with the figures."""
        if weights + WORKING_BYTES <= self.room:
            return
        budget = "" if self.budget is None else f" of the {self.budget / GIB:.2f} GiB in adversary.memory_gib"
        raise AdversaryError(
            f"The model {name!r} needs {weights / GIB:.2f} GiB of the GPU's memory for its weights and "
            f"{WORKING_BYTES / GIB:.2f} GiB to work with; {self.room / GIB:.2f} GiB{budget} are left beside "
            f"{self.taken / GIB:.2f} GiB of models that are there already. Serve fewer or smaller ones, or in bf16."
        )


def check_trains_on(device: str) -> None:
    """Raise `InvalidInput` for a GPU that is not there."""
    if device == "cuda" and not torch.cuda.is_available():
        raise InvalidInput("device", "cuda was given, and there is no GPU that torch can use. Allowed here: cpu.")


def check_fits(name: str, network: torch.nn.Module, budget_gib: float | None) -> None:
    """Before a network moves to the GPU. With a budget, torch keeps the whole process within it from now on.

    Raises `AdversaryError`, also where there is no GPU.
    """
    if not torch.cuda.is_available():
        raise AdversaryError("device=cuda was given, and there is no GPU that torch can use here. Allowed: cpu.")
    free, total = torch.cuda.mem_get_info()
    budget = None if budget_gib is None else int(budget_gib * GIB)
    if budget is not None:
        torch.cuda.set_per_process_memory_fraction(min(1.0, budget / total))
    DeviceMemory(torch.cuda.memory_allocated(), free, budget).check_fits(name, weight_bytes(network))


def weight_bytes(network: torch.nn.Module) -> int:
    tensors = [*network.parameters(), *network.buffers()]
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)
