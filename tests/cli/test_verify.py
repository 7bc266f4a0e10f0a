"""`verify`: what it says, in which order, and its exit status."""

from __future__ import annotations

import json
import struct
import tempfile
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.store import open_store
from tests.dataset.transcript.exported import exported, played


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    return exported(folder / "store.db", folder / "out")


def test_it_says_what_was_verified(out: Path) -> None:
    done = run("verify", out)
    assert done.exit_code == 0, done.output
    assert "campaign pilot, reading_comprehension" in done.output
    assert "say nothing any more (a person was erased)" in done.output
    assert "compare it with the key that the requester published" in done.output
    assert "judged again: 14 attempts" in done.output
    found = json.loads(run("verify", out, "--json").output)
    assert (found["verified"], found["faults"], found["verdicts"]) == (True, [], 14)
    seen = run("verify", out, "--key", found["public_key"], "--head", found["head"])
    assert seen.exit_code == 0
    assert f"the head that you gave is that of entry {found['entries']}" in seen.output
    assert "compare it" not in seen.output


def test_the_first_changed_row_is_named_and_the_exit_status_is_1(out: Path) -> None:
    path = out / "attempts.jsonl"
    before = path.read_text()
    path.write_text(before.replace("Question 1 of w0 on mill/0?", "A better question?"))
    try:
        told, found = run("verify", out), run("verify", out, "--json")
    finally:
        path.write_text(before)
    assert (told.exit_code, found.exit_code) == (1, 1)
    assert "The first is attempts.jsonl, line" in told.output
    [first, *_] = json.loads(found.output)["faults"]
    assert (first["file"], first["line"]) == ("attempts.jsonl", 1 + before.split("Question 1 of w0")[0].count("\n"))
    assert first["what"].startswith("work is {'question': 'A better question?'")


def test_another_key_or_head_is_a_fault(out: Path) -> None:
    for option in ("--key", "--head"):
        assert run("verify", out, option, "00" * 32).exit_code == 1


def test_what_is_no_folder_or_has_no_transcript_is_wrong_usage(tmp_path: Path) -> None:
    assert run("verify", tmp_path / "nothing").exit_code == 2
    done = run("verify", tmp_path)
    assert done.exit_code == 2
    assert "holds no transcript.json" in done.output


def test_a_task_that_is_not_shipped_is_not_imported_for_its_name(out: Path, tmp_path: Path) -> None:
    """Run the code of a kind for `--task` alone: an export, which anybody can write, names none that runs."""
    code = tmp_path / "kind.py"
    code.write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    path = out / "transcript.json"
    before = path.read_text()
    path.write_text(before.replace("reading_comprehension", f"{code}:kind"))
    try:
        done = run("verify", out)
    finally:
        path.write_text(before)
    assert done.exit_code == 1
    assert "not judged again" in done.output
    assert not (tmp_path / "ran").exists()


def test_an_export_of_the_command_is_verified_as_it_is(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "store.db"))) as store:
        played(store)
    found = []
    for name in ("out", "out.zip"):
        assert run("export", tmp_path / "store.db", "--out", tmp_path / name).exit_code == 0
        done = run("verify", tmp_path / name, "--json")
        assert done.exit_code == 0, done.output
        found.append(json.loads(done.stdout))
    assert found[0]["verified"]
    assert found[0]["rows"] == found[1]["rows"]


def zipped(path: Path, *entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return path


def test_an_archive_that_was_changed_or_packed_in_a_folder_is_verified(out: Path, tmp_path: Path) -> None:
    files = [(f"pilot/{path.relative_to(out)}", path.read_bytes()) for path in out.rglob("*") if path.is_file()]
    assert run("verify", zipped(tmp_path / "again.zip", *files)).exit_code == 0
    changed = [(name, text.replace(b"Question 1 of w0", b"Question 2 of w0")) for name, text in files]
    told = run("verify", zipped(tmp_path / "changed.zip", *changed))
    assert told.exit_code == 1
    assert "changed.zip has" in told.output


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("entries", "method", "said"),
    [
        ([("../out.txt", b"x")], zipfile.ZIP_DEFLATED, "one outside of it"),
        ([("/tmp/out.txt", b"x")], zipfile.ZIP_DEFLATED, "one outside of it"),
        ([("a\\..\\b", b"x")], zipfile.ZIP_DEFLATED, "one outside of it"),
        ([("a", b"x"), ("a", b"y")], zipfile.ZIP_DEFLATED, "names a file twice"),
        ([("a", b"x"), ("a/b", b"y")], zipfile.ZIP_DEFLATED, "cannot be read as a ZIP file"),
        ([("a", b"x")], zipfile.ZIP_LZMA, "packed as no export is"),
        ([(f"{number}", b"") for number in range(10_001)], zipfile.ZIP_STORED, "10,001 files"),
        ([("a", b"x")], zipfile.ZIP_DEFLATED, "hostile holds no transcript.json"),
    ],
)
def test_an_archive_that_no_export_is_leaves_nothing_behind(
    tmp_path: Path, entries: list[tuple[str, bytes]], method: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "room").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "room"))
    done = run("verify", zipped(tmp_path / "hostile.zip", *entries, method=method))
    assert (done.exit_code, said in done.output) == (2, True), done.output
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["hostile.zip"]
    assert not list((tmp_path / "room").iterdir())


def test_no_more_of_a_file_is_unpacked_than_the_archive_says(tmp_path: Path) -> None:
    path = zipped(tmp_path / "bomb.zip", ("zeros", b"\0" * 77_777))
    whole = path.read_bytes()
    size = whole.rindex(struct.pack("<I", 77_777))
    path.write_bytes(whole[:size] + struct.pack("<I", 1) + whole[size + 4 :])
    assert "Bad CRC-32 for file 'zeros'" in run("verify", path).output
    path.write_bytes(b"no archive")
    assert "cannot be read as a ZIP file" in run("verify", path).output
