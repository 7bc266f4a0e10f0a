from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")

from beat_the_ai.kinds.nli.cross_encoder.features import MAX_PIECES, batch, encode  # noqa: E402
from beat_the_ai.kinds.nli.cross_encoder.network import Network  # noqa: E402
from beat_the_ai.networks.encoder import EncoderConfig, NetworkConfig, rounded  # noqa: E402
from beat_the_ai.networks.text import Vocabulary  # noqa: E402

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "cat", "sat", "on", "mat", "dog", "ran", "."]
VOCABULARY = Vocabulary(PIECES)
SIZES = EncoderConfig(len(PIECES), table_width=32, width=32, hidden=64, heads=2, layers=1, positions=MAX_PIECES)
PAIRS = [
    ("The cat sat on the mat. The dog ran.", "The dog ran on the mat."),
    ("", "A dog sat."),
    ("The cat ran.", ""),
]


def tiny() -> Any:
    torch.manual_seed(0)
    network = Network(NetworkConfig(SIZES, width=16))
    with torch.no_grad():
        network.encoder.table.weight.copy_(rounded(torch.randn(len(PIECES), 32)))
    return network.eval()


def inputs(*pairs: tuple[str, str]) -> dict[str, Any]:
    first, second = ([encode(pair[side], VOCABULARY) for pair in pairs] for side in (0, 1))
    return {name: torch.from_numpy(array) for name, array in batch(first, second, VOCABULARY).items()}


def test_a_pair_gets_the_same_logits_alone_and_in_a_padded_batch() -> None:
    network = tiny()
    with torch.inference_mode():
        together = network(**inputs(*PAIRS))
        for row, pair in enumerate(PAIRS):
            torch.testing.assert_close(together[row], network(**inputs(pair))[0], atol=1e-5, rtol=1e-5)


def test_a_few_pairs_are_learnt_by_heart() -> None:
    network = tiny().train()
    optimiser = torch.optim.AdamW([p for p in network.parameters() if p.requires_grad], lr=1e-2)
    arrays, labels = inputs(*PAIRS), torch.tensor([2, 1, 0])
    for _ in range(60):
        loss = torch.nn.functional.cross_entropy(network(**arrays), labels)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert loss.item() < 0.2
    with torch.inference_mode():
        assert network.eval()(**arrays).argmax(dim=-1).equal(labels)


def test_every_weight_that_is_trained_gets_a_gradient() -> None:
    network = tiny().train()
    network(**inputs(*PAIRS)).square().sum().backward()
    for name, parameter in network.named_parameters():
        if parameter.requires_grad and not name.endswith("key.bias"):  # a softmax does not feel what shifts all scores
            assert parameter.grad is not None, name
            assert parameter.grad.abs().max() > 0, name
