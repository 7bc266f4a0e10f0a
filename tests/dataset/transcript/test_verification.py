"""Verifying an export without its store: what was changed is found and named, whoever made the files."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st

from beat_the_ai.dataset.files import checksums, write_manifest
from beat_the_ai.dataset.transcript import reading
from beat_the_ai.dataset.transcript.files import statement_text
from beat_the_ai.dataset.transcript.signature import public_key, signed
from beat_the_ai.dataset.transcript.verification import verify
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.transcript import GENESIS, Entry, commitment_of, line, next_head
from beat_the_ai.store import now, open_store
from tests.dataset.transcript.exported import export, exported, played
from tests.examples import examples

KEY = "11" * 32  # of somebody who is not the requester
TABLES = ("attempts.jsonl", "votes.jsonl")


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    return exported(folder / "store.db", folder / "out")


@pytest.fixture
def out(untouched: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(untouched, tmp_path / "out"))


def files_of(folder: Path) -> list[str]:
    """Return the files that are handed on."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in found if "private" not in path.parts)


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in path.read_text().splitlines()]


def write_rows(path: Path, rows: list[Any]) -> None:
    path.write_text("".join(f"{json.dumps(row, separators=(',', ':'))}\n" for row in rows))


def first_fault(out: Path, file: str) -> str:
    return next(str(fault) for fault in verify(out).faults if fault.file == file)


def test_an_export_is_as_it_was_signed(untouched: Path) -> None:
    found = verify(untouched)
    assert found.faults == []
    assert found.verdicts == 14
    assert found.adjudications >= 8
    assert found.redacted >= 3
    assert {*found.rows} >= {"attempts.jsonl", "attempts.parquet", "votes.jsonl", "votes.parquet"}
    assert len(found.rows) == 15  # two tables and three parts, in three formats
    assert sum(rows for name, rows in found.rows.items() if name.startswith("parquet/")) >= 4
    attempts = rows_of(untouched / "attempts.jsonl")
    assert {row["dropped"] for row in attempts} >= {None, "model_right", "retracted", "discarded", "not_handed_in"}
    assert {row["validation"] for row in attempts} >= {"valid", "invalid", None}


def independently(folder: Path) -> list[str]:
    """Verify as a stranger would who has read the page on exports: what is wrong, if anything is."""
    kept = json.loads((folder / "transcript.json").read_text())
    statement, head, facts, faults = json.loads(kept["statement"]), "0" * 64, {}, []
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(statement["public_key"])).verify(
        bytes.fromhex(kept["signature"]), kept["statement"].encode()
    )
    for text in (folder / "transcript.jsonl").read_text().splitlines():
        entry = json.loads(text)
        said = "content" in entry
        commitment = digest(entry["salt"] + entry["content"]) if said else entry["commitment"]
        head = digest(f"{head} {entry['type']} {commitment}")
        if head != entry["head"]:
            faults.append(f"entry {entry['number']}")
        if said and entry["type"] == "attempt":
            content = json.loads(entry["content"])
            facts[content["attempt_id"]] = content
    if head != statement["head"]:
        faults.append("head")
    for row in rows_of(folder / "attempts.jsonl"):
        same = ("work", "prediction", "fooled", "worker", "created_at")
        row = {**row, **row["model"]}  # which tells the member of the pool, too
        fact = facts.get(row["attempt_id"])
        is_open = row["dropped"] in ("not_handed_in", "not_confirmed")
        chained = {} if fact is None else {**{name: fact[name] for name in same}, **fact["model"]}
        if not is_open and (fact is None or any(row[name] != chained[name] for name in chained)):
            faults.append(row["attempt_id"])
    sums = folder / "SHA256SUMS"
    if hashlib.sha256(sums.read_bytes()).hexdigest() != statement["sha256sums"]:
        faults.append("SHA256SUMS")
    for text in sums.read_text().splitlines():
        checksum, name = text.split("  ")
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != checksum:
            faults.append(name)
    return faults


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_an_independent_verifier_agrees(out: Path) -> None:
    assert independently(out) == []
    rows = rows_of(out / "attempts.jsonl")
    rows[3]["work"]["question"] = "Another?"
    write_rows(out / "attempts.jsonl", rows)
    assert independently(out) == [rows[3]["attempt_id"], "attempts.jsonl"]
    assert f"line 4 (attempt '{rows[3]['attempt_id']}'): work is" in first_fault(out, "attempts.jsonl")


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_one_changed_byte_of_any_file_is_found(untouched: Path, data: st.DataObject) -> None:
    path = untouched / data.draw(st.sampled_from(files_of(untouched)))
    before = path.read_bytes()
    if not before:
        return
    at = data.draw(st.integers(0, len(before) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda one: one != before[at]))
    path.write_bytes(before[:at] + bytes([byte]) + before[at + 1 :])
    try:
        assert verify(untouched).faults
    finally:
        path.write_bytes(before)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places of all values that have no others in them."""
    places = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    nested = [each for name, inner in places for each in leaves(inner, (*path, name))]
    yield from nested or [path]


def changed(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value + "x"
    return 1 if value is None or isinstance(value, list | dict) else value + 1


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_one_changed_field_of_a_table_is_found_in_its_row(untouched: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(TABLES))
    path, before = untouched / name, (untouched / name).read_bytes()
    rows = rows_of(path)
    at = data.draw(st.integers(0, len(rows) - 1))
    *way, last = data.draw(st.sampled_from(list(leaves(rows[at]))))
    holder = rows[at]
    for step in way:
        holder = holder[step]
    holder[last] = changed(holder[last])
    text = json.dumps(rows[at], separators=(",", ":"), ensure_ascii=False).encode()
    path.write_bytes(b"\n".join([*before.split(b"\n")[:at], text, *before.split(b"\n")[at + 1 :]]))
    try:
        assert next(fault.line for fault in verify(untouched).faults if fault.file == name) == at + 1
    finally:
        path.write_bytes(before)


Change = Callable[[list[bytes], int], list[bytes]]
CHANGES: dict[str, tuple[Change, int]] = {
    "removed": (lambda lines, at: [*lines[:at], *lines[at + 1 :]], 0),
    "repeated": (lambda lines, at: [*lines[: at + 1], *lines[at:]], 1),
    "moved": (lambda lines, at: [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]], 0),
    "cut off": (lambda lines, at: [*lines[:at], lines[at][:-9]], 0),
}


@pytest.mark.parametrize("file", [*TABLES, "transcript.jsonl", "jsonl/train.jsonl"])
@pytest.mark.parametrize("change", CHANGES)
def test_the_first_row_that_is_no_longer_there_or_in_its_place_is_named(out: Path, file: str, change: str) -> None:
    lines, at = (out / file).read_bytes().splitlines(keepends=True), 1
    changes, later = CHANGES[change]
    (out / file).write_bytes(b"".join(changes(lines, at)))
    named = [fault.line for fault in verify(out).faults if fault.file == file]
    assert named[0] == at + 1 + later


@pytest.mark.parametrize("file", ["transcript.json", "transcript.jsonl", "SHA256SUMS", "ROWS", *TABLES, "hf/README.md"])
def test_a_missing_file_is_named(out: Path, file: str) -> None:
    (out / file).unlink()
    assert first_fault(out, file) == f"{file}: it is missing"


def rebuilt(out: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the contents of a transcript, and compute all that anybody can compute without the key."""
    head, lines = GENESIS, []
    for number, fields in enumerate(rows_of(out / "transcript.jsonl"), start=1):
        entry = Entry(fields["type"], fields.get("commitment", ""), fields.get("salt"), fields.get("content"))
        if entry.content is not None and entry.salt is not None:
            content = json.loads(entry.content)
            change(content)
            text = json.dumps(content, separators=(",", ":"))
            entry = Entry(entry.type, commitment_of(entry.salt, text), entry.salt, text)
        head = next_head(head, entry.type, entry.commitment)
        lines.append(line(number, entry, head))
    (out / "transcript.jsonl").write_text("".join(lines))
    listed = [
        path for path in map(out.joinpath, files_of(out)) if path.name not in ("SHA256SUMS", "ROWS", "transcript.json")
    ]
    write_manifest(out, checksums(out, listed))


def make_right(content: dict[str, Any]) -> None:
    if content.get("fooled"):
        content["fooled"] = False


def nothing(_content: dict[str, Any]) -> None:
    pass


def signed_by(out: Path, key: str) -> None:
    kept = json.loads((out / "transcript.json").read_text())
    statement = json.loads(kept["statement"])
    statement |= {"public_key": public_key(key), "head": rows_of(out / "transcript.jsonl")[-1]["head"]}
    statement["sha256sums"] = hashlib.sha256((out / "SHA256SUMS").read_bytes()).hexdigest()
    text = json.dumps(statement)
    (out / "transcript.json").write_text(statement_text(text, signed(text, key)))


class TestWhoeverWritesTheTranscriptAnew:
    def test_has_no_signature(self, out: Path) -> None:
        rebuilt(out, lambda content: content.update(arm="b") if "arm" in content else None)
        faults = "\n".join(map(str, verify(out).faults))
        assert "SHA256SUMS: it is not the one that was signed" in faults
        assert "entries were signed, with the head" in faults
        assert "attempts.jsonl, line 1 (attempt" in faults

    def test_has_another_key(self, out: Path) -> None:
        key = verify(out).public_key
        rebuilt(out, lambda content: content.update(public_key=public_key(KEY)) if "public_key" in content else None)
        signed_by(out, KEY)
        assert verify(out).faults == []  # nobody can tell without the requester's key
        [fault] = verify(out, key=key).faults
        assert "it is signed by the key" in str(fault)

    def test_has_no_head_that_was_noted_before(self, out: Path, untouched: Path) -> None:
        noted = rows_of(untouched / "transcript.jsonl")[4]["head"]
        assert verify(untouched, head=noted).seen == 5
        rebuilt(out, nothing)
        assert verify(out, head=noted).seen == 5
        rebuilt(out, lambda content: content.update(task="nli") if "public_key" in content else None)
        assert f"no entry has the head {noted[:20]!r}"[:-1] in "\n".join(map(str, verify(out, head=noted).faults))

    def test_has_verdicts_that_do_not_follow(self, out: Path) -> None:
        rebuilt(out, make_right)
        assert "by the rules the model was beaten, and the verdict says right" in first_fault(out, "transcript.jsonl")

    def test_has_examples_that_are_not_what_was_written(self, out: Path) -> None:
        """The requester, too, with a signature."""
        path = next(each for each in sorted(out.glob("jsonl/*.jsonl")) if each.stat().st_size)
        rows = rows_of(path)
        rows[0]["question"] = "A better question?"
        write_rows(path, rows)
        rebuilt(out, nothing)
        signed_by(out, KEY)
        fault = first_fault(out, f"jsonl/{path.name}")
        assert f"line 1 (example '{rows[0]['id']}'): question is 'A better question?', and 'Question" in fault
        write_rows(path, rows[1:])
        rebuilt(out, nothing)
        signed_by(out, KEY)
        assert first_fault(out, f"jsonl/{path.name}") == (
            f"jsonl/{path.name} (example '{rows[0]['id']}'): it is missing here"
        )

    def test_cannot_take_a_row_out_of_the_dataset_for_a_reason_that_does_not_hold(self, out: Path) -> None:
        rows = rows_of(out / "attempts.jsonl")
        at = next(at for at, row in enumerate(rows) if row["dropped"] is None)
        for reason in ("retracted", "set_aside", "invalid", "not_confirmed", "model_right"):
            write_rows(out / "attempts.jsonl", [*rows[:at], {**rows[at], "dropped": reason}, *rows[at + 1 :]])
            rebuilt(out, nothing)
            signed_by(out, KEY)
            assert f"line {at + 1} (attempt" in first_fault(out, "attempts.jsonl"), reason

    def test_cannot_leave_votes_out(self, out: Path) -> None:
        rows = rows_of(out / "attempts.jsonl")
        at = next(at for at, row in enumerate(rows) if len(row["votes"]) > 1)
        for kept in (1, len(rows[at]["votes"])):
            votes = rows[at]["votes"][kept:]
            write_rows(out / "attempts.jsonl", [*rows[:at], {**rows[at], "votes": votes}, *rows[at + 1 :]])
            rebuilt(out, nothing)
            signed_by(out, KEY)
            told = first_fault(out, "attempts.jsonl")
            assert f"line {at + 1} (attempt" in told
            assert "its votes are not those in the transcript" in told

    def test_counts_its_entries(self, out: Path) -> None:
        rebuilt(out, nothing)
        text = (out / "transcript.jsonl").read_text()
        (out / "transcript.jsonl").write_text(text.replace('{"number":3,', '{"number":4,'))
        signed_by(out, KEY)
        assert first_fault(out, "transcript.jsonl").startswith("transcript.jsonl, line 3: entry 4 stands where 3 is")

    def test_cannot_take_out_entries_as_if_they_had_been_erased(self, out: Path) -> None:
        rows = rows_of(out / "transcript.jsonl")
        at = next(at for at, row in enumerate(rows) if row["type"] == "attempt" and "content" in row)
        commitment = commitment_of(rows[at]["salt"], rows[at]["content"])
        rows[at] = {"number": at + 1, "type": "attempt", "commitment": commitment, "head": rows[at]["head"]}
        write_rows(out / "transcript.jsonl", rows)
        assert first_fault(out, "transcript.jsonl") == (
            f"transcript.jsonl, line {at + 1}: it says nothing, and no erasure names it"
        )


def test_tables_of_later_versions_may_tell_more(out: Path) -> None:
    """Add a field to the model of each row and a column of its own: both pass."""
    rows = rows_of(out / "attempts.jsonl")
    more = [{**row, "seconds": 7.5, "model": {**row["model"], "member": "m1"}} for row in rows]
    write_rows(out / "attempts.jsonl", more)
    rebuilt(out, nothing)
    signed_by(out, KEY)
    assert not [fault for fault in verify(out).faults if fault.file == "attempts.jsonl"]
    more[0]["model"]["hash"] = "b" * 64
    write_rows(out / "attempts.jsonl", more)
    assert "model is" in first_fault(out, "attempts.jsonl")


def test_a_statement_that_nobody_signed_is_a_fault(out: Path) -> None:
    kept = json.loads((out / "transcript.json").read_text())
    for text, signature in (
        (kept["statement"], signed(kept["statement"], KEY)),
        (kept["statement"], kept["signature"].upper()),
        (kept["statement"], ""),
        (kept["statement"].replace("pilot", "other"), kept["signature"]),
    ):
        (out / "transcript.json").write_text(statement_text(text, signature))
        assert first_fault(out, "transcript.json") == ("transcript.json: the signature is not by the key that it names")


def test_files_of_another_export_do_not_fit(out: Path, tmp_path: Path) -> None:
    other = exported(tmp_path / "other.db", tmp_path / "other")
    for name in ("transcript.json", "transcript.jsonl"):
        shutil.copy(other / name, out / name)
        assert verify(out).faults


def test_an_export_after_more_has_happened_goes_on_from_the_last_one(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "store.db"))) as store:
        played(store)
        export(store, tmp_path / "first")
        before = verify(tmp_path / "first")
        store.standings.add("pilot", "w2", "revoked", by="ann", reason="copied", at=now())
        export(store, tmp_path / "second", ["jsonl"])
    after = verify(tmp_path / "second", key=before.public_key, head=before.head)
    assert (after.faults, after.seen) == ([], before.entries)
    assert after.entries == before.entries + 1
    first, second = ((tmp_path / name / "transcript.jsonl").read_text() for name in ("first", "second"))
    assert second.startswith(first)


@pytest.mark.parametrize("formats", [["jsonl"], ["parquet"], ["hf"], ["squad"]])
def test_each_format_alone_is_verified(tmp_path: Path, formats: list[str]) -> None:
    with closing(open_store(str(tmp_path / "store.db"))) as store:
        played(store)
        export(store, tmp_path / "out", formats)
    found = verify(tmp_path / "out")
    assert found.faults == []
    assert found.verdicts == 14
    assert len(found.rows) == (0 if formats == ["squad"] else 5)


DEEP = b"[" * 100_000 + b"]" * 100_000


@pytest.mark.parametrize("file", ["transcript.json", "transcript.jsonl", "SHA256SUMS", "ROWS", *TABLES])
@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\n", b"\0", b"\xff\xfe\n", b"{}\n", b"[]\n", b"null\n", DEEP + b"\n", b'{"a":' + DEEP + b"}\n"),
        *(b'{"number":1,"number":1}\n', b"1" * 10_000 + b"\n", b"../../etc/passwd\n", b'{"attempt_id":{}}\n'),
        *(f"{'0' * 64}  ../../../etc/passwd\n".encode(), f"{'0' * 64}  /dev/zero\n".encode()),
        *(f"{'0' * 64}  {'a' * 5000}\n".encode(), f"{'0' * 64}  a\0b\n".encode(), f"{'0' * 64}  .\n".encode()),
        *(b'{"attempt_id":"a","dropped":[]}\n', b'{"assignment":[],"position":0}\n'),
    ],
)
def test_hostile_files_are_faults(out: Path, file: str, content: bytes) -> None:
    (out / file).write_bytes(content)
    assert verify(out).faults


def test_a_long_line_is_not_read(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_LINE_BYTES", 100)
    assert first_fault(out, "transcript.jsonl") == "transcript.jsonl, line 1: it is longer than 100 bytes"


HOSTILE_CONTENTS: list[Any] = [
    *({}, {"attempt_id": 7}, {"attempt_id": "a", "round": [], "prompt": None}, {"round": 1, "options": {"x": 1}}),
    {"round": 1, "options": {"f1_threshold": "a"}, "rules": {}, "language": "en"},
    {"round": 1, "options": 3, "rules": {}, "language": 7},
    {"entries": "abc"},
    {"entries": [[]]},
    {"worker": [], "standing": "revoked"},
]


@pytest.mark.parametrize("of_type", ["campaign", "round", "standing", "attempt", "vote", "erasure", "what"])
@pytest.mark.parametrize("content", HOSTILE_CONTENTS)
def test_hostile_entries_are_faults_and_not_errors(out: Path, of_type: str, content: Any) -> None:
    rows = rows_of(out / "transcript.jsonl")
    entry = Entry(of_type, commitment_of("", json.dumps(content)), "", json.dumps(content))
    head = next_head(rows[-1]["head"], of_type, entry.commitment)
    with (out / "transcript.jsonl").open("a") as file:
        file.write(line(len(rows) + 1, entry, head))
    assert verify(out).faults


def test_a_folder_without_a_transcript_is_no_export(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"holds no transcript\.json"):
        verify(tmp_path)
