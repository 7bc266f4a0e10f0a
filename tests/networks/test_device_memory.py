from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")

from beat_the_ai.errors import AdversaryError  # noqa: E402
from beat_the_ai.networks.device_memory import GIB, WORKING_BYTES, DeviceMemory, check_fits, weight_bytes  # noqa: E402


def test_a_model_that_fits_is_let_in() -> None:
    DeviceMemory(taken=0, free=2 * GIB).check_fits("roberta", 2 * GIB - WORKING_BYTES)
    DeviceMemory(taken=GIB, free=20 * GIB, budget=3 * GIB).check_fits("roberta", 2 * GIB - WORKING_BYTES)


def test_one_that_the_device_has_no_room_for_is_refused_with_the_figures() -> None:
    with pytest.raises(AdversaryError, match=r"'roberta' needs 1\.90 GiB .* 2\.00 GiB are left beside 1\.00 GiB"):
        DeviceMemory(taken=GIB, free=2 * GIB).check_fits("roberta", int(1.9 * GIB))


def test_the_budget_counts_where_it_is_less_than_what_is_free() -> None:
    with pytest.raises(AdversaryError, match=r"0\.50 GiB of the 1\.50 GiB in adversary\.memory_gib are left"):
        DeviceMemory(taken=GIB, free=20 * GIB, budget=int(1.5 * GIB)).check_fits("roberta", GIB)
    with pytest.raises(AdversaryError, match=r"0\.00 GiB"):
        DeviceMemory(taken=2 * GIB, free=20 * GIB, budget=GIB).check_fits("roberta", 1)


def test_a_network_weighs_what_its_parameters_and_buffers_do() -> None:
    network = torch.nn.BatchNorm1d(10)  # weight and bias, running mean and variance of 10; one count of 64 bits
    assert weight_bytes(network) == 4 * 10 * 4 + 8
    assert weight_bytes(network.to(torch.bfloat16)) == 4 * 10 * 2 + 8


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device here")
def test_without_a_gpu_none_can_be_used() -> None:
    with pytest.raises(AdversaryError, match=r"no GPU that torch can use here\. Allowed: cpu"):
        check_fits("roberta", torch.nn.Linear(1, 1), None)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device here")
def test_models_share_the_budget_of_a_gpu() -> None:
    large = torch.nn.Linear(8 * 1024, 8 * 1024)  # 0.25 GiB
    check_fits("first", large, 0.6)
    held = large.to("cuda")
    with pytest.raises(AdversaryError, match="'second' needs"):
        check_fits("second", torch.nn.Linear(8 * 1024, 8 * 1024), 0.6)
    assert held.weight.is_cuda
    torch.cuda.set_per_process_memory_fraction(1.0)
