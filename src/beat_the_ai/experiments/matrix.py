"""A matrix of experiments, from a YAML file: datasets, models, seeds, and the tables of a paper that they fill."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, cast

import click
from pydantic import BeforeValidator, Field, StringConstraints

from beat_the_ai.adversary.registry import check_serves
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.files.data_file import read_data_file
from beat_the_ai.files.folders import PART_NAMES
from beat_the_ai.process.importing import object_at
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.registry import bind

Part = Literal["train", "dev", "test"]
TRAIN, DEV, TEST = PART_NAMES
CONSISTENCY: Final = 5  # tables of Bartolo et al. 2020
EQUAL: Final = 6
ADDED: Final = 7
ALL: Final = 8
MIXES: Final = "mixes"  # tables of Nie et al. 2020
BLIND: Final = "hypothesis_only"
STRESS: Final = "stress"
TableName = Literal[5, 6, 7, 8, "mixes", "hypothesis_only", "stress"]
OF_BASE: tuple[TableName, ...] = (CONSISTENCY, EQUAL, ADDED, ALL)
OF_MIXES: tuple[TableName, ...] = (MIXES, BLIND, STRESS)
BLINDING = "hypothesis-only"  # the option of `train`
OWN_OPTIONS = ("data", "dev", "out", "name", "seed")  # which the matrix itself gives to `train`


def _listed(value: object) -> object:
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value


Files = Annotated[tuple[str, ...], BeforeValidator(_listed)]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
Scalar = bool | int | float | str
Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]


class Split(Value):
    """Files or folders that are one whole, and how many examples of it each part gets at most.

    No context is in two of them.
    """

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
    """The parts of a dataset: in files or folders of their own, or in a split. `label` is its name in tables.

    A folder may hold several parts: each part reads its own. `where` keeps the examples of these groups, as in
    `{exclusive: "yes"}`. Models are measured on a `stress` test in the table of that name alone.
    """

    label: str = ""
    where: dict[str, str] = Field(default_factory=dict)
    stress: bool = False
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
    (BACKEND:SOURCE), or nothing where it is no longer there. `mixes` are those that it is trained on, all if it names
    none. One that is trained on hypotheses alone stands `beside` the one on whole pairs.
    """

    label: str = ""
    beside: str = ""
    mixes: tuple[str, ...] = ()
    train: dict[str, Scalar | tuple[Scalar, ...]]
    answering: Answering = Answering()
    original: dict[str, str | None] = Field(default_factory=dict)
    throughput: Throughput | None = None

    @property
    def is_blind(self) -> bool:
        """Return whether it is trained on hypotheses alone."""
        return self.train.get(BLINDING) is True


class Matrix(Value):
    """A matrix with a `base` fills Tables 5 to 8 of Bartolo et al. 2020; one with `mixes` those of Nie et al. 2020.

    `base` is D_SQuAD: the dataset that models in the loop were trained on, by which the others are judged.

    Table 6 trains on sets of equal `size` (of the smallest one, unless it says less), where the base's examples are
    drawn from the contexts of the others, unless `same_contexts` is false. All draws follow `draw_seed`.

    The dev part of `tuned_on` decides when to stop. If it names none, that of the base does, and those of a mix.

    `mixes` name the datasets of each training set; the first mix is what others are compared with. They fill the table
    of that name, `hypothesis_only` where a model is trained so, and `stress` where a test is one. `tables` are all that
    can be filled, unless it names some.
    """

    task: str = "reading_comprehension"
    datasets: dict[Name, DatasetFiles]
    base: str = ""
    tuned_on: str = ""
    mixes: dict[str, Annotated[tuple[str, ...], Field(min_length=1)]] = Field(default_factory=dict)
    models: dict[Name, ModelSettings]
    seeds: Annotated[tuple[int, ...], Field(min_length=1)]
    tables: tuple[TableName, ...] = ()
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
        """The datasets that models are measured on in all tables but that of stress tests."""
        return [name for name, files in self.datasets.items() if TEST in files.parts and not files.stress]

    @property
    def stress_tests(self) -> list[str]:
        return [name for name, files in self.datasets.items() if TEST in files.parts and files.stress]

    @property
    def filled(self) -> list[TableName]:
        """The tables to fill, in their order."""
        possible: list[TableName] = list(OF_BASE if self.base else ())
        if self.mixes:
            has = {
                MIXES: self.measured,
                BLIND: self.measured and any(each.is_blind for each in self.models.values()),
                STRESS: self.stress_tests,
            }
            possible += [name for name in OF_MIXES if has[cast(str, name)]]
        return [name for name in possible if not self.tables or name in self.tables]

    def mixes_of(self, model: str) -> list[str]:
        return [name for name in self.mixes if name in (self.models[model].mixes or self.mixes)]


def read_matrix(path: Path) -> Matrix:
    """Raises `InvalidInput` that names the file and the place in it, for names that are nowhere defined, too."""
    matrix = read_data_file(path, Matrix, "matrix")
    kind = kind_of(matrix)
    _check_datasets(matrix)
    _check_mixes(matrix)
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


def name_of(table: TableName) -> str:
    """Return the name of a table in a list: a number, or words."""
    return str(table).replace("_", " ")


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
    if matrix.base or not matrix.mixes:
        _check_name("base", matrix.base, matrix.datasets)
    if matrix.tuned_on:
        _check_name("tuned_on", matrix.tuned_on, matrix.datasets)
        if DEV not in matrix.datasets[matrix.tuned_on].parts:
            raise InvalidInput(
                "tuned_on", f"tuned_on is {matrix.tuned_on}, and datasets.{matrix.tuned_on} has no dev part."
            )
    for name, files in matrix.datasets.items():
        twice = sorted(set(files.files) & set(files.split.sizes if files.split else ()))
        if twice:
            raise InvalidInput("datasets", f"datasets.{name} has its {twice[0]} part twice: as files, and in split.")
        if not files.parts:
            raise InvalidInput("datasets", f"datasets.{name} has no part. Name files for train, dev or test, or split.")
    if matrix.base and TRAIN not in matrix.datasets[matrix.base].parts:
        raise InvalidInput("base", f"The base, datasets.{matrix.base}, has no train part.")
    if not matrix.measured and not matrix.stress_tests:
        raise InvalidInput("datasets", "No dataset has a test part, on which models could be measured.")
    if not matrix.models:
        raise InvalidInput("models", "There is no model to train.")


def _check_mixes(matrix: Matrix) -> None:
    for mix, names in matrix.mixes.items():
        for name in names:
            _check_name(f"mixes.{mix}", name, matrix.datasets)
            if TRAIN not in matrix.datasets[name].parts:
                raise InvalidInput("mixes", f"mixes.{mix} has {name}, and datasets.{name} has no train part.")
    for model, each in matrix.models.items():
        for mix in each.mixes:
            if mix not in matrix.mixes:
                raise UnknownName(f"mix in models.{model}.mixes:", mix, matrix.mixes)
        seeing = [name for name, other in matrix.models.items() if not other.is_blind]
        if each.is_blind and BLIND in matrix.filled and each.beside not in seeing:
            raise InvalidInput(
                "models",
                f"models.{model} is trained on hypotheses alone; beside is {each.beside!r}. Name the model on whole "
                f"pairs that it is to stand beside: {', '.join(seeing) or 'there is none'}.",
            )
    possible = matrix.model_copy(update={"tables": ()}).filled
    if unfilled := [name for name in matrix.tables if name not in possible]:
        allowed = ", ".join(map(str, possible)) or "none"
        raise InvalidInput(
            "tables", f"tables has {unfilled[0]}, which this matrix cannot fill. It can fill: {allowed}."
        )


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
