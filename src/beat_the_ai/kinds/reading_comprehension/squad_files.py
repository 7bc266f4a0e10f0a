"""The dataset as SQuAD v1.1 JSON: all of it in one file, and each part in one of its own.

Articles by title, in them passages, in them questions, each in the order in which it comes first. Questions come in
another order: they lie in a spool until all are there.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from beat_the_ai.dataset.files import replacing
from beat_the_ai.dataset.spool import Spool, spool
from beat_the_ai.rules.dataset import Example
from beat_the_ai.terms.division import PARTS

SQUAD_FILE = "squad.json"

T = TypeVar("T")


@dataclass
class Passage:
    """The places of its text and of its questions in the spool."""

    text: int
    questions: array[int] = field(default_factory=lambda: array("Q"))


Articles = dict[str, dict[str, Passage]]  # by title, by the context's id


class SquadFiles:
    """`squad.json` and `squad/<part>.json`."""

    def __init__(self, folder: Path, lines: Spool) -> None:
        self._files = {part: folder / "squad" / f"{part}.json" for part in PARTS}
        self._whole = folder / SQUAD_FILE
        self._lines = lines
        self._articles: Mapping[str, Articles] = {part: {} for part in PARTS}

    @property
    def paths(self) -> Sequence[Path]:
        return [self._whole, *self._files.values()]

    def write(self, part: str, examples: Sequence[Example]) -> None:
        for example in examples:
            context, answer = example.context, example.work["answer"]
            passages = self._articles[part].setdefault(context.title, {})
            if context.id not in passages:
                passages[context.id] = Passage(self._lines.put(_json(context.text)))
            answers = [{"text": answer["text"], "answer_start": answer["start"]}]
            question = {"id": example.id, "question": example.work["question"], "answers": answers}
            passages[context.id].questions.append(self._lines.put(_json(question)))

    def end(self) -> None:
        """Write the files."""
        self._write(self._whole, PARTS)
        for part, path in self._files.items():
            self._write(path, [part])

    def _write(self, path: Path, parts: Sequence[str]) -> None:
        with replacing(path) as file:
            file.writelines(self._content(parts))

    def _content(self, parts: Sequence[str]) -> Iterator[bytes]:
        titles = dict.fromkeys(title for part in parts for title in self._articles[part])
        yield b'{"version": "1.1", "data": ['
        for comma, title in _with_commas(titles):
            yield b'%b{"title": %b, "paragraphs": [' % (comma, _json(title))
            of_title = (self._articles[part].get(title, {}) for part in parts)
            for comma, passage in _with_commas(chain.from_iterable(each.values() for each in of_title)):
                [text] = self._lines.lines([passage.text])
                yield b'%b{"context": %b, "qas": [' % (comma, text)
                for comma, question in _with_commas(self._lines.lines(passage.questions)):
                    yield comma + question
                yield b"]}"
            yield b"]}"
        yield b"]}\n"


@contextmanager
def squad_files(folder: Path) -> Iterator[SquadFiles]:
    with spool(folder) as lines:
        files = SquadFiles(folder, lines)
        yield files
        files.end()


def _json(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode()


def _with_commas(items: Iterable[T]) -> Iterator[tuple[bytes, T]]:
    """Yield each item with what parts it from the one before."""
    for number, item in enumerate(items):
        yield b", " if number else b"", item
