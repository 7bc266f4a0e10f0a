"""The files on which a matrix's models are trained and measured: written down anew, so that what was done can be seen.

Every question has one answer, and no context on which anything is measured is trained on, whatever the dataset
(Bartolo et al. 2020, §3.2: "passage consistency"; §4.3: D_SQuAD(10K)).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from beat_the_ai.errors import InvalidInput
from beat_the_ai.experiments.draws import contexts_of, draw, on_contexts, split
from beat_the_ai.experiments.matrix import DEV, EQUAL, TEST, TRAIN, DatasetFiles, Matrix
from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.files.folders import PART_NAMES, files_of
from beat_the_ai.files.values import check_unique
from beat_the_ai.rules.samples import Sample, Samples

Parts = dict[str, list[Sample]]


@dataclass(frozen=True)
class DataFile:
    """`hash` is the SHA-256 of its content."""

    path: Path
    hash: str
    examples: int


@dataclass(frozen=True)
class Datasets:
    """The files of all datasets by name and part; `equal` are the training sets of equal size, by name.

    `left_out`: how many training examples of each were taken out, since something is measured on their contexts.
    """

    files: Mapping[str, Mapping[str, DataFile]]
    equal: Mapping[str, DataFile]
    left_out: Mapping[str, int]


def prepare(matrix: Matrix, samples: Samples, source: Path, folder: Path) -> Datasets:
    """Read the matrix's files, named from `source`, and write its datasets to `folder`.

    Raises `InvalidInput` for files that cannot be read, and for parts that come to nothing.
    """
    parts = {name: _read(name, files, samples, source, matrix.draw_seed) for name, files in matrix.datasets.items()}
    measured = set[str]().union(*(contexts_of(of[part]) for of in parts.values() for part in (DEV, TEST) if part in of))
    left_out = {}
    for name, of in parts.items():
        if TRAIN in of:
            kept = on_contexts(of[TRAIN], measured, inside=False)
            left_out[name] = len(of[TRAIN]) - len(kept)
            if not kept:
                raise InvalidInput("datasets", f"Every context of datasets.{name}.train is in a dev or test part, too.")
            of[TRAIN] = kept
    equal = _equal(matrix, {name: of[TRAIN] for name, of in parts.items() if TRAIN in of})

    def write(name: str, part: str, content: Sequence[Sample]) -> DataFile:
        return _write(folder / name / f"{part}{samples.suffix}", samples.text(content), len(content))

    return Datasets(
        {name: {part: write(name, part, content) for part, content in of.items()} for name, of in parts.items()},
        {name: write(name, f"{TRAIN}-{len(content)}", content) for name, content in equal.items()},
        left_out,
    )


def _read(name: str, files: DatasetFiles, samples: Samples, source: Path, seed: int) -> Parts:
    parts = {part: _all(name, files, samples, paths, source, [part]) for part, paths in files.files.items()}
    if files.split is not None:
        whole = _all(name, files, samples, files.split.files, source, PART_NAMES)
        parts |= split(whole, files.split.sizes, seed)
    for part, content in parts.items():
        place = f"datasets.{name}, part {part}"
        if not content:
            raise InvalidInput("datasets", f"{place} has no example. Name other files, or other sizes of the split.")
        if part != TRAIN:
            check_unique((sample.id for sample in content), place, "datasets", "examples")
    return parts


def _all(
    name: str, files: DatasetFiles, samples: Samples, paths: Sequence[str], source: Path, parts: Sequence[str]
) -> list[Sample]:
    """Return the examples of some files that are in the dataset's groups; of folders those of these parts."""
    chosen = (file for path in paths for file in files_of(source / path, parts, "datasets"))
    read = [sample for file in chosen for sample in samples.read(file)]
    for column, group in files.where.items():
        known = sorted({sample.groups[column] for sample in read if column in sample.groups})
        if group not in known:
            raise InvalidInput(
                "datasets",
                f"datasets.{name}.where has {column}: {group}. The groups of {', '.join(paths)} in {column} are: "
                f"{', '.join(known) or 'none'}.",
            )
        read = [sample for sample in read if sample.groups.get(column) == group]
    return read


def _equal(matrix: Matrix, training: Mapping[str, list[Sample]]) -> dict[str, list[Sample]]:
    """Training sets of equal size, the base's from the contexts of the others (§4.3). Nothing where Table 6 is not."""
    if EQUAL not in matrix.filled:
        return {}
    pools = dict(training)
    others = [pools[name] for name in matrix.others]
    if matrix.same_contexts and others:
        pools[matrix.base] = on_contexts(pools[matrix.base], set[str]().union(*map(contexts_of, others)))
        if not pools[matrix.base]:
            raise InvalidInput(
                "same_contexts",
                f"datasets.{matrix.base}.train has nothing on the contexts of the other datasets, from which Table 6 "
                "draws it. Set same_contexts: false to draw it from anywhere, or leave 6 out of tables.",
            )
    smallest = min(pools, key=lambda name: len(pools[name]))
    most = len(pools[smallest])
    if matrix.size is not None and matrix.size > most:
        where = " on the contexts of the others" if smallest == matrix.base and matrix.same_contexts else ""
        raise InvalidInput("size", f"size is {matrix.size}, and datasets.{smallest}.train has only {most}{where}.")
    size = matrix.size or most
    return {name: draw(pool, size, matrix.draw_seed) for name, pool in pools.items()}


def _write(path: Path, text: str, examples: int) -> DataFile:
    content = text.encode()
    if not (path.is_file() and path.read_bytes() == content):
        with replacing(path) as file:
            file.write(content)
    return DataFile(path, hashlib.sha256(content).hexdigest(), examples)
