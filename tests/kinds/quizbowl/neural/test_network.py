"""The guessers' networks: a GRU that is torch's, and gradients that are autograd's."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")

from beat_the_ai.kinds.quizbowl.neural.features import PAD  # noqa: E402
from beat_the_ai.kinds.quizbowl.neural.network import Network, NetworkConfig, Saliency  # noqa: E402
from beat_the_ai.kinds.quizbowl.neural.recurrence import Recurrence  # noqa: E402

PIECES, PAGES = 50, 7


@pytest.fixture(params=["dan", "gru"])
def network(request: pytest.FixtureRequest) -> Network:
    torch.manual_seed(0)
    found = Network(NetworkConfig(request.param, PIECES, PAGES, width=16, table_width=32))
    found.eval()
    with torch.no_grad():
        found.words.table.weight.copy_(torch.randn(PIECES, 32))
        found.words.loudness.copy_(torch.randn(PIECES))
    return found


@pytest.mark.parametrize("backwards", [False, True])
def test_states_are_those_of_torchs_own_gru(backwards: bool) -> None:
    torch.manual_seed(0)
    ours, theirs = Recurrence(8, 6, backwards=backwards), torch.nn.GRU(8, 6, batch_first=True)
    with torch.no_grad():
        theirs.weight_ih_l0.copy_(ours.from_input.weight)
        theirs.bias_ih_l0.copy_(ours.from_input.bias)
        theirs.weight_hh_l0.copy_(ours.to_hidden.weight)
        theirs.bias_hh_l0.copy_(ours.to_hidden.bias)
    vectors = torch.randn(2, 5, 8)
    expected = theirs(vectors.flip(1))[0].flip(1) if backwards else theirs(vectors)[0]
    torch.testing.assert_close(ours(vectors, torch.ones(2, 5)), expected)


def test_saliency_is_gradient_times_embedding(network: Network) -> None:
    pieces, page = torch.randint(1, PIECES, (1, 9)), 3
    _, vectors, weights = network(pieces)
    vectors = vectors.detach().requires_grad_()
    logits = network.guess(network.reading(vectors, weights.detach(), pieces))
    [gradient] = torch.autograd.grad(logits[0, page], vectors)
    found = Saliency(network)(vectors, weights, torch.tensor([page]))
    torch.testing.assert_close(found, (gradient * vectors).sum(dim=2), rtol=1e-4, atol=1e-6)


def test_padding_changes_nothing(network: Network) -> None:
    pieces = torch.randint(1, PIECES, (1, 9))
    padded = torch.cat([pieces, torch.full((1, 4), PAD)], dim=1)
    torch.testing.assert_close(network(padded).logits, network(pieces).logits, rtol=1e-4, atol=1e-5)


def test_its_sizes_can_be_read_off_its_weights(network: Network) -> None:
    config = NetworkConfig.of_weights(network.state_dict())
    assert config == network.config
