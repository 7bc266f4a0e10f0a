from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from beat_the_ai.files.atomic_write import replacing


def test_a_file_is_replaced_when_all_of_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "file"
    with replacing(path) as file:
        file.write(b"first")
        assert not path.exists()
    with replacing(path) as file:
        file.write(b"second")
        assert path.read_bytes() == b"first"
    assert path.read_bytes() == b"second"
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_need_not_be_synced_is_replaced_as_well(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"first")
    with replacing(path, synced=False) as file:
        file.write(b"second")
        assert path.read_bytes() == b"first"
    assert path.read_bytes() == b"second"
    assert list(tmp_path.iterdir()) == [path]


def test_a_writer_that_fails_changes_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"first")
    with pytest.raises(TypeError), replacing(path) as file:
        file.writelines([b"sec", "ond"])  # type: ignore[list-item]
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


def test_of_many_writers_at_once_one_leaves_its_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"

    def write(number: int) -> None:
        for _ in range(50):
            with replacing(path) as file:
                for _ in range(10):
                    file.write(bytes([number]) * 10_000)

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(write, number) for number in range(4)]:
            done.result()
    content = path.read_bytes()
    assert content == content[:1] * 100_000
    assert list(tmp_path.iterdir()) == [path]
