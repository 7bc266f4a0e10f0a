"""Texts in files, from which contexts are cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.content import read_text
from beat_the_ai.files.records import read_rows
from beat_the_ai.files.values import Id, check_unique

GENRE = r"^[a-z][a-z0-9_]{0,39}$"


@dataclass(frozen=True)
class Document:
    id: str
    title: str
    genre: str
    text: str


class _Line(BaseModel):
    """A line of a file of documents. Other fields of the line are ignored."""

    model_config = ConfigDict(strict=True)

    id: Id = Field(min_length=1, max_length=200)  # a passage's number is added to it
    title: Id = ""
    genre: str | None = Field(default=None, pattern=GENRE)
    text: str


def read_documents(paths: Iterable[Path], genre: str | None) -> list[Document]:
    """From JSON Lines (`id`, `text`, perhaps `title` and `genre`), or folders of .txt files, which are named by them.

    `genre` is that of documents which say none. Raises `InvalidInput` that names file, line and rule.
    """
    found = [
        document for path in paths for document in (_of_folder(path, genre) if path.is_dir() else _of_file(path, genre))
    ]
    check_unique((document.id for document in found), "DOCUMENTS", "DOCUMENTS", "documents")
    return found


def _of_folder(folder: Path, genre: str | None) -> Iterator[Document]:
    paths = sorted(folder.rglob("*.txt"))
    if not paths:
        raise InvalidInput("DOCUMENTS", f"{folder} holds no .txt files.")
    for path in paths:
        name = path.relative_to(folder).with_suffix("").as_posix()
        yield _document(name, path.stem, genre, read_text(path, "DOCUMENTS"), f"{path}")


def _of_file(path: Path, genre: str | None) -> Iterator[Document]:
    for where, record in read_rows(path, _Line, "DOCUMENTS", "'id' and 'text'"):
        yield _document(record.id, record.title, record.genre or genre, record.text, where)


def _document(name: str, title: str, genre: str | None, text: str, where: str) -> Document:
    if genre is None:
        raise InvalidInput("--genre", f"{where}: no genre is named there. Name one for all such texts: --genre news.")
    if "\0" in name + title + text:
        raise InvalidInput("DOCUMENTS", f"{where}: the text has a NUL, which no store can keep.")
    return Document(name, title, genre, text)
