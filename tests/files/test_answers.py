"""Files of answers by id."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.files import records
from beat_the_ai.files.answers import read_answers
from beat_the_ai.files.json_text import json_values


def test_a_file_of_answers_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = list[str]()

    def noted(text: str) -> Iterator[tuple[int, Any]]:
        parsed.append(text)
        return json_values(text)

    monkeypatch.setattr(records, "json_values", noted)
    path = tmp_path / "p.jsonl"
    path.write_text('{"id": "q0", "prediction": "e"}\n{"id": "q1"}\n', encoding="utf-8")
    assert read_answers(path, "predictions") == {"q0": {"prediction": "e"}}
    assert parsed == [path.read_text("utf-8")]
