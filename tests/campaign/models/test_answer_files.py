"""Models' answers from files of both commands, put together by the models' names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from beat_the_ai.campaign.models.answer_files import read_answer_files
from beat_the_ai.errors import InvalidInput


def rescored(path: Path, **answers: str) -> Path:
    """As `rescore` writes them."""
    model = {"name": "gru", "task": "quizbowl", "hash": "ab" * 32, "precision": "fp32"}
    lines = [
        {"id": name, "fooled": False, "scores": {}, "prediction": {"page": page}} for name, page in answers.items()
    ]
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in [{"model": model, "of": "quiz"}, *lines]), "utf-8")
    return path


def test_files_and_folders_of_both_commands_are_read(tmp_path: Path) -> None:
    one = rescored(tmp_path / "one" / "gru.jsonl", a="Loom")
    rescored(tmp_path / "other" / "gru.jsonl", b="Kiln", a="Desert")
    said = tmp_path / "dan.json"
    said.write_text(json.dumps({"a": [[1, "Kiln"]]}), "utf-8")
    gru, dan, named = read_answer_files([str(one), str(tmp_path / "other"), str(said), f"mine={said}"])
    assert (gru.model, gru.label, gru.answers) == (
        "gru",
        "gru (abababab, fp32)",
        {"a": {"page": "Loom"}, "b": {"page": "Kiln"}},
    )
    assert [(each.label, each.answers) for each in (dan, named)] == [
        ("dan", {"a": [[1, "Kiln"]]}),
        ("mine", {"a": [[1, "Kiln"]]}),
    ]


def test_a_name_stands_for_the_model_that_a_file_names(tmp_path: Path) -> None:
    one = rescored(tmp_path / "gru.jsonl", a="Loom")
    [named] = read_answer_files([f"RNN={one}"])
    assert (named.model, named.label) == ("gru", "RNN")


@pytest.mark.parametrize("source", ["nowhere.json", "gru=nowhere.json", "=gru", "empty"])
def test_what_holds_no_answers_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidInput, match=source.split("=")[0] or "=gru"):
        read_answer_files([source])
