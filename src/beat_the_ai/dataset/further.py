"""Tables beside the dataset and that of attempts: drafts, votes, what newcomers wrote."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from beat_the_ai.dataset.format import Format
from beat_the_ai.dataset.jsonl_files import json_lines
from beat_the_ai.rules.protocol import Value

BATCH_ROWS = 1000


@dataclass(frozen=True)
class FurtherTable:
    """`about` says in the data card what `rows` are; these are read once, as they are written.

    What is `private` holds what future workers must not see: it is not published with the dataset.
    """

    name: str
    row_type: type[Value]
    about: str
    rows: Iterator[Value]
    private: bool = False

    def write(self, folder: Path, formats: list[Format]) -> list[Path]:
        """The files, one of each format."""
        with ExitStack() as opened:
            files = [opened.enter_context(each.table(folder, self.name, self.row_type)) for each in formats]
            while files and (batch := list(islice(self.rows, BATCH_ROWS))):
                lines = json_lines(batch)
                for file in files:
                    file.write(lines)
        return [file.path for file in files]
