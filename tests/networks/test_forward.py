"""A model on any number of inputs: in order, by length, and within a memory that does not hold them all."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'gpu' is not installed")

from tokenizers import Tokenizer, models  # noqa: E402

from beat_the_ai.adversary.protocol import ModelIdentity  # noqa: E402
from beat_the_ai.errors import AdversaryError  # noqa: E402
from beat_the_ai.networks.huggingface import Forward, Pretrained  # noqa: E402

PADDING = 0


class Device:
    """Stands in for a network on a GPU: its memory holds so many tokens of a batch. It doubles what it reads."""

    device = "cpu"

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens
        self.shapes: list[tuple[int, int]] = []

    def __call__(self, input_ids: Any, **_: Any) -> types.SimpleNamespace:
        rows, length = input_ids.shape
        self.shapes.append((rows, length))
        if rows * length > self.tokens:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return types.SimpleNamespace(doubled=2.0 * input_ids, rows=input_ids[:, 0])


def forward(device: Device, rows_per_batch: int = 32) -> Forward:
    tokens = Tokenizer(models.WordLevel({"[PAD]": PADDING, "a": 1}, unk_token="a"))
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=tokens, pad_token="[PAD]")
    identity = ModelIdentity("device", "any", "0" * 64, "fp32")
    return Forward(Pretrained(identity, device, tokenizer, rows_per_batch), ("doubled", "rows"))


def rows(lengths: Sequence[int]) -> list[dict[str, list[int]]]:
    return [{"input_ids": [number + 1] * length} for number, length in enumerate(lengths)]


def check(found: Sequence[tuple[Any, ...]], lengths: Sequence[int]) -> None:
    for number, (length, (doubled, row)) in enumerate(zip(lengths, found, strict=True)):
        assert doubled[:length].tolist() == [2.0 * (number + 1)] * length
        assert row == number + 1


def test_rows_are_batched_by_length_and_come_back_in_order() -> None:
    device, lengths = Device(tokens=10_000), [9, 1, 5, 1, 9, 2]
    check(forward(device, rows_per_batch=3)(rows(lengths)), lengths)
    assert device.shapes == [(3, 2), (3, 9)]


def test_a_batch_that_the_memory_does_not_hold_is_halved_and_later_ones_stay_small() -> None:
    device, lengths = Device(tokens=20), [4] * 16
    run = forward(device, rows_per_batch=16)
    check(run(rows(lengths)), lengths)
    assert device.shapes == [(16, 4), (8, 4), (4, 4), (4, 4), (4, 4), (4, 4)]
    device.shapes.clear()
    check(run(rows([4] * 8)), [4] * 8)
    assert device.shapes == [(4, 4), (4, 4)]


def test_a_row_that_does_not_fit_alone_is_an_error_and_others_are_answered_after_it() -> None:
    device = Device(tokens=20)
    run = forward(device)
    with pytest.raises(AdversaryError, match="does not fit into the memory"):
        run(rows([21]))
    check(run(rows([20, 3])), [20, 3])


def test_nothing_gives_nothing() -> None:
    assert forward(Device(tokens=1))([]) == []


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_number_is_no_answer(value: float) -> None:
    class Broken(Device):
        def __call__(self, input_ids: Any, **_: Any) -> types.SimpleNamespace:
            return types.SimpleNamespace(doubled=value * input_ids, rows=input_ids[:, 0])

    with pytest.raises(AdversaryError, match="computes no numbers"):
        forward(Broken(tokens=100))(rows([2, 1]))
