"""Whether a model in int8 may be used: by how much worse it may be, and only as it was measured."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.errors import AdversaryError
from beat_the_ai.networks.int8_gate import REPORT_FILE, Comparison, Passed, check_passed, compare

IDENTITY = ModelIdentity("roberta-int8", "nli", "a" * 64, "int8")


def comparison(lost: int, won: int = 0, total: int = 1000) -> Comparison:
    """Int8 is wrong about so many of those that fp32 gets right, half of all, and right about so many others."""
    names = [str(number) for number in range(total)]
    right = {name: float(number < total // 2) for number, name in enumerate(names)}
    int8 = {**right, **dict.fromkeys(names[:lost], 0.0), **dict.fromkeys(names[total - won :], 1.0)}
    return compare((dict(right), {"accuracy": right}), (dict(int8), {"accuracy": int8}))


def test_the_drop_is_that_of_pairs_with_its_interval() -> None:
    found = comparison(lost=20, won=10)
    change = found.figures["accuracy"]
    assert (change.fp32, change.int8, change.drop) == pytest.approx((50, 49, 1))
    # The mean of 20 times 1, 10 times -1 and 970 times 0 has a standard error of 0.547 points.
    assert (change.low, change.high) == pytest.approx((1 - 1.96 * 0.547, 1 + 1.96 * 0.547), abs=0.2)
    assert found.agreement == 0.97
    assert found.agreement_low < 0.97 < found.agreement_high
    assert found.questions == 1000


def test_models_that_answer_alike_pass_whatever_the_limit() -> None:
    comparison(lost=0).check(max_drop=0)


def test_the_upper_end_of_the_interval_decides() -> None:
    found = comparison(lost=20, won=10)
    found.check(max_drop=2.5)
    with pytest.raises(AdversaryError, match=r"accuracy may be 2\.\d+ points lower, and at most 1\.5 are allowed"):
        found.check(max_drop=1.5)
    few = comparison(lost=1, total=20)
    with pytest.raises(AdversaryError, match="Check with more questions"):
        few.check(max_drop=6)


def test_the_worst_figure_decides() -> None:
    marks = {str(number): 1.0 for number in range(100)}
    worse = {**marks, "0": 0.0, "1": 0.0, "2": 0.0}
    found = compare((marks, {"exact match": marks, "F1": marks}), (worse, {"exact match": worse, "F1": marks}))
    with pytest.raises(AdversaryError, match="exact match may be"):
        found.check(max_drop=2)


def test_only_the_files_that_have_passed_are_let_in(tmp_path: Path) -> None:
    with pytest.raises(AdversaryError, match=r"is in int8, and no quantisation\.json .*adversary quantise"):
        check_passed(tmp_path, IDENTITY)
    source = replace(IDENTITY, name="roberta", precision="fp32")
    Passed(IDENTITY, source, "b" * 64, 1.0, comparison(lost=3)).write(tmp_path)
    check_passed(tmp_path, IDENTITY)
    written = json.loads((tmp_path / REPORT_FILE).read_text())
    assert written["comparison"]["figures"]["accuracy"]["drop"] == pytest.approx(0.3)
    with pytest.raises(AdversaryError, match="are not those"):
        check_passed(tmp_path, replace(IDENTITY, hash="c" * 64))
    with pytest.raises(AdversaryError, match="as a model of nli"):
        check_passed(tmp_path, replace(IDENTITY, task="reading_comprehension"))


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": 1, "model": null}', "\x00"])
def test_a_report_that_is_none_lets_nothing_in(tmp_path: Path, content: str) -> None:
    (tmp_path / REPORT_FILE).write_text(content)
    with pytest.raises(AdversaryError, match="adversary quantise"):
        check_passed(tmp_path, IDENTITY)
