"""The dataset as ANLI is released: a folder for each round, with its parts as JSON Lines and as a `DatasetDict`."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.dataset.files import remove_others
from beat_the_ai.dataset.hugging_face_files import write_dataset_dict
from beat_the_ai.dataset.jsonl_files import write_parts
from beat_the_ai.dataset.part_cards import write_part_card
from beat_the_ai.dataset.records import HUGGING_FACE_FOLDER, SPLITS
from beat_the_ai.rules.dataset import Dataset, Parts

ANLI_FOLDER = "anli"


def write_rounds(folder: Path, parts: Parts, dataset: Dataset) -> list[Path]:
    """`anli/R<round>/<part>.jsonl`, and `anli/R<round>/hf/` beside them."""
    written: list[Path] = []
    for number in sorted({example.round for examples in parts.values() for example in examples}):
        of_round = {name: [each for each in examples if each.round == number] for name, examples in parts.items()}
        place = folder / ANLI_FOLDER / f"R{number}"
        files = write_parts(place, of_round, dataset)
        with_rows = [name for name, examples in of_round.items() if examples]
        written += [*files, write_part_card(place, dict(zip(of_round, files, strict=True)), with_rows)]
        hub = write_dataset_dict(place / HUGGING_FACE_FOLDER, of_round, dataset)
        remove_others(place / HUGGING_FACE_FOLDER, "*/data*.arrow", hub)
        shards = {path.parent.name: path for path in hub if path.suffix == ".arrow"}
        hub_files = {name: shards[SPLITS[name]] for name in of_round}
        written += [*hub, write_part_card(place / HUGGING_FACE_FOLDER, hub_files, with_rows)]
    return written
