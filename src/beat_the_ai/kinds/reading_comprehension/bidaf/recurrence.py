"""The recurrence c[t] = f[t]·c[t-1] + a[t], the only step of an SRU that must walk through time (Lei et al. 2018, §3).

Both coefficients are known before the walk starts, so it is a linear scan: a multiply-add per step, with a gradient
that is the same walk backward. It is an operator of its own, because exported networks compute it by another scheme
(`export.py`) that takes few large steps instead of many small ones.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


@torch.library.custom_op("beat_the_ai::scan", mutates_args=())  # type: ignore[untyped-decorator]
def scan(forget: Tensor, addend: Tensor) -> Tensor:
    """f and a, (T, B, H) -> c (T, B, H), with c[-1] = 0; differentiable."""
    state = addend.clone(memory_format=torch.contiguous_format)
    for step in range(1, len(state)):
        state[step].addcmul_(forget[step], state[step - 1])
    return state


@scan.register_fake  # type: ignore[untyped-decorator]
def _(forget: Tensor, addend: Tensor) -> Tensor:
    return torch.empty_like(addend, memory_format=torch.contiguous_format)


def _remember(ctx: Any, inputs: tuple[Tensor, Tensor], output: Tensor) -> None:
    ctx.save_for_backward(inputs[0], output)


def _gradient(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
    forget, state = ctx.saved_tensors
    grad_addend = grad.clone(memory_format=torch.contiguous_format)
    for step in range(len(grad) - 2, -1, -1):
        grad_addend[step].addcmul_(forget[step + 1], grad_addend[step + 1])
    grad_forget = torch.zeros_like(forget)
    torch.mul(grad_addend[1:], state[:-1], out=grad_forget[1:])
    return grad_forget, grad_addend


scan.register_autograd(_gradient, setup_context=_remember)
