"""The recurrence c[t] = f[t]·c[t-1] + a[t], the only step of an SRU that must walk through time (Lei et al. 2018, §3).

Both coefficients are known before the walk starts, so it is a linear scan. Training walks it one step after the other
with a hand-written gradient, a multiply-add per step. ONNX has no such operator that is fast: exported networks use the
doubling scheme of Hillis and Steele (1986), which needs log2(T) whole-tensor steps. Both give the same numbers.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class Scan(torch.autograd.Function):  # type: ignore[misc]
    """f, a (T, B, H) -> c (T, B, H), with c[-1] = 0."""

    @staticmethod
    def forward(ctx: Any, forget: Tensor, addend: Tensor) -> Tensor:
        state = addend.clone()
        for step in range(1, len(state)):
            state[step].addcmul_(forget[step], state[step - 1])
        ctx.save_for_backward(forget, state)
        return state

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        forget, state = ctx.saved_tensors
        grad_addend = grad.clone()
        for step in range(len(grad) - 2, -1, -1):
            grad_addend[step].addcmul_(forget[step + 1], grad_addend[step + 1])
        grad_forget = torch.zeros_like(forget)
        torch.mul(grad_addend[1:], state[:-1], out=grad_forget[1:])
        return grad_forget, grad_addend


def scan(forget: Tensor, addend: Tensor) -> Tensor:
    """c for f and a of shape (T, B, H); differentiable."""
    return Scan.apply(forget, addend)


def doubling_scan(forget: Tensor, addend: Tensor, max_steps: int = 512) -> Tensor:
    """The same as `scan` for T <= `max_steps`, in operators that ONNX has."""
    shift = 1
    while shift < max_steps:
        padding = torch.zeros_like(addend[:1]).expand(shift, -1, -1)
        steps = addend.shape[0]
        addend = addend + forget * torch.cat([padding, addend])[:steps]
        forget = forget * torch.cat([padding, forget])[:steps]
        shift *= 2
    return addend
