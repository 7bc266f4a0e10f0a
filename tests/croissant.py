"""An export by its `croissant.json`, as the library of the format's authors reads it."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest


def croissant_of(folder: Path) -> tuple[Any, dict[str, list[dict[str, Any]]]]:
    """Return the described dataset and the rows of its tables. The library compares all checksums."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # old ways of the libraries that it imports
        library = pytest.importorskip("mlcroissant", exc_type=ImportError)
        dataset = library.Dataset(folder / "croissant.json")
        rows = {each.name: list(dataset.records(each.name)) for each in dataset.metadata.record_sets}
    assert not dataset.metadata.issues.errors
    return dataset, rows
