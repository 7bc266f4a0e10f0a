"""Catalogues: the messages (`AREA.json`) and texts (`NAME.md`) of one language, merged from folders.

A folder of words has a folder for each language. `AREA.json` is an object of ICU messages; the message `title` of
`session.json` is `session.title`. `NAME.md` is Markdown. The product, a kind of task and a task folder each have a
folder of words; the later ones override single messages and whole texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.rules.protocol import View
from beat_the_ai.words.languages import PRODUCT
from beat_the_ai.words.markdown import Node, as_nodes

MOST_BYTES = 1_000_000  # of a file


class Catalogue(View):
    """The words of one language, complete: a message that is missing in the language is English."""

    language: str
    messages: Mapping[str, str]
    texts: Mapping[str, tuple[Node, ...]]


def page_words(language: str, *folders: Path) -> Catalogue:
    """Return the words of workers' pages: those of the product, overridden by those of `folders`, the last first.

    Raises `InvalidInput` for a file that cannot be read as words.
    """
    return merged(language, [PRODUCT / "page", *folders])


def merged(language: str, folders: Sequence[Path]) -> Catalogue:
    """Return the words of a language: all folders' English ones first, then theirs in the language."""
    messages, texts = dict[str, str](), dict[str, tuple[Node, ...]]()
    for spoken in dict.fromkeys([ENGLISH, language]):
        for folder in folders:
            for path in word_files(folder / spoken):
                if path.suffix == ".md":
                    texts[path.stem] = as_nodes(read(path))
                else:
                    messages |= read_messages(path)
    return Catalogue(language=language, messages=messages, texts=texts)


def word_files(folder: Path) -> Iterator[Path]:
    """Yield the files of words in a language's folder, in a fixed order."""
    if folder.is_dir():
        yield from (path for path in sorted(folder.iterdir()) if path.suffix in (".json", ".md"))


def read_messages(path: Path) -> dict[str, str]:
    """Return the messages of a file by their keys, area included. Raises `InvalidInput`."""
    try:
        content = json.loads(read(path))
    except (ValueError, RecursionError) as error:
        raise InvalidInput("words", f"{path} is no JSON: {error}.") from error
    if not isinstance(content, dict) or not all(isinstance(text, str) for text in content.values()):
        raise InvalidInput("words", f"{path} is no object of messages. Each key has one text.")
    return {f"{path.stem}.{key}": text for key, text in content.items()}


def read(path: Path) -> str:
    """Return the text of a file. Raises `InvalidInput` for one that is too large, or not UTF-8."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InvalidInput("words", f"{path} has more than {MOST_BYTES:,} bytes.")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("words", f"{path} cannot be read: {error}.") from error
