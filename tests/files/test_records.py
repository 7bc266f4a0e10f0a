"""Files with an object a line: where a row stands, what ends a line, and what is said of one that is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.records import read_rows


class Row(BaseModel):
    text: str


def rows(path: Path) -> list[tuple[str, Row]]:
    return list(read_rows(path, Row, "data", "a text"))


def test_rows_come_with_their_lines_and_only_a_newline_ends_one(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes('{"text": "one\u2028still"}\r\n\n{"text": "two\x85"}'.encode())
    assert [(where.rpartition(", ")[2], row.text) for where, row in rows(path)] == [
        ("line 1", "one\u2028still"),
        ("line 3", "two\x85"),
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"text": "a"}\n{"text": 2}', "line 2: a JSON object with a text is needed (text: Input should be a valid"),
        (b"[7]", "row 1: a JSON object with a text is needed (row: 7"),
        (b"{", "line 1: a JSON object with a text is needed"),
        (b"[" * 100_000, "line 1: a JSON object with a text is needed"),
        (b'{"text": "\xff"}', "rows.jsonl cannot be read: "),
    ],
)
def test_what_is_no_row_is_named_with_its_place(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content)
    with pytest.raises(InvalidInput) as caught:
        rows(path)
    assert told in str(caught.value)
    assert caught.value.field == "data"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"gone\.jsonl cannot be read: "):
        rows(tmp_path / "gone.jsonl")
