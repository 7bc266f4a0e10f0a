"""Backups that are cut off leave nothing under the name of one; older ones are removed only by whoever asks for it."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from beat_the_ai.campaign.backup.archive import MANIFEST, opened
from beat_the_ai.campaign.backup.latest import latest_backup
from beat_the_ai.campaign.backup.making import back_up
from beat_the_ai.campaign.backup.sources import DRAFT
from beat_the_ai.databases.snapshots import at_one_moment, rows_in
from beat_the_ai.errors import InvalidInput, Refused, StoreError
from tests.campaign.backup.test_archive import Forged, unwatched
from tests.cli.forgettable import make
from tests.cli.launching import command
from tests.files.test_disk_full import ROOT, namespace

MEBIBYTE = 2**20
SPARED = "private/mephisto/writing/database.db"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    make(tmp_path)
    return tmp_path / "out"


def archives(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.zip"))


def test_an_archive_is_its_owners_alone_and_has_what_is_needed(out: Path, tmp_path: Path) -> None:
    (out / "private" / "operator.sock").touch()
    (out / "private" / "prolific.token").write_text("secret")
    made = back_up(out, str(out), tmp_path / "backups", unwatched, keep=None, checked=True)
    assert ((tmp_path / "backups").stat().st_mode & 0o777, made.path.stat().st_mode & 0o777) == (0o700, 0o600)
    names = {file.name for file in made.manifest.files}
    assert {
        "campaign/private/campaign.db",
        "campaign/private/launch.log",
        "campaign/private/mephisto/writing/database.db",
        "campaign/private/mephisto/writing/own/mturk.db",
        "campaign/rounds/1/frozen.json",
        "people/private/people.db",
        "people/private/portal.log",
    } <= names
    assert not [name for name in names if name.endswith((".lock", "-wal", "-shm", ".sock", ".token"))]
    assert latest_backup(out) is not None
    rows = {each.name: each.rows for each in made.manifest.databases}
    assert rows["campaign/private/campaign.db"]["attempts"] == 3
    assert rows["people/private/people.db"]["workers"] == 2


def test_a_folder_that_others_may_enter_is_refused(out: Path, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(mode=0o755)
    with pytest.raises(InvalidInput, match="chmod 700"):
        back_up(out, str(out), tmp_path / "shared", unwatched, keep=None, checked=False)
    assert list((tmp_path / "shared").iterdir()) == []


def test_only_older_backups_of_the_same_campaign_are_removed(out: Path, tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    first = back_up(out, str(out), backups, unwatched, keep=None, checked=False).path
    (backups / "pilot-20200101T000000Z.zip").write_bytes(b"somebody's own")
    with closing(sqlite3.connect(out / "private" / "campaign.db")) as store, store:
        store.execute("UPDATE campaigns SET pseudonym_key = 'another campaign of this name'")
    other = back_up(out, str(out), backups, unwatched, keep=1, checked=False)
    assert other.removed == []
    third = back_up(out, str(out), backups, unwatched, keep=1, checked=False)
    assert third.removed == [other.path]
    assert set(archives(backups)) == {first, third.path, backups / "pilot-20200101T000000Z.zip"}


def test_the_backup_that_was_made_stays_when_the_clock_was_set_back(out: Path, tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    first = back_up(out, str(out), backups, unwatched, keep=None, checked=False).path
    later = Forged(first, backups)
    later.manifest["made_at"] = "2090-01-01T00:00:00Z"
    later.write()
    made = back_up(out, str(out), backups, unwatched, keep=1, checked=False)
    assert (made.removed, archives(backups)) == ([later.path, first], [made.path])


def test_a_damaged_neighbour_stops_no_backup(out: Path, tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    first = back_up(out, str(out), backups, unwatched, keep=None, checked=False).path
    with zipfile.ZipFile(first) as packed:
        begin = packed.getinfo(MANIFEST).header_offset
    content = bytearray(first.read_bytes())
    content[begin + 50 : begin + 70] = b"\xff" * 20
    first.write_bytes(content)
    made = back_up(out, str(out), backups, unwatched, keep=1, checked=False)
    assert archives(backups) == sorted([first, made.path])


@pytest.mark.parametrize("place", ["out/private", "out/private/mephisto", "people/private"])
def test_backups_do_not_go_among_parts_of_the_campaign(out: Path, tmp_path: Path, place: str) -> None:
    (tmp_path / place).chmod(0o700)
    with pytest.raises(InvalidInput, match="has a part of the campaign in it"):
        back_up(out, str(out), tmp_path / place, unwatched, keep=None, checked=True)
    first, second = (
        back_up(out, str(out), tmp_path / place / "backups", unwatched, keep=None, checked=True) for _ in range(2)
    )
    names = [{file.name for file in made.manifest.files} for made in (first, second)]
    assert names[0] == names[1]
    assert f"campaign/{SPARED}" in names[0]


@pytest.mark.parametrize("begin", [0, 8192])
@pytest.mark.parametrize(
    ("name", "said"),
    [("campaign.db", "is damaged|not a database|malformed"), ("mephisto/writing/database.db", "database.db cannot")],
)
def test_a_database_that_is_damaged_is_no_other_file(
    out: Path, tmp_path: Path, name: str, said: str, begin: int
) -> None:
    file = out / "private" / name
    content = file.read_bytes()
    file.write_bytes(content[:begin] + b"x" * (len(content) - begin))
    with pytest.raises(StoreError, match=said):
        back_up(out, str(out), tmp_path / "backups", unwatched, keep=1, checked=False)
    assert archives(tmp_path / "backups") == []


def test_a_backup_that_is_killed_leaves_none_and_the_next_one_removes_its_rest(out: Path, tmp_path: Path) -> None:
    (out / "large.bin").write_bytes(os.urandom(48 * MEBIBYTE))
    backups = tmp_path / "backups"
    given = command("backup", str(out), "--to", str(backups), "--no-check")
    with subprocess.Popen(given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not any(path.stat().st_size > MEBIBYTE for path in (backups / DRAFT).glob("*.zip")):
            assert process.poll() is None, "it ended before it was killed"
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
    assert archives(backups) == []
    (out / "large.bin").unlink()
    done = subprocess.run(command("backup", str(out), "--to", str(backups)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "was cut off; the rest of it is removed" in done.stdout
    assert not (backups / DRAFT).exists()
    assert len(archives(backups)) == 1


def test_a_backup_that_is_stopped_leaves_nothing(out: Path, tmp_path: Path) -> None:
    (out / "large.bin").write_bytes(os.urandom(48 * MEBIBYTE))
    backups = tmp_path / "backups"
    given = command("backup", str(out), "--to", str(backups), "--no-check")
    with subprocess.Popen(given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not list((backups / DRAFT).glob("*.zip")):
            time.sleep(0.005)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) != 0
    assert archives(backups) == []
    assert not (backups / DRAFT).exists()


def test_a_full_disk_leaves_nothing_and_says_what_to_do(out: Path, tmp_path: Path) -> None:
    (out / "large.bin").write_bytes(os.urandom(3 * MEBIBYTE))
    backups = tmp_path / "backups"
    backups.mkdir(mode=0o700)
    program = f"{sys.executable} -m beat_the_ai.cli backup {out} --to {backups}"
    mount = f"mount -t tmpfs -o size={{}},mode=700 tmpfs {backups}"
    for size in ("64k", "2m"):  # the databases have no room; the archive has none
        script = f"{mount.format(size)} && {program}; status=$?; ls -A {backups}; exit $status"
        path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
        done = subprocess.run(
            [*namespace(), "sh", "-c", script],
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert (done.returncode, done.stdout.split()) == (1, [".backup.lock"]), done.stderr
        assert f"beat-the-ai: {backups}: No space left on device. Free some space there" in done.stderr
        assert "Exception ignored" not in done.stderr


def test_two_backups_are_not_made_at_once_in_one_folder(out: Path, tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    (out / "large.bin").write_bytes(os.urandom(48 * MEBIBYTE))
    with subprocess.Popen(command("backup", str(out), "--to", str(backups)), stdout=subprocess.DEVNULL) as process:
        while not (backups / DRAFT).exists():
            time.sleep(0.005)
        with pytest.raises(Refused, match="Another backup is being made"):
            back_up(out, str(out), backups, unwatched, keep=None, checked=False)
        assert process.wait(60) == 0


def test_databases_are_copied_as_they_are_at_one_moment(tmp_path: Path) -> None:
    """A writer moves numbers from one to the other, and never is one in neither."""
    files = [tmp_path / "spool.db", tmp_path / "store.db"]
    for file in files:
        with closing(sqlite3.connect(file)) as made, made:
            made.execute("PRAGMA journal_mode=WAL")
            made.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY, filler TEXT)")
    ended = threading.Event()

    def move() -> None:
        with closing(sqlite3.connect(files[0])) as spool, closing(sqlite3.connect(files[1])) as store:
            number = 0
            while not ended.is_set():
                number += 1
                with spool:
                    spool.execute("INSERT INTO numbers VALUES (?, ?)", (number, "x" * 2000))
                with store:
                    store.execute("INSERT INTO numbers VALUES (?, ?)", (number, "x" * 2000))
                with spool:
                    spool.execute("DELETE FROM numbers WHERE number = ?", (number - 5,))

    writer = threading.Thread(target=move)
    writer.start()
    try:
        for turn in range(20):
            copies = [tmp_path / f"{turn}-{file.name}" for file in files]
            with at_one_moment(files) as (snapshots, apart):
                for snapshot, copy in zip(snapshots, copies, strict=True):
                    time.sleep(0.02)  # the copies are made long after
                    snapshot.copy(copy, lambda _: None)
            assert apart.total_seconds() < 1
            found: set[int] = set()
            for copy in copies:
                with closing(sqlite3.connect(copy)) as read:
                    found |= {number for (number,) in read.execute("SELECT number FROM numbers")}
            assert found == set(range(1, max(found, default=0) + 1))
    finally:
        ended.set()
        writer.join()
    assert rows_in(files[1])[1]["numbers"] > 20


def test_what_was_backed_up_is_what_the_archive_names(out: Path, tmp_path: Path) -> None:
    made = back_up(out, str(out), tmp_path / "backups", unwatched, keep=None, checked=False)
    with opened(made.path) as archive:
        assert archive.manifest == made.manifest
        assert archive.manifest.campaigns == ["pilot"]
        assert archive.manifest.people == str(tmp_path / "people")
