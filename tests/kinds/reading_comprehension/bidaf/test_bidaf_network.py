from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")

from beat_the_ai.kinds.reading_comprehension.bidaf.features import batch, encode  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.bidaf.network import Network  # noqa: E402
from beat_the_ai.networks.encoder import EncoderConfig, NetworkConfig, quantise, rounded  # noqa: E402
from beat_the_ai.networks.text import Vocabulary  # noqa: E402

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "cat", "sat", "on", "mat", "who", "where", "dog", "ran", "."]
VOCABULARY = Vocabulary(PIECES)
TINY = NetworkConfig(EncoderConfig(len(PIECES), table_width=32, width=32, hidden=64, heads=2, layers=1), width=16)
PASSAGES = [encode(text, VOCABULARY) for text in ("The cat sat on the mat. The dog ran.", "A dog sat.")]
QUESTIONS = [encode(text, VOCABULARY) for text in ("Who sat on the mat?", "Where?", "Who ran?")]
OWNER = [0, 1, 0]


def tiny(seed: int = 0) -> Any:
    torch.manual_seed(seed)
    network = Network(TINY)
    with torch.no_grad():
        network.encoder.table.weight.copy_(rounded(torch.randn(len(PIECES), 32)))
    return network.eval()


def inputs(passages: Any, questions: Any, owner: list[int]) -> dict[str, Any]:
    return {name: torch.from_numpy(array) for name, array in batch(passages, questions, owner).items()}


def test_a_question_gets_the_same_logits_alone_and_in_a_padded_batch() -> None:
    network = tiny()
    with torch.inference_mode():
        together = network(**inputs(PASSAGES, QUESTIONS, OWNER))
        for row, passage in enumerate(OWNER):
            alone = network(**inputs([PASSAGES[passage]], [QUESTIONS[row]], [0]))
            length = len(PASSAGES[passage].words)
            for logits, expected in zip(together, alone, strict=True):
                torch.testing.assert_close(logits[row, :length], expected[0], atol=1e-5, rtol=1e-5)
                assert (logits[row, length:] < -1e3).all()


def test_a_few_questions_are_learnt_by_heart() -> None:
    network = tiny().train()
    optimiser = torch.optim.AdamW([p for p in network.parameters() if p.requires_grad], lr=1e-2)
    arrays = inputs(PASSAGES, QUESTIONS, OWNER)
    first, last = torch.tensor([0, 2, 7]), torch.tensor([1, 2, 8])
    losses = []
    for _ in range(60):
        start, end = network(**arrays)
        loss = torch.nn.functional.cross_entropy(start, first) + torch.nn.functional.cross_entropy(end, last)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.2 * losses[0]
    with torch.inference_mode():
        start, end = network.eval()(**arrays)
    assert start.argmax(dim=-1).equal(first)
    assert end.argmax(dim=-1).equal(last)


# They shift all scores of a softmax alike, which it does not feel: their gradient is zero but for rounding.
SHIFTS = ("key.bias", "similar_passage.bias", "similar_question.bias", "summarise.bias")


def test_every_weight_that_is_trained_gets_a_gradient() -> None:
    network = tiny().train()
    start, end = network(**inputs(PASSAGES, QUESTIONS, OWNER))
    (start[:, :3] * torch.tensor([1.0, 2.0, 3.0])).sum().add(end[:, :3].square().sum()).backward()
    for name, parameter in network.named_parameters():
        if parameter.requires_grad and not name.endswith(SHIFTS):
            assert parameter.grad is not None, name
            assert parameter.grad.abs().max() > 0, name


def test_rounding_twice_changes_nothing_more() -> None:
    weight = torch.randn(8, 64, generator=torch.Generator().manual_seed(1))
    once = rounded(weight)
    integers, scale = quantise(once)
    torch.testing.assert_close((integers * scale).flatten(-2), once, atol=1e-6, rtol=1e-5)
    assert (once - weight).abs().max() <= (scale.max() / 2) * 1.01


@pytest.mark.parametrize("size", [0.0, 1e-12, 1e-8, 1e-7])
def test_weights_too_small_for_half_precision_are_rounded_to_almost_nothing(size: float) -> None:
    assert rounded(torch.full((2, 64), size)).abs().max() <= 2 * size
