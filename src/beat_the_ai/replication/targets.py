"""The catalogue of targets that can be replicated, a file for each paper in `papers/`.

A target is named `PAPER/TARGET`, as `bartolo-2020/table-6`. It names the published tables (`published/`) and how ours
come about: a matrix of experiments, an evaluation of models, a rehearsal, or one whose dataset goes into a matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import Field, model_validator

from beat_the_ai.errors import UnknownName
from beat_the_ai.experiments.matrix import TableName
from beat_the_ai.files.data_file import read_data_file
from beat_the_ai.published.figures import PublishedTable, published
from beat_the_ai.rules.protocol import Value

FOLDER = Path(__file__).parent / "papers"


class Data(Value):
    """A dataset that a target needs. `examples` by part are for an estimate before its files are there.

    `paper` has the sizes in the paper, where they are others.
    """

    title: str
    source: str
    licence: str
    examples: dict[str, int] = Field(default_factory=dict)
    paper: dict[str, int] = Field(default_factory=dict)

    @property
    def in_paper(self) -> dict[str, int]:
        return self.paper or self.examples


class MatrixRun(Value):
    """A matrix of experiments; `path` is from the checkout's folder. `tables` are those of it that are filled.

    `models` and `datasets` have the paper's names of the matrix's models and labels; datasets without one keep theirs.
    `fills` names the published tables that one of the matrix fills, where they are not called `table-N` as it is.
    """

    path: str
    tables: tuple[TableName, ...]
    fills: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    models: dict[str, str]
    datasets: dict[str, str] = Field(default_factory=dict)


class EvaluationRun(Value):
    """Models measured as they are, on files in the folder of the data.

    `models` are named BACKEND:SOURCE by the published columns, `golds` by its rows; `figure` is the evaluation's.
    """

    task: str
    models: dict[str, str]
    golds: dict[str, str]
    figure: str
    table: str


class RehearsalRun(Value):
    """A rehearsal; `task` from the checkout's folder, `people` is the simulated crowd.

    `dataset` is the paper's name of what is collected.
    """

    task: str
    overrides: tuple[str, ...] = ()
    people: str | None = None
    workers: int = 12
    dataset: str


class Target(Value):
    """Tables of a paper that can be done again. `preset` is that of the paper's campaign.

    `shipped` are files of the checkout that the matrix reads, by their names there. `differences` is what is not as in
    the paper; a `warning` stands above the page.
    """

    title: str
    published: tuple[str, ...] = Field(min_length=1)
    preset: str | None = None
    matrix: MatrixRun | None = None
    evaluation: EvaluationRun | None = None
    rehearsal: RehearsalRun | None = None
    shipped: dict[str, str] = Field(default_factory=dict)
    data: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    warning: str = ""

    @model_validator(mode="after")
    def _runs(self) -> Target:
        if self.matrix is None and self.rehearsal is None and self.evaluation is None:
            raise ValueError("a matrix, a rehearsal or an evaluation is needed")
        return self


class Catalogue(Value):
    """The targets of a paper, with the data that they need by its name."""

    data: dict[str, Data] = Field(default_factory=dict)
    targets: dict[str, Target]


class Replication(Value):
    """A target with its paper. `name` is `PAPER/TARGET`; `data` is what it needs, by the matrix's names."""

    name: str
    paper: str
    source: str
    target: Target
    data: dict[str, Data]
    tables: dict[str, PublishedTable]


def replications() -> Iterator[Replication]:
    """Yield every target of every paper."""
    for path in sorted(FOLDER.glob("*.yaml")):
        catalogue, publication = read_data_file(path, Catalogue, "catalogue"), published(path.stem)
        for name, target in catalogue.targets.items():
            yield Replication(
                name=f"{path.stem}/{name}",
                paper=publication.paper,
                source=publication.source,
                target=target,
                data={each: catalogue.data[each] for each in target.data},
                tables={each: publication.table(each) for each in target.published},
            )


def replication(name: str) -> Replication:
    """Return the target of that name. Raise `UnknownName` that lists all."""
    known = {each.name: each for each in replications()}
    if name not in known:
        raise UnknownName("target", name, known)
    return known[name]
