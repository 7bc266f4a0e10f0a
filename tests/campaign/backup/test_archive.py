"""An archive that is damaged or hostile is refused, and nothing of it is written outside of its folder."""

from __future__ import annotations

import hashlib
import json
import random
import sqlite3
import stat
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.campaign.backup.archive import FORMAT, MANIFEST, STORE, is_plain, opened
from beat_the_ai.campaign.backup.checking import check
from beat_the_ai.campaign.backup.making import back_up
from beat_the_ai.campaign.backup.restoring import restore
from beat_the_ai.errors import InvalidInput, Refused
from tests.cli.forgettable import make

Content = dict[str, Any]


def unwatched(_step: str, _total: int) -> Callable[[int], None]:
    return lambda _done: None


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    make(folder)
    out = folder / "out"
    return back_up(out, str(out), folder / "backups", unwatched, keep=None, checked=True).path


class Forged:
    """An archive like a sound one, with other entries or another manifest."""

    def __init__(self, sound: Path, folder: Path) -> None:
        self.path = folder / "forged.zip"
        with zipfile.ZipFile(sound) as packed:
            self.entries = {name: packed.read(name) for name in packed.namelist()}
        self.manifest: Content = json.loads(self.entries.pop(MANIFEST))

    def add(self, name: str, content: bytes = b"x") -> None:
        """To the manifest, too."""
        self.entries[name] = content
        known = {"name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        self.manifest["files"].append(known)

    def write(self, **modes: int) -> Path:
        with zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, content in self.entries.items():
                info = zipfile.ZipInfo(name)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = modes.get(Path(name).name, stat.S_IFREG | 0o600) << 16
                packed.writestr(info, content)
            packed.writestr(MANIFEST, json.dumps(self.manifest))
        return self.path


@pytest.fixture
def forged(sound: Path, tmp_path: Path) -> Iterator[Forged]:
    yield Forged(sound, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} <= {"forged.zip"}, "something was written"


def refused(path: Path, reason: str) -> None:
    for attempt in (_check, _restore):
        with pytest.raises(InvalidInput, match=reason):
            attempt(path)


def _check(path: Path) -> None:
    with opened(path) as archive:
        check(archive, path.parent, unwatched)


def _restore(path: Path) -> None:
    restore(path, path.parent / "new", unwatched, store=None, people=None)


def test_a_sound_archive_is_sound(forged: Forged) -> None:
    _check(forged.write())


@pytest.mark.parametrize(
    "name", ["/tmp/outside", "../outside", "campaign/../../outside", "campaign//x", "campaign/./x", "a\\b", "a\nb", ""]
)
def test_names_outside_of_the_folder_are_refused(forged: Forged, name: str) -> None:
    assert not is_plain(name)
    if name:
        forged.add(name)
        refused(forged.write(), "no sound backup")


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFDIR])
def test_links_devices_and_the_like_are_refused(forged: Forged, kind: int) -> None:
    forged.add("campaign/strange", b"/etc/passwd")
    refused(forged.write(strange=kind | 0o777), "no plain file")


def test_a_file_that_is_a_folder_too_is_refused(forged: Forged) -> None:
    forged.add("campaign/private/campaign.db/x")
    refused(forged.write(), "a folder, too")


def test_files_that_the_manifest_does_not_have_are_refused(forged: Forged) -> None:
    forged.entries["campaign/more"] = b"x"
    refused(forged.write(), "not those that its manifest.json lists")


def test_a_file_that_is_missing_is_refused(forged: Forged) -> None:
    del forged.entries["campaign/private/launch.log"]
    refused(forged.write(), "not those that its manifest.json lists")


def test_another_content_is_refused(forged: Forged) -> None:
    log = forged.entries["campaign/private/launch.log"]
    forged.entries["campaign/private/launch.log"] = b"y" * len(log)
    refused(forged.write(), "launch.log is not what was packed")


def test_a_bomb_is_refused_before_it_is_unpacked(forged: Forged) -> None:
    """It says that it is small, in the manifest or in the list of the ZIP file, too."""
    forged.add("campaign/bomb")
    forged.entries["campaign/bomb"] = bytes(50 * 2**20)
    path = forged.write()
    assert path.stat().st_size < 2 * 2**20
    refused(path, "another size")
    content = path.read_bytes()
    assert content.count((50 * 2**20).to_bytes(4, "little")) == 2
    path.write_bytes(content.replace((50 * 2**20).to_bytes(4, "little"), (1).to_bytes(4, "little")))
    refused(path, "no sound backup")


def test_a_store_that_has_lost_rows_is_refused(forged: Forged) -> None:
    [store] = [one for one in forged.manifest["databases"] if one["name"] == STORE]
    store["rows"]["attempts"] += 1
    refused(forged.write(), "its table attempts has 3 rows, and 4 were backed up")


def test_a_damaged_database_is_refused(forged: Forged) -> None:
    content = forged.entries[STORE]
    damaged = content[:8192] + b"\xff" * 8192 + content[16384:]
    forged.entries[STORE] = damaged
    [entry] = [one for one in forged.manifest["files"] if one["name"] == STORE]
    entry["sha256"] = hashlib.sha256(damaged).hexdigest()
    refused(forged.write(), "campaign.db")


def test_half_an_archive_is_refused(sound: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.zip"
    half.write_bytes(sound.read_bytes()[: sound.stat().st_size // 2])
    refused(half, "cannot be read")
    half.write_bytes(b"")
    refused(half, "cannot be read")


def test_damage_anywhere_is_refused(sound: Path, tmp_path: Path) -> None:
    whole, damaged, draw = sound.read_bytes(), tmp_path / "damaged.zip", random.Random(1)
    with zipfile.ZipFile(sound) as packed:
        begin = packed.getinfo(MANIFEST).header_offset
    refusals = 0
    for _ in range(400):
        content = bytearray(whole)
        for _ in range(draw.choice((1, 4))):
            content[draw.randrange(begin, len(content))] = draw.randrange(256)
        damaged.write_bytes(content)
        try:
            with opened(damaged):
                pass
        except (InvalidInput, Refused):
            refusals += 1
    assert refusals > 300


def test_a_large_manifest_is_refused_before_it_is_read(forged: Forged) -> None:
    forged.manifest["version"] = " " * 2**25
    refused(forged.write(), "manifest.json has 33,")


def test_any_other_zip_file_is_no_backup(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as packed:
        packed.writestr("readme", "hello")
    refused(tmp_path / "other.zip", "is no backup of a campaign")


@pytest.mark.parametrize("change", [{"format": FORMAT + 1, "another": "field"}, {"schema": "9999"}])
def test_an_archive_of_a_newer_version_is_refused(forged: Forged, change: Content) -> None:
    for one in forged.manifest["databases"] if "schema" in change else ():
        one["schema_version"] = change["schema"]
    forged.manifest |= {} if "schema" in change else change
    forged.manifest["version"] = "9.9"
    path = forged.write()
    for attempt in (_check, _restore):
        with pytest.raises(Refused, match=r"newer version \(9\.9"):
            attempt(path)


@pytest.mark.parametrize(
    "change",
    [
        {"folder": ""},
        {"folder": "elsewhere"},
        {"campaigns": []},
        {"campaigns": ["\x1b[2Jpilot"]},
        {"inputs": {"../../outside": "/etc/passwd"}},
        {"inputs": {STORE: "/etc/passwd"}},
        {"made_at": "2026-11-27T10:15:00"},
        {"databases": [{"name": "campaign/none.db", "schema_version": None, "rows": {}}]},
        {"files": "all of them"},
        {"more": 1},
    ],
)
def test_a_manifest_that_says_something_else_is_refused(forged: Forged, change: Content) -> None:
    forged.manifest |= change
    refused(forged.write(), "no sound backup")


def test_a_table_of_any_name_is_counted(forged: Forged, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("odd") / "odd.db"
    with closing(sqlite3.connect(file)) as odd, odd:
        odd.execute('CREATE TABLE "a ""b"" :c" (d)')
    forged.add("campaign/odd.db", file.read_bytes())
    forged.manifest["databases"].append({"name": "campaign/odd.db", "schema_version": None, "rows": {'a "b" :c': 0}})
    _check(forged.write())
