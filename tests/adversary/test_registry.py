from __future__ import annotations

import subprocess
import sys

import pytest

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import BACKENDS, open_adversary, parse_spec
from beat_the_ai.errors import AdversaryError, InvalidInput, UnknownName


def test_an_unknown_backend_lists_those_there_are_and_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"Available: bidaf, huggingface, onnx\. Did you mean 'onnx'\?"):
        open_adversary("onx:bidaf-small", LoadOptions())


@pytest.mark.parametrize("spec", ["", "onnx", "onnx:", ":bidaf-small"])
def test_a_spec_that_names_no_model_is_refused_with_an_example(spec: str) -> None:
    with pytest.raises(InvalidInput, match="onnx:bidaf-small"):
        open_adversary(spec, LoadOptions())


def test_the_source_and_the_options_reach_the_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "fake", "tests.adversary.fakes:load")
    adversary = open_adversary("fake:ready", LoadOptions())
    assert adversary.identity.name == "fake"


def test_a_source_may_hold_colons() -> None:
    assert parse_spec("onnx:C:/models/bidaf") == ("onnx", "C:/models/bidaf")


def test_a_missing_package_is_answered_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "heavy", "torch.does_not_exist:load")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(AdversaryError, match=r"needs torch, .*make gpu"):
        open_adversary("heavy:model", LoadOptions())


def test_a_fault_of_our_own_is_not_taken_for_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "broken", "beat_the_ai.adversary.backends.no_such_module:load")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        open_adversary("broken:model", LoadOptions())


def test_importing_the_serving_side_imports_neither_torch_nor_transformers() -> None:
    code = "import sys, beat_the_ai.adversary.server; print({'torch', 'transformers'} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
