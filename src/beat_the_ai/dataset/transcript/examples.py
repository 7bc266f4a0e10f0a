"""Comparing the examples of an export with its transcript: each is made again from what its entry says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from beat_the_ai.dataset.names import HUGGING_FACE_FOLDER
from beat_the_ai.dataset.splits import SPLITS
from beat_the_ai.dataset.transcript.contents import text_hash
from beat_the_ai.dataset.transcript.reading import HOSTILE, Changed, Fault, object_of, shown
from beat_the_ai.dataset.transcript.replay import Fields, Replay
from beat_the_ai.dataset.transcript.rows import differences, rows
from beat_the_ai.rules.dataset import Example


@dataclass(frozen=True, slots=True)
class Kept:
    """An attempt that is in the dataset, as the table of attempts has it; `label` is what the votes come to."""

    part: str
    exclusive: bool
    label: str | None


def part_of(name: str) -> str | None:
    """Return the part whose examples a file of a common format has."""
    path = PurePosixPath(name)
    for part, split in SPLITS.items():
        if name in (f"jsonl/{part}.jsonl", f"parquet/{part}.parquet"):
            return part
        if path.parent == PurePosixPath(HUGGING_FACE_FOLDER) / split and path.suffix == ".arrow":
            return part
    return None


class ExampleCheck:
    """The check of one file of examples. `rows` counts those that were made again."""

    def __init__(self, path: Path, name: str, replay: Replay, kept: Mapping[str, Kept]) -> None:
        self.rows = 0
        self._path = path
        self._name = name
        self._replay = replay
        self._kept = kept

    def of_part(self, part: str) -> Iterator[Fault]:
        """Yield what is wrong with the examples of a part."""
        kind = self._replay.last_kind
        if kind is None:
            return
        missing = {name for name, each in self._kept.items() if each.part == part}
        line = 0
        try:
            for line, row in rows(self._path, self._name):
                name, context = kind.dataset.told(row)
                subject = f"example {shown(name)}"
                if name not in missing:
                    yield Fault(self._name, f"it is no example of {part} by the table of attempts", line, subject)
                    continue
                missing.remove(name)
                number, content = self._replay.attempts[name]
                entry = object_of(content, self._name, line)
                if context.text and text_hash(context.text) != entry["context_sha256"]:
                    yield Fault(self._name, "its context is another text than in the transcript", line, subject)
                of_round = self._replay.kind(entry["round"]) or kind
                made = of_round.dataset.row(
                    Example(
                        name,
                        part,
                        context,
                        entry["work"],
                        self._kept[name].label,
                        entry["model"]["name"],
                        entry["prediction"],
                        entry["fooled"],
                        entry["round"],
                        self._kept[name].exclusive,
                        entry["explanation"],
                    )
                ).model_dump(mode="json")
                self.rows += 1
                for what in differences(_with_arm(made, row, entry), row):
                    yield Fault(self._name, f"{what} (entry {number})", line, subject)
        except Changed as error:
            yield error.fault
            return
        except (*HOSTILE, OSError) as error:
            yield Fault(self._name, f"it cannot be understood ({type(error).__name__})", line + 1)
            return
        for name in sorted(missing):
            yield Fault(self._name, "it is missing here", None, f"example {shown(name)}")


def _with_arm(made: Fields, row: Fields, entry: Fields) -> Fields:
    return {**made, "arm": entry["arm"]} if "arm" in row else made
