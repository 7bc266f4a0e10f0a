"""The catalogue: each target names tables, files, models and settings that are there, and what it costs is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from beat_the_ai.campaign.settings.presets import preset_names
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.experiments.cost import estimates
from beat_the_ai.experiments.matrix import EQUAL, Matrix, read_matrix
from beat_the_ai.files.data_file import read_data_file
from beat_the_ai.replication.compare import about_sections
from beat_the_ai.replication.sizes import missing_files, planned_by_sizes
from beat_the_ai.replication.targets import FOLDER, Catalogue, Replication, replication, replications
from beat_the_ai.simulation.crowd import read_crowd
from scripts.imports import ROOT

ALL = list(replications())
each_target = pytest.mark.parametrize("target", ALL, ids=[each.name for each in ALL])
of_matrices = pytest.mark.parametrize("target", [one for one in ALL if one.target.matrix], ids=lambda one: one.name)


def matrix_of(target: Replication) -> Matrix:
    run = target.target.matrix
    assert run is not None
    return read_matrix(ROOT / run.path).model_copy(update={"tables": run.tables})


@each_target
def test_what_it_names_is_there(target: Replication) -> None:
    assert target.tables
    assert all(": " in each for each in target.target.differences)  # what, and how it is here
    evaluation = target.target.evaluation
    models = 0 if evaluation is None else len(evaluation.models)
    rows = next(about_sections(target)).table.rows
    assert [len(row) for row in rows] == [2] * (len(target.target.differences) + models)
    if target.target.preset is not None:
        assert target.target.preset in preset_names(ROOT / "hydra_configs")
    rehearsal = target.target.rehearsal
    if rehearsal is not None:
        assert (ROOT / rehearsal.task / "conf").is_dir()
        assert rehearsal.people is not None
        read_crowd(rehearsal.people)
    for path in target.target.shipped.values():
        assert (ROOT / path).is_file()


@of_matrices
def test_its_matrix_has_its_models_and_its_data_a_source_and_a_licence(target: Replication) -> None:
    matrix, run = matrix_of(target), target.target.matrix
    assert run is not None
    assert run.models.keys() == matrix.models.keys()
    assert target.data.keys() == matrix.datasets.keys()
    for each in target.data.values():
        assert each.source
        assert each.licence


@of_matrices
def test_it_tells_cells_hours_and_money_before_any_file_is_there(target: Replication, tmp_path: Path) -> None:
    matrix = matrix_of(target)
    assert missing_files(matrix, tmp_path).keys() == matrix.datasets.keys()
    planned = planned_by_sizes(matrix, target.data, tmp_path)
    assert planned is not None
    found = estimates(planned)
    assert [each.model for each in found] == list(matrix.models)
    assert all(each.cells and not each.done for each in found)
    assert all(each.seconds for each in found)
    if matrix.models.keys() >= {"bert-large", "roberta-large"}:
        assert all(each.price for each in found)


def test_table_6_is_planned_with_the_papers_size(tmp_path: Path) -> None:
    target = replication("bartolo-2020/table-6")
    planned = planned_by_sizes(matrix_of(target), target.data, tmp_path)
    assert planned is not None
    assert planned.matrix.tables == (EQUAL,)
    sizes = {sum(file.examples for file in cell.data) for cell in planned.cells.values()}
    assert (sizes, len(planned.cells)) == ({10_000}, 2 * 4 * 10)  # models, datasets, seeds


def test_what_it_costs_is_unknown_where_a_size_is(tmp_path: Path) -> None:
    target = replication("bartolo-2020/table-6")
    less = {name: each for name, each in target.data.items() if name != "bert"}
    assert planned_by_sizes(matrix_of(target), less, tmp_path) is None


def test_a_file_that_is_there_is_not_missing(tmp_path: Path) -> None:
    matrix = matrix_of(replication("bartolo-2020/table-7"))
    (tmp_path / "squad").mkdir()
    (tmp_path / "squad" / "dev-v1.1.json").touch()
    assert missing_files(matrix, tmp_path)["squad"] == ["squad/train-v1.1.json"]


def test_an_unknown_target_lists_those_that_there_are() -> None:
    with pytest.raises(UnknownName, match="bartolo-2020/table-6"):
        replication("bartolo-2020/table-66")


def test_a_target_that_runs_nothing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.yaml"
    path.write_text("targets: {t: {title: T, published: [table-5]}}", encoding="utf-8")
    with pytest.raises(InvalidInput, match="a matrix, a rehearsal or an evaluation is needed"):
        read_data_file(path, Catalogue, "catalogue")


def test_catalogues_are_of_papers_whose_figures_are_here() -> None:
    assert {path.stem for path in FOLDER.glob("*.yaml")} == {each.name.partition("/")[0] for each in ALL}
