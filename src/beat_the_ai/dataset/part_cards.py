"""The card in a folder of parts, which tells the library `datasets` where they lie."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from pathlib import Path

from beat_the_ai.dataset.card import CARD_FILE
from beat_the_ai.dataset.files import sha256, write_text
from beat_the_ai.dataset.splits import SPLITS


def write_part_card(folder: Path, files: Mapping[str, Path], with_rows: Collection[str]) -> Path:
    """Write a card that names the files of the parts with rows, so that `load_dataset(folder)` reads them.

    The library reads no split without rows. It keeps what it has read by the card's metadata: the checksum there tells
    one dataset from another in a folder of the same name.
    """
    splits = {SPLITS[part]: path for part, path in files.items() if part in with_rows}
    checksum = hashlib.sha256("".join(map(sha256, splits.values())).encode()).hexdigest()
    lines = ["---"]
    if splits:
        lines += ["configs:", "- config_name: default", f"  description: sha256 {checksum}", "  data_files:"]
    for split, path in splits.items():
        lines += [f"  - split: {split}", f"    path: {path.relative_to(folder).as_posix()}"]
    text = "The parts of a dataset that have rows; dev is called validation."
    write_text(folder / CARD_FILE, "\n".join([*lines, "---", "", text, ""]))
    return folder / CARD_FILE
