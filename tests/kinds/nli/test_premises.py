"""Premises in files: what is read, and what is refused with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.premises import load_premises
from tests.kinds.nli.premises import PREMISES, WRITING

TEXT = "Word by word. " * 20


def line(**changes: Any) -> dict[str, Any]:
    return {"id": "a", "genre": "news", "context": TEXT, **changes}


def load(path: Path, *lines: Any) -> Any:
    file = path / "premises.jsonl"
    file.write_text("\n\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines), encoding="utf-8")
    return load_premises(file, 250, 600)


def test_a_premise_comes_with_its_genre_and_what_is_known_of_it(tmp_path: Path) -> None:
    known = {"text": "A claim.", "label": "neutral", "skill": "basic", "reason": "It is open."}
    [context] = load(tmp_path, line(title="A title", hypotheses=[known]))
    assert (context.id, context.title, context.text) == ("a", "A title", TEXT)
    assert context.private == {"genre": "news", "hypotheses": [{**known, "gold": False}]}


def test_a_folder_has_the_premises_of_all_of_its_parts(tmp_path: Path) -> None:
    for number, name in enumerate(("test", "train", "dev")):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(line(id=number)))
    assert [context.id for context in load_premises(tmp_path, 250, 600)] == ["1", "2", "0"]


def test_a_line_separator_in_a_premise_ends_no_line(tmp_path: Path) -> None:
    [context] = load(tmp_path, json.dumps(line(context="\u2028" + TEXT), ensure_ascii=False))
    assert context.text.startswith("\u2028")


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["{"], "line 1: a JSON object with 'id', 'genre' and 'context' is needed"),
        ([line(), line(id="b", genre="")], "line 3: .*genre"),
        ([line(genre="How To")], "genre"),
        ([line(context=" ")], "context"),
        ([{"id": "a", "context": TEXT}], "genre"),
        ([line(hypotheses=[{"text": "x", "label": "e"}])], r"hypotheses\.0\.label"),
        ([line(hypotheses=[{"text": " ", "label": "neutral"}])], r"hypotheses\.0\.text"),
        ([line(context="x" * 249)], "line 1: the premise 'a' has 249 characters; 250 to 600 are allowed"),
        ([line(context="x" * 601)], "601 characters"),
        ([line(), line()], "2 premises with the id 'a'"),
        ([line(title="\0")], "NUL"),
        ([], "holds no premises"),
    ],
)
def test_what_breaks_a_rule_is_named_with_its_place(tmp_path: Path, lines: list[Any], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason) as caught:
        load(tmp_path, *lines)
    assert "premises.jsonl" in str(caught.value)


def test_bytes_that_are_no_text_are_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "premises.jsonl").write_bytes(b"\xff")
    with pytest.raises(InvalidInput, match=r"premises\.jsonl cannot be read"):
        WRITING.load_contexts(tmp_path / "premises.jsonl")


def test_the_lengths_are_options() -> None:
    assert {len(context.text) < 250 or len(context.text) > 600 for context in PREMISES} == {False}
