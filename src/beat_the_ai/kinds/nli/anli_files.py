"""The dataset as ANLI is released: a folder for each round, with its parts as JSON Lines and as a `DatasetDict`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from beat_the_ai.dataset import jsonl_files
from beat_the_ai.dataset.files import remove_others
from beat_the_ai.dataset.format import PartFiles, part_files
from beat_the_ai.dataset.hugging_face_files import dataset_dict
from beat_the_ai.dataset.jsonl_files import json_lines
from beat_the_ai.dataset.names import HUGGING_FACE_FOLDER
from beat_the_ai.dataset.part_cards import write_part_card
from beat_the_ai.rules.dataset import Dataset, Example
from beat_the_ai.terms.division import PARTS

ANLI_FOLDER = "anli"


class RoundFiles:
    """The files of one round, open for examples."""

    def __init__(self, folder: Path, dataset: Dataset, opened: ExitStack) -> None:
        self._folder, self._hub_folder = folder, folder / HUGGING_FACE_FOLDER
        self._dataset = dataset
        row_type = dataset.example_type
        self._lines = opened.enter_context(part_files(folder, PARTS, row_type, jsonl_files.table))
        self._hub = opened.enter_context(dataset_dict(self._hub_folder, PARTS, row_type))
        self._with_rows: set[str] = set()

    def write(self, part: str, examples: Sequence[Example]) -> None:
        lines = json_lines(map(self._dataset.row, examples))
        for files in (self._lines, self._hub):
            files.rows[part].write(lines)
        self._with_rows.add(part)

    def end(self) -> list[Path]:
        """Write the cards, once the files are closed. Return the paths of all."""
        remove_others(self._hub_folder, "*/data*.arrow", self._hub.paths)
        return [
            *self._lines.paths,
            self._card(self._folder, self._lines),
            *self._hub.paths,
            self._card(self._hub_folder, self._hub),
        ]

    def _card(self, folder: Path, files: PartFiles) -> Path:
        paths = {part: rows.path for part, rows in files.rows.items()}
        return write_part_card(folder, paths, [part for part in PARTS if part in self._with_rows])


class AnliFiles:
    """`anli/R<round>/<part>.jsonl`, and `anli/R<round>/hf/` beside them, of each round with examples."""

    def __init__(self, folder: Path, dataset: Dataset, opened: ExitStack) -> None:
        self.paths: list[Path] = []
        self.rounds: dict[int, RoundFiles] = {}
        self._folder = folder / ANLI_FOLDER
        self._dataset = dataset
        self._opened = opened

    def write(self, part: str, examples: Sequence[Example]) -> None:
        of_round: defaultdict[int, list[Example]] = defaultdict(list)
        for example in examples:
            of_round[example.round].append(example)
        for number, some in of_round.items():
            if number not in self.rounds:
                self.rounds[number] = RoundFiles(self._folder / f"R{number}", self._dataset, self._opened)
            self.rounds[number].write(part, some)


@contextmanager
def anli_files(folder: Path, dataset: Dataset) -> Iterator[AnliFiles]:
    with ExitStack() as opened:
        files = AnliFiles(folder, dataset, opened)
        yield files
    files.paths += [path for number in sorted(files.rounds) for path in files.rounds[number].end()]
