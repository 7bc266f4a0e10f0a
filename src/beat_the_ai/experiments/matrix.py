"""A matrix of experiments, from a YAML file: datasets, models, seeds, and the tables of the paper that they fill."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, cast

import click
from pydantic import BeforeValidator, Field, StringConstraints

from beat_the_ai.adversary.registry import check_serves
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.files.data_file import read_data_file
from beat_the_ai.process.importing import object_at
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.registry import bind

Part = Literal["train", "dev", "test"]
TRAIN, DEV, TEST = "train", "dev", "test"
CONSISTENCY: Final = 5  # tables of Bartolo et al. 2020
EQUAL: Final = 6
ADDED: Final = 7
ALL: Final = 8
OWN_OPTIONS = ("data", "dev", "out", "name", "seed")  # which the matrix itself gives to `train`


def _listed(value: object) -> object:
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value


Files = Annotated[tuple[str, ...], BeforeValidator(_listed)]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
Scalar = bool | int | float | str
Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]


class Split(Value):
    """Files that are one whole, and how many examples of it each part gets at most. No context is in two of them."""

    files: Files
    train: Count | None = None
    dev: Count | None = None
    test: Count | None = None

    @property
    def sizes(self) -> dict[str, int]:
        """In the order in which they are filled: what is measured on comes first."""
        sizes = {TEST: self.test, DEV: self.dev, TRAIN: self.train}
        return {part: size for part, size in sizes.items() if size is not None}


class DatasetFiles(Value):
    """The parts of a dataset: in files of their own, or in a split. `label` is its name in tables."""

    label: str = ""
    train: Files = ()
    dev: Files = ()
    test: Files = ()
    split: Split | None = None

    @property
    def files(self) -> dict[str, tuple[str, ...]]:
        named = {TRAIN: self.train, DEV: self.dev, TEST: self.test}
        return {part: files for part, files in named.items() if files}

    @property
    def parts(self) -> set[str]:
        return {*self.files, *(self.split.sizes if self.split else ())}


class Answering(Value):
    """The options of a model that answers, as `adversary predict` has them."""

    device: Literal["cpu", "cuda"] = "cpu"
    threads: Count = 1
    precision: str | None = None


class Throughput(Value):
    """The basis of a model's cost estimate: examples a second on `device`, and the price of an hour.

    `source` says where the figures come from.
    """

    device: str
    training: Positive
    answering: Positive
    startup_seconds: Annotated[float, Field(ge=0)] = 0.0
    hourly_price: Positive | None = None
    currency: str = "USD"
    source: str


class ModelSettings(Value):
    """`train` holds options of `beat-the-ai train` for the kind of task.

    `original` has, for Table 5, each dataset that was written against such a model, and that very model
    (BACKEND:SOURCE), or nothing where it is no longer there.
    """

    label: str = ""
    train: dict[str, Scalar | tuple[Scalar, ...]]
    answering: Answering = Answering()
    original: dict[str, str | None] = Field(default_factory=dict)
    throughput: Throughput | None = None


class Matrix(Value):
    """`base` is D_SQuAD: the dataset that models in the loop were trained on, by which the others are judged.

    Table 6 trains on sets of equal `size` (of the smallest one, unless it says less), where the base's examples are
    drawn from the contexts of the others, unless `same_contexts` is false. All draws follow `draw_seed`.
    """

    task: str = "reading_comprehension"
    datasets: dict[Name, DatasetFiles]
    base: str
    models: dict[Name, ModelSettings]
    seeds: Annotated[tuple[int, ...], Field(min_length=1)]
    tables: tuple[Literal[5, 6, 7, 8], ...] = (CONSISTENCY, EQUAL, ADDED, ALL)
    size: Count | None = None
    same_contexts: bool = True
    draw_seed: int = 0
    keep_models: bool = True

    def label(self, dataset: str) -> str:
        return self.datasets[dataset].label or dataset

    @property
    def others(self) -> list[str]:
        """The datasets beside the base that models are trained on."""
        return [name for name, files in self.datasets.items() if name != self.base and TRAIN in files.parts]

    @property
    def measured(self) -> list[str]:
        """The datasets that models are measured on."""
        return [name for name, files in self.datasets.items() if TEST in files.parts]


def read_matrix(path: Path) -> Matrix:
    """Raises `InvalidInput` that names the file and the place in it, for names that are nowhere defined, too."""
    matrix = read_data_file(path, Matrix, "matrix")
    kind = kind_of(matrix)
    _check_datasets(matrix)
    if len(set(matrix.seeds)) < len(matrix.seeds):
        raise InvalidInput("seeds", f"seeds are {list(matrix.seeds)}: one is there twice, which is no run of its own.")
    options = options_of(training_command(kind))
    for name, model in matrix.models.items():
        _check_options(name, model, options)
        for dataset, original in model.original.items():
            _check_name(f"models.{name}.original", dataset, matrix.datasets)
            if original is not None:
                check_serves(original, kind.name)
    return matrix


def kind_of(matrix: Matrix) -> Kind:
    """Raises `InvalidInput` for a kind of task on whose datasets there can be no experiments."""
    kind = bind(matrix.task)
    lacking = [name for name in ("training", "evaluation", "samples") if getattr(kind, name) is None]
    if lacking:
        raise InvalidInput("task", f"{matrix.task} has no {', '.join(lacking)}, which a matrix needs.")
    return kind


def training_command(kind: Kind) -> click.Command:
    return cast(click.Command, object_at(cast(str, kind.training), "task"))


def options_of(command: click.Command) -> dict[str, click.Parameter]:
    """Its long options without their dashes."""
    return {name[2:]: option for option in command.params for name in option.opts if name.startswith("--")}


def _check_datasets(matrix: Matrix) -> None:
    _check_name("base", matrix.base, matrix.datasets)
    for name, files in matrix.datasets.items():
        twice = sorted(set(files.files) & set(files.split.sizes if files.split else ()))
        if twice:
            raise InvalidInput("datasets", f"datasets.{name} has its {twice[0]} part twice: as files, and in split.")
        if not files.parts:
            raise InvalidInput("datasets", f"datasets.{name} has no part. Name files for train, dev or test, or split.")
    if TRAIN not in matrix.datasets[matrix.base].parts:
        raise InvalidInput("base", f"The base, datasets.{matrix.base}, has no train part.")
    if not matrix.measured:
        raise InvalidInput("datasets", "No dataset has a test part, on which models could be measured.")
    if not matrix.models:
        raise InvalidInput("models", "There is no model to train.")


def _check_name(place: str, name: str, datasets: Iterable[str]) -> None:
    if name not in datasets:
        raise UnknownName(f"dataset in {place}:", name, datasets)


def _check_options(name: str, model: ModelSettings, options: Mapping[str, Any]) -> None:
    place = f"models.{name}.train"
    for option, value in model.train.items():
        if option in OWN_OPTIONS:
            raise InvalidInput(place, f"{place} has {option}, which the matrix gives to every training by itself.")
        if option not in options:
            raise UnknownName(f"option in {place}:", option, set(options) - {*OWN_OPTIONS, "help"})
        if options[option].is_flag != isinstance(value, bool):
            needed = "true or false is needed" if options[option].is_flag else "true and false say nothing there"
            raise InvalidInput(place, f"{place}.{option} is {value}; {needed}.")
