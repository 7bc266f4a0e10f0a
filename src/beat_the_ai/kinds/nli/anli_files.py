"""The dataset as ANLI is released: a folder for each round, with its parts as JSON Lines and as a `DatasetDict`."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.dataset.files import remove_others
from beat_the_ai.dataset.hugging_face_files import write_dataset_dict
from beat_the_ai.dataset.jsonl_files import write_parts
from beat_the_ai.dataset.records import HUGGING_FACE_FOLDER
from beat_the_ai.rules.dataset import Dataset, Parts

ANLI_FOLDER = "anli"


def write_rounds(folder: Path, parts: Parts, dataset: Dataset) -> list[Path]:
    """`anli/R<round>/<part>.jsonl`, and `anli/R<round>/hf/` beside them."""
    written: list[Path] = []
    for number in sorted({example.round for examples in parts.values() for example in examples}):
        of_round = {name: [each for each in examples if each.round == number] for name, examples in parts.items()}
        place = folder / ANLI_FOLDER / f"R{number}"
        written += write_parts(place, of_round, dataset)
        hub = write_dataset_dict(place / HUGGING_FACE_FOLDER, of_round, dataset)
        remove_others(place / HUGGING_FACE_FOLDER, "*/data*.arrow", hub)
        written += hub
    return written
