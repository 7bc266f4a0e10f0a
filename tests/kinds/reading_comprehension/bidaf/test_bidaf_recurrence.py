from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")

from beat_the_ai.kinds.reading_comprehension.bidaf.recurrence import scan  # noqa: E402


def coefficients(steps: int) -> tuple[Any, Any]:
    generator = torch.Generator().manual_seed(steps)
    forget = torch.rand(steps, 3, 4, generator=generator, dtype=torch.float64)
    addend = torch.randn(steps, 3, 4, generator=generator, dtype=torch.float64)
    return forget.requires_grad_(), addend.requires_grad_()


@pytest.mark.parametrize("steps", [1, 2, 7, 64])
def test_the_scan_and_its_gradient_are_those_of_the_formula(steps: int) -> None:
    forget, addend = coefficients(steps)
    states = [addend[0]]
    for step in range(1, steps):
        states.append(forget[step] * states[-1] + addend[step])
    expected = torch.stack(states)
    torch.testing.assert_close(scan(forget, addend), expected)
    weight = torch.randn_like(expected)
    wanted = torch.autograd.grad((expected * weight).sum(), (forget, addend), materialize_grads=True)
    torch.testing.assert_close(torch.autograd.grad((scan(forget, addend) * weight).sum(), (forget, addend)), wanted)


def test_the_gradient_is_that_of_finite_differences() -> None:
    assert torch.autograd.gradcheck(scan, coefficients(6))
