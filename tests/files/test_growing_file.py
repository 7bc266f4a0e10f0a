"""A file of results grows from its own header, and leaves what is not its own as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from beat_the_ai.adversary.kept import answers_path
from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.growing_file import growing_file


class Header(BaseModel):
    of: str


class Line(BaseModel):
    number: int


def grown(path: Path, *numbers: int) -> list[int]:
    with growing_file(path, Header(of="a"), Line, "--kept") as file:
        before = [line.number for line in file.lines]
        file.add([Line(number=number) for number in numbers])
    return before


def test_lines_are_there_again_but_for_one_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    assert grown(path, 1, 2) == []
    path.write_bytes(path.read_bytes() + b'{"numb')
    assert grown(path, 3) == [1, 2]
    assert grown(path) == [1, 2, 3]
    path.write_bytes(path.read_bytes()[:4])  # of the header
    assert grown(path) == []


@pytest.mark.parametrize("content", [b"somebody's notes", b"notes\nof somebody", b'{"of": "b"}\n{"number": 1}\n{"nu'])
def test_a_file_of_something_else_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(InvalidInput):
        grown(path)
    assert path.read_bytes() == content


def test_what_a_server_says_of_its_model_is_no_path(tmp_path: Path) -> None:
    said = "/../../x"
    path = answers_path(tmp_path, ModelIdentity(name=said * 99, task="nli", hash=said, precision=said))
    assert path.parent == tmp_path
    assert len(path.name) < 255
