"""YAML that people write, and YAML that stands for more than a machine holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.files.yaml_files import MAX_NODES, dump_yaml, load_yaml, parse_yaml

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]\n" for level in range(1, 10)
)


def written(folder: Path, text: str) -> Path:
    path = folder / "file.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("", None),
        ("a: 1\nb: [x, {c: null}]\n", {"a": 1, "b": ["x", {"c": None}]}),
        ("a: &a {x: 1}\nb: *a\nc: {<<: *a, y: 2}\n", {"a": {"x": 1}, "b": {"x": 1}, "c": {"x": 1, "y": 2}}),
    ],
)
def test_aliases_are_followed(text: str, content: Any, tmp_path: Path) -> None:
    assert load_yaml(written(tmp_path, text)) == content


@pytest.mark.parametrize("text", [BOMB, "a: &a [*a]\n", "a: &a {b: [*a]}\n"], ids=["bomb", "circle", "wide circle"])
def test_what_has_no_end_or_a_distant_one_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"more than {MAX_NODES:,} values"):
        load_yaml(written(tmp_path, text))


@pytest.mark.parametrize("text", ["a: [1", "[" * 100_000, "a: *unknown"], ids=["open", "deep", "unknown alias"])
def test_what_is_no_yaml_is_refused_in_one_line(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # each says something else
        load_yaml(written(tmp_path, text))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["a\x85b", "\x85", "\u2028", "two\u2029parts", "a\nb", " ", "null", "ni\u00f1o"])
def test_a_text_is_read_as_it_was_written(text: str) -> None:
    assert parse_yaml(dump_yaml({"text": text})) == {"text": text}
    assert ("ni\u00f1o" in text) == ("ni\u00f1o" in dump_yaml({"text": text}))
