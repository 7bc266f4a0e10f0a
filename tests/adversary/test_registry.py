from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import (
    BACKENDS,
    READING,
    check_serves,
    load_by,
    open_adversary,
    open_streams,
    parse_spec,
)
from beat_the_ai.errors import AdversaryError, InvalidInput, UnknownName

ELSEWHERE = f"{Path(__file__).parents[1] / 'kinds' / 'labels.py'}"


def test_an_unknown_backend_lists_those_there_are_and_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"openai, opensearch, openvino, tantivy\. Did you mean 'onnx'\?"):
        open_adversary("onx:bidaf-small", READING, LoadOptions())


@pytest.mark.parametrize("spec", ["", "onnx", "onnx:", ":bidaf-small"])
def test_a_spec_that_names_no_model_is_refused_with_an_example(spec: str) -> None:
    with pytest.raises(InvalidInput, match="onnx:bidaf-small"):
        open_adversary(spec, READING, LoadOptions())


def test_the_source_and_the_options_reach_the_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "fake", {READING: partial(load_by, "tests.adversary.fakes")})
    adversary = open_adversary("fake:ready", READING, LoadOptions())
    assert adversary.identity.name == "fake"


def test_streams_share_the_weights_of_a_model_that_can_and_load_any_other_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(BACKENDS, "fake", {READING: partial(load_by, "tests.adversary.fakes")})
    fakes = open_streams("fake:ready", READING, LoadOptions(streams=3))
    assert len({id(fake) for fake in fakes}) == 3
    models = open_streams("onnx:bidaf-small", READING, LoadOptions(streams=3))
    assert len(models) == 3
    assert len({id(vars(model)["reader"]) for model in models}) == 1


def test_a_source_may_hold_colons() -> None:
    assert parse_spec("onnx:C:/models/bidaf") == ("onnx", "C:/models/bidaf")
    assert parse_spec("my_kind.py:BACKEND:http://h:8000/v1#m:8b") == ("my_kind.py:BACKEND", "http://h:8000/v1#m:8b")


def test_a_missing_package_is_answered_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "heavy", {READING: partial(load_by, "torch.does_not_exist")})
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(AdversaryError, match=r"needs torch, .*make gpu"):
        open_adversary("heavy:model", READING, LoadOptions())


def test_a_fault_of_our_own_is_not_taken_for_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "broken", {READING: partial(load_by, "beat_the_ai.adversary.no_such_module")})
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        open_adversary("broken:model", READING, LoadOptions())


def test_a_model_that_lies_elsewhere_is_named_by_its_place() -> None:
    identity = open_adversary(f"{ELSEWHERE}:BACKEND:neutral", "labels", LoadOptions()).identity
    assert (identity.name, identity.task) == ("neutral", "labels")
    with pytest.raises(InvalidInput, match="is no Backend"):
        open_adversary(f"{ELSEWHERE}:LABELS:neutral", READING, LoadOptions())
    with pytest.raises(InvalidInput, match=r"There is no /nowhere\.py"):
        open_adversary("/nowhere.py:BACKEND:neutral", READING, LoadOptions())


def test_a_model_of_another_kind_of_task_is_refused_before_anything_is_loaded() -> None:
    check_serves("huggingface:any/model", "reading_comprehension")
    check_serves(f"{ELSEWHERE}:BACKEND:neutral", "labels")
    check_serves("onnx:bidaf-small", "reading_comprehension")
    check_serves("onnx:a/folder", "nli")
    for spec, kind in (
        ("onnx:bidaf-small", "labels"),
        ("onnx:bidaf-small", "nli"),
        ("bidaf:best.pt", "nli"),
        (f"{ELSEWHERE}:BACKEND:x", "reading_comprehension"),
    ):
        with pytest.raises(InvalidInput, match=f"the task is {kind}"):
            check_serves(spec, kind)


@pytest.mark.parametrize("kind", ["reading_comprehension", "nli", "quizbowl"])
def test_neither_model_server_nor_kind_imports_what_only_a_campaign_needs(kind: str) -> None:
    others = {"torch", "transformers", "sqlalchemy", "mephisto", "boto3"}
    modules = f"beat_the_ai.adversary.server, beat_the_ai.kinds.{kind}.kind"
    code = f"import sys, {modules}; print({others} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
