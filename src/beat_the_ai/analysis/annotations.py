"""Samples of a dataset that people annotate, and what they have saved.

`pages.annotation_page` makes a page that opens offline; what it saves, `read_annotations` reads back. Of an item that
was annotated more than once, in one file or several, the last counts.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.files.json_text import read_json
from beat_the_ai.files.records import json_values_of, read_records
from beat_the_ai.rules.corpora import Item, Scheme

KEY = "ANNOTATIONS"


class _Annotation(BaseModel):
    model_config = ConfigDict(strict=True)

    id: str
    labels: list[str]


class _Annotations(BaseModel):
    model_config = ConfigDict(strict=True)

    annotations: list[_Annotation]


def sample(items: Sequence[Item], size: int, seed: int) -> list[Item]:
    """Return `size` items (all, if there are fewer) drawn by the seed, in the order in which they are annotated."""
    return random.Random(seed).sample(items, min(size, len(items)))  # noqa: S311  # no secret hangs on it


def sample_key(items: Sequence[Item]) -> str:
    """Return a key that tells samples apart, so that a page does not take up the labels of another one."""
    return hashlib.sha256("\0".join(item.id for item in items).encode()).hexdigest()[:16]


def read_annotations(paths: Sequence[Path], scheme: Scheme) -> dict[str, list[str]]:
    """Return `{id: labels}`, with the label of each finer one. Raises `InvalidInput` that names file and fault.

    A file that is no JSON is a table of other annotators, for a scheme that reads any.
    """
    found: dict[str, list[str]] = {}
    for path in paths:
        if scheme.published is not None and json_values_of(path, KEY) is None:
            found |= scheme.published(read_records(path, KEY))
        else:
            found |= {one.id: _labels(one, path, scheme) for one in _read(path).annotations}
    return found


def _labels(one: _Annotation, path: Path, scheme: Scheme) -> list[str]:
    """Return labels as they are written, each finer one behind its label."""
    parents = scheme.parents
    unknown = [label for label in one.labels if label not in scheme.labels and label not in parents]
    coarse = dict.fromkeys(parents.get(label, label) for label in one.labels)
    if unknown or not 1 <= len(coarse) <= scheme.most:
        raise InvalidInput(
            KEY,
            f"{path}, item {one.id[:40]!r}: {', '.join(one.labels)[:80] or 'no label'} was given; one to "
            f"{scheme.most} of {', '.join(scheme.labels)} are wanted.",
        )
    return list(dict.fromkeys(each for label in one.labels for each in (parents.get(label, label), label)))


def _read(path: Path) -> _Annotations:
    content = read_json(path, KEY)
    try:
        return _Annotations.model_validate(content)
    except ValidationError as error:
        fault = first_fault(error, "file")
        raise InvalidInput(
            KEY, f"{path} is not what the annotation page saves ({fault.place}: {fault.reason})."
        ) from None
