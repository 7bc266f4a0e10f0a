from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.mephisto import documents
from beat_the_ai.mephisto.documents import TABLE, Documents
from tests.mephisto.wire import wait_until

Opening = Callable[[Path], Documents]


@pytest.fixture
def documents_at() -> Iterator[Opening]:
    """Documents as a process has them that opens the database. No thread outlives the test."""
    opened: list[Documents] = []

    def documents_at(root: Path) -> Documents:
        connection = sqlite3.connect(root / "database.db", check_same_thread=False)
        connection.row_factory = sqlite3.Row
        connection.execute(TABLE)

        @contextmanager
        def connected() -> Iterator[sqlite3.Connection]:
            with connection:
                yield connection

        opened.append(Documents(root, connected))
        return opened[-1]

    yield documents_at
    for each in opened:
        each._stopped.set()
        if each._thread is not None:
            each._thread.join()


def test_where_nobody_serves_the_file_is_there_at_once(tmp_path: Path, documents_at: Opening) -> None:
    kept, path = documents_at(tmp_path), tmp_path / "data" / "1" / "agent.json"
    kept.keep({path: "first"})
    kept.keep({path: "second"})
    assert path.read_text() == "second"
    assert kept.waiting(path) is None


def test_who_serves_writes_files_behind_and_the_rest_when_it_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, documents_at: Opening
) -> None:
    kept, path, later = documents_at(tmp_path), tmp_path / "1.json", tmp_path / "2.json"
    monkeypatch.setattr(documents, "SETTLE_SECONDS", 0.05)
    kept.start()
    kept.keep({path: "text", later: "more"})
    wait_until(path.is_file, "its file is written")
    monkeypatch.setattr(documents, "SETTLE_SECONDS", 3600.0)
    kept.stop()
    assert (path.read_text(), later.read_text()) == ("text", "more")


def test_what_a_process_that_was_killed_has_kept_gets_its_file_from_the_next_one(
    tmp_path: Path, documents_at: Opening
) -> None:
    killed, path = documents_at(tmp_path), tmp_path / "1.json"
    killed.start()
    killed.keep({path: "text"})
    assert not path.exists()
    following = documents_at(tmp_path)
    assert following.waiting(path) == "text"
    following.settle()
    assert path.read_text() == "text"


def test_a_document_that_is_replaced_while_its_file_is_written_is_the_one_that_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, documents_at: Opening
) -> None:
    kept, path = documents_at(tmp_path), tmp_path / "1.json"
    kept.start()
    kept.keep({path: "older"})
    newer = ["newer"]

    @contextmanager
    def slowly(target: Path, *, synced: bool) -> Iterator[IO[bytes]]:
        with replacing(target, synced=synced) as file:
            if newer:
                kept.keep({path: newer.pop()})
            yield file

    monkeypatch.setattr(documents, "replacing", slowly)
    kept.settle()
    assert path.read_text() == "newer"
    assert kept.waiting(path) is None


def test_all_documents_of_a_step_are_kept_or_none(tmp_path: Path, documents_at: Opening) -> None:
    kept, path = documents_at(tmp_path), tmp_path / "1.json"
    kept.start()
    with pytest.raises(ValueError, match="relative"):
        kept.keep({path: "text", Path("/elsewhere"): "text"})
    assert kept.waiting(path) is None


def test_a_disk_that_is_full_when_serving_ends_is_no_reason_not_to_end(
    tmp_path: Path, documents_at: Opening, caplog: pytest.LogCaptureFixture
) -> None:
    kept, path = documents_at(tmp_path), tmp_path / "folder" / "1.json"
    (tmp_path / "folder").write_text("in its place")
    kept.start()
    kept.keep({path: "text"})
    kept.stop()
    assert "cannot be written yet" in caplog.text
    (tmp_path / "folder").unlink()
    documents_at(tmp_path).settle()
    assert path.read_text() == "text"


def test_a_file_that_cannot_be_written_is_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, documents_at: Opening
) -> None:
    kept, path = documents_at(tmp_path), tmp_path / "folder" / "1.json"
    (tmp_path / "folder").write_text("in its place")
    monkeypatch.setattr(documents, "SETTLE_SECONDS", 0.02)
    kept.start()
    kept.keep({path: "text"})
    assert kept.waiting(path) == "text"
    (tmp_path / "folder").unlink()
    wait_until(path.is_file, "its file is written")
    kept.stop()
