from __future__ import annotations

import json
from pathlib import Path

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.networks.runs import take_up


def test_a_run_that_learnt_nothing_makes_way_for_another(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    take_up(folder, {"start": "mistyped", "seed": 0})
    take_up(folder, {"start": "corrected", "seed": 0})
    assert json.loads((folder / "settings.json").read_text()) == {"start": "corrected", "seed": 0}


def test_a_run_that_learnt_something_goes_on_alone(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    take_up(folder, {"start": "one", "seed": 0})
    (folder / "last.pt").write_bytes(b"weights")
    take_up(folder, {"start": "one", "seed": 0})
    with pytest.raises(InvalidInput, match=r'holds another run, which differs in start \("one", now "other"\)\.'):
        take_up(folder, {"start": "other", "seed": 0})
