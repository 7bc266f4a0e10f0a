"""The archive of a campaign: a ZIP file with a manifest, which says of each file in it how large it is and its hash.

An archive may have come from anywhere. Nothing in it is believed that the manifest does not say, nothing is written
outside the folder that it is unpacked into, and no more of it is read than the manifest says.
"""

from __future__ import annotations

import hashlib
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import IO, Annotated, BinaryIO

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from beat_the_ai.errors import InvalidInput, Refused, first_fault
from beat_the_ai.files.permissions import PRIVATE
from beat_the_ai.marketplace.people.store import FILE as PEOPLE_FILE
from beat_the_ai.terms.locate import STORE_FILE

FORMAT = 1
ENDING = ".zip"
MANIFEST = "manifest.json"
MOST_BYTES_BESIDE, MOST_BYTES_OF_ONE = 2**24, 2**13  # of the manifest: of its files, and beside them
AT_A_TIME = 2**20
KEY = "FILE"
CAMPAIGN, PEOPLE, INPUTS = "campaign", "people", "inputs"  # folders in the archive
STORE = f"{CAMPAIGN}/{PRIVATE}/{STORE_FILE}"
PEOPLE_STORE = f"{PEOPLE}/{PRIVATE}/{PEOPLE_FILE}"
DUMPS = {CAMPAIGN: "campaign.dump", PEOPLE: "people.dump"}  # of PostgreSQL
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# What `zipfile` raises for a damaged file: `RuntimeError` for a method that it does not know, `OSError` for a place.
DAMAGE = (zipfile.BadZipFile, EOFError, OSError, RuntimeError, ValueError, struct.error, zlib.error)

Advance = Callable[[int], None]  # by so many bytes
Watch = Callable[[str, int], Advance]  # a step that begins, and the bytes that there are to do


class Record(BaseModel):
    """A part of the manifest."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class PackedFile(Record):
    """A file: its size in bytes, and its SHA-256 in hexadecimal digits."""

    name: str = Field(max_length=4096)
    size: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class PackedDatabase(Record):
    """A database among the files: the version of its schema, where it has one, and the rows of its tables."""

    name: str
    schema_version: str | None
    rows: dict[str, int]


class Manifest(Record):
    """The content of an archive.

    `campaigns` are ids; `identity` is what no other campaign has, `people_identity` what no other people have.
    `folder`, `store`, `people` and `inputs` are where things lay: the campaign, its store, the people of its crowd, and
    by their names in here the files that its records name. `models` are folders that are no part of it. `apart_ms` is
    how many milliseconds it took to begin reading all databases.
    """

    format: int
    version: str = Field(max_length=80)
    made_at: AwareDatetime
    campaigns: list[Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,80}$")]] = Field(min_length=1)
    identity: list[str]
    folder: str = Field(pattern=r"^/.+")
    store: str
    people: str | None
    people_identity: str | None
    inputs: dict[Annotated[str, Field(pattern=rf"^{INPUTS}/.")], str]
    models: list[str]
    apart_ms: float
    files: list[PackedFile]
    databases: list[PackedDatabase]

    @property
    def size(self) -> int:
        """Return the bytes of all files."""
        return sum(file.size for file in self.files)

    def database(self, name: str) -> PackedDatabase | None:
        return next((each for each in self.databases if each.name == name), None)


class Packer:
    """Writes an archive file by file; the manifest comes last."""

    def __init__(self, stream: BinaryIO, advance: Advance) -> None:
        self._zip = zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        self._advance = advance
        self.files: list[PackedFile] = []

    def add(self, name: str, source: IO[bytes]) -> None:
        """Add what the stream has. One that grows is taken as far as it is read."""
        digest, size = hashlib.sha256(), 0
        with self._zip.open(_entry(name), "w", force_zip64=True) as packed:
            while chunk := source.read(AT_A_TIME):
                digest.update(chunk)
                size += len(chunk)
                packed.write(chunk)
                self._advance(len(chunk))
        self.files.append(PackedFile(name=name, size=size, sha256=digest.hexdigest()))

    def add_manifest(self, manifest: Manifest) -> None:
        self._zip.writestr(_entry(MANIFEST), manifest.model_dump_json(indent=1))

    def __enter__(self) -> Packer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with nullcontext() if error is None else suppress(OSError, ValueError):
            self._zip.close()


def _entry(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (stat.S_IFREG | 0o600) << 16
    return info


class Archive:
    """An open archive whose list of files is that of its manifest."""

    def __init__(self, path: Path, packed: zipfile.ZipFile) -> None:
        """Raises `InvalidInput` for what is no archive of a campaign, and `Refused` for one of a newer version."""
        self.path = path
        self._zip = packed
        self.manifest = _manifest(path, packed)
        _check_entries(path, packed, self.manifest.files)
        named = {*self.manifest.inputs, *(each.name for each in self.manifest.databases)}
        if missing := named - {file.name for file in self.manifest.files}:
            raise _damaged(path, f"{min(missing)[:200]!r} is not in it")

    def unpack(self, folder: Path, advance: Advance) -> None:
        """Write every file into an empty folder, as private files. Raises `InvalidInput` for one that is damaged."""
        for file in self.manifest.files:
            place = folder / file.name
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("xb") as target:
                for chunk in self.chunks(file, advance):
                    target.write(chunk)

    def chunks(self, file: PackedFile, advance: Advance) -> Iterator[bytes]:
        """Yield a file, and raise `InvalidInput` at its end unless it is what the manifest says."""
        digest, left = hashlib.sha256(), file.size
        try:
            with self._zip.open(file.name) as packed:
                while chunk := packed.read(min(AT_A_TIME, left + 1)):
                    left -= len(chunk)
                    if left < 0:
                        break
                    digest.update(chunk)
                    yield chunk
                    advance(len(chunk))
        except DAMAGE as error:
            raise _damaged(self.path, f"{file.name} cannot be read ({error})") from error
        if left or digest.hexdigest() != file.sha256:
            raise _damaged(self.path, f"{file.name} is not what was packed")


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """Open an archive. Raises `InvalidInput` and `Refused` as `Archive` does."""
    if not path.is_file():
        raise InvalidInput(KEY, f"There is no file {path}.")
    with ExitStack() as stack:
        try:
            archive = Archive(path, stack.enter_context(zipfile.ZipFile(path)))
        except DAMAGE as error:
            raise _damaged(path, f"it cannot be read ({error})") from error
        yield archive


def _manifest(path: Path, packed: zipfile.ZipFile) -> Manifest:
    """Read the manifest, of which the format stands before anything else: a newer one may have other fields."""
    try:
        info = packed.getinfo(MANIFEST)
    except KeyError:
        raise InvalidInput(KEY, f"{path} is no backup of a campaign: it has no {MANIFEST}.") from None
    _check_packing(path, info)
    if info.file_size > MOST_BYTES_BESIDE + MOST_BYTES_OF_ONE * len(packed.infolist()):
        raise _damaged(path, f"its {MANIFEST} has {info.file_size:,} bytes")
    with packed.open(info) as stream:
        text = stream.read(info.file_size)
    try:
        known = _Format.model_validate_json(text)
        if known.format > FORMAT:
            raise Refused(
                f"{path} was made by a newer version ({known.version[:40]}), which packs backups otherwise. Restore it "
                "with that version."
            )
        return Manifest.model_validate_json(text)
    except ValidationError as error:
        raise _damaged(path, f"its {MANIFEST} is wrong at {first_fault(error, 'its top').place}") from error


class _Format(BaseModel):
    format: int
    version: str


def _check_entries(path: Path, packed: zipfile.ZipFile, files: Sequence[PackedFile]) -> None:
    """Raise `InvalidInput` unless these are plain files inside of one folder, and exactly those that are listed."""
    sizes = {file.name: file.size for file in files}
    entries = [info for info in packed.infolist() if info.filename != MANIFEST]
    if len(sizes) != len(files) or sorted(info.filename for info in entries) != sorted(sizes):
        raise _damaged(path, f"its files are not those that its {MANIFEST} lists")
    for info in entries:
        mode = info.external_attr >> 16
        if not is_plain(info.filename) or info.orig_filename != info.filename:
            raise _damaged(path, f"{info.filename[:200]!r} is no name of a file in it")
        if info.is_dir() or stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise _damaged(path, f"{info.filename[:200]!r} is no plain file")
        _check_packing(path, info)
        if info.file_size != sizes[info.filename]:
            raise _damaged(path, f"{info.filename[:200]!r} has another size than its {MANIFEST} says")
    folders = {str(parent) for name in sizes for parent in PurePosixPath(name).parents}
    if folders & set(sizes):
        raise _damaged(path, "a file in it is a folder, too")


def _check_packing(path: Path, info: zipfile.ZipInfo) -> None:
    if info.flag_bits & 1 or info.compress_type not in METHODS:
        raise _damaged(path, f"{info.filename[:200]!r} is packed in another way")


def is_plain(name: str) -> bool:
    """Return whether a name is that of a file in the folder that an archive is unpacked into."""
    parts = name.split("/")
    return name.isprintable() and "\\" not in name and not any(part in ("", ".", "..") for part in parts)


def _damaged(path: Path, reason: str) -> InvalidInput:
    return InvalidInput(KEY, f"{path} is no sound backup: {reason}. Nothing was restored. Take another one.")
