"""Verifying an export with nothing but its files: signature, transcript, verdicts, tables, checksums."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from beat_the_ai.dataset.files import MANIFEST, ROWS, sha256
from beat_the_ai.dataset.names import ATTEMPTS, HUGGING_FACE_FOLDER, VOTES
from beat_the_ai.dataset.transcript.checksums import faulty_files, first_row, listed
from beat_the_ai.dataset.transcript.contents import FORMAT
from beat_the_ai.dataset.transcript.examples import ExampleCheck, Kept, part_of
from beat_the_ai.dataset.transcript.files import LINES, STATEMENT, statement_text
from beat_the_ai.dataset.transcript.reading import MAX_LINE_BYTES, Changed, Fault, object_of, read_entries, shown
from beat_the_ai.dataset.transcript.replay import Fields, Replay
from beat_the_ai.dataset.transcript.signature import is_signed
from beat_the_ai.dataset.transcript.tables import TableCheck
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.registry import KINDS

MOST_FAULTS = 100  # that are kept
BINARY = (".parquet", ".arrow")


@dataclass
class Verification:
    """The result of a verification. Without `faults`, of which the first are kept, the export is as it was signed.

    `seen` is the number of the entry with the head that was asked for; None: no head was, or there is no such entry.
    """

    campaign: str = ""
    task: str = ""
    public_key: str = ""
    entries: int = 0
    head: str = ""
    redacted: int = 0
    verdicts: int = 0
    adjudications: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    files: int = 0
    replayed: bool = False
    seen: int | None = None
    number_of_faults: int = 0
    faults: list[Fault] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"verified": not self.faults, **asdict(self)}


def verify(folder: Path, *, key: str | None = None, head: str | None = None, task: str | None = None) -> Verification:
    """Verify the export in a folder, whoever wrote it.

    `key` is the public key that its requester has published, `head` a head of the transcript that was noted earlier.
    `task` is where a kind of task lies that is not shipped: its code is run. Raises `InvalidInput` where there is no
    transcript.
    """
    if not (folder / STATEMENT).is_file() and not (folder / LINES).is_file():
        raise InvalidInput(
            "EXPORT", f"{folder.resolve().name} holds no {STATEMENT}. Name the folder or the ZIP file of one export."
        )
    found = Verification()
    for fault in _verified(folder, found, key, head, task):
        found.number_of_faults += 1
        if found.number_of_faults <= MOST_FAULTS:
            found.faults.append(fault)
    return found


def _verified(
    folder: Path, found: Verification, key: str | None, head: str | None, task: str | None
) -> Iterator[Fault]:
    statement: Fields = {}
    try:
        statement = yield from _statement(folder, found, key)
    except Changed as error:
        yield error.fault
    name = found.task if task is None and found.task in KINDS else task
    replay = Replay(LINES, name)
    found.replayed = name is not None
    whole = True
    try:
        for read in read_entries(folder / LINES, LINES):
            yield from replay.add(read)
            found.entries, found.head = read.number, read.head
            if read.head == head:
                found.seen = read.number
    except FileNotFoundError:
        yield Fault(LINES, "it is missing")
        whole = False
    except Changed as error:
        yield error.fault
        whole = False
    found.redacted, found.verdicts = len(replay.redacted), replay.verdicts
    if whole:
        yield from replay.end()
        yield from _agreed(statement, found, replay)
        if head is not None and found.seen is None:
            yield Fault(LINES, f"no entry has the head {shown(head)}")
    yield from _files(folder, statement, found, replay if whole else None)


def _statement(folder: Path, found: Verification, key: str | None) -> Generator[Fault, None, Fields]:
    """Yield what is wrong with the signed statement, and return it. Raises `Changed`."""
    try:
        with (folder / STATEMENT).open("rb") as file:
            content = file.read(MAX_LINE_BYTES)
    except FileNotFoundError:
        raise Changed(Fault(STATEMENT, "it is missing")) from None
    kept = object_of(content, STATEMENT)
    text, signature = kept.get("statement"), kept.get("signature")
    if not isinstance(text, str) or not isinstance(signature, str):
        raise Changed(Fault(STATEMENT, "a statement and its signature are needed"))
    if statement_text(text, signature).encode() != content:
        yield Fault(STATEMENT, "it is not written as exports write it")
    statement = object_of(text, STATEMENT)
    texts = [statement.get(name) for name in ("campaign", "task", "head", "sha256sums", "public_key")]
    if not all(isinstance(each, str) for each in texts) or statement.get("format") != FORMAT:
        raise Changed(Fault(STATEMENT, f"a statement of format {FORMAT} is needed"))
    found.campaign, found.task, found.public_key = statement["campaign"], statement["task"], statement["public_key"]
    if not is_signed(text, signature, found.public_key):
        yield Fault(STATEMENT, "the signature is not by the key that it names")
    if key is not None and key.lower() != found.public_key:
        yield Fault(STATEMENT, f"it is signed by the key {shown(found.public_key)}, and {shown(key)} is needed")
    return statement


def _agreed(statement: Fields, found: Verification, replay: Replay) -> Iterator[Fault]:
    """Compare a transcript that fits together with the statement."""
    if not statement:
        return
    if (found.entries, found.head) != (statement.get("entries"), statement["head"]):
        signed = f"{shown(statement.get('entries'))} entries were signed, with the head {shown(statement['head'])}"
        line = found.entries + 1 if found.entries != statement.get("entries") else None
        yield Fault(LINES, f"{signed}; {found.entries} are here, and their head is {shown(found.head)}", line)
    for name in ("campaign", "task", "public_key"):
        if replay.campaign.get(name) != statement[name]:
            yield Fault(STATEMENT, f"its {name} is not that of the transcript")


def _files(folder: Path, statement: Fields, found: Verification, replay: Replay | None) -> Iterator[Fault]:
    """Yield what is wrong with the files: in tables by row, the row of the transcript first."""
    try:
        sums = listed(folder)
    except Changed as error:
        yield error.fault
        return
    if statement and sha256(folder / MANIFEST) != statement["sha256sums"]:
        yield Fault(MANIFEST, "it is not the one that was signed")
    faulty = set(faulty_files(folder, sums))
    found.files = len(sums)
    kept: dict[str, Kept] = {}
    for name in sums:
        faults: list[Fault] = []
        if replay is not None and (folder / name).is_file() and not (name in faulty and name.endswith(BINARY)):
            faults += _table(folder, name, found, replay, kept)
        if name in faulty:
            faults.append(_changed(folder, name, faulty))
        yield from sorted(faults, key=lambda fault: fault.line or MAX_LINE_BYTES)
    for name in (LINES, ROWS):
        if name not in sums:
            yield Fault(MANIFEST, f"it does not list {name}")


def _table(folder: Path, name: str, found: Verification, replay: Replay, kept: dict[str, Kept]) -> Iterator[Fault]:
    """Yield what is wrong with a file of rows, and note which attempts are `kept` by the table of attempts."""
    of, part = _table_of(name), part_of(name)
    if part is not None and ATTEMPTS in map(_table_of, found.rows):
        examples = ExampleCheck(folder / name, name, replay, kept)
        yield from examples.of_part(part)
        found.rows[name] = examples.rows
    if of is None:
        return
    check = TableCheck(folder / name, name, replay)
    yield from check.attempts() if of == ATTEMPTS else check.votes()
    found.rows[name] = check.rows
    found.adjudications = max(found.adjudications, check.adjudicated)
    if of == ATTEMPTS and not kept:
        kept.update(check.kept)


def _table_of(name: str) -> str | None:
    """Return which table a file has: that of attempts, or of votes."""
    for of in (ATTEMPTS, VOTES):
        if name in (f"{of}.jsonl", f"{of}.parquet"):
            return of
        if name.startswith(f"{HUGGING_FACE_FOLDER}/{of}/") and name.endswith(".arrow"):
            return of
    return None


def _changed(folder: Path, name: str, faulty: set[str]) -> Fault:
    if ROWS in faulty and name != ROWS:
        return Fault(name, "it is not the file that was exported: its checksum is another one")
    try:
        return first_row(folder, name)
    except Changed as error:
        return error.fault
