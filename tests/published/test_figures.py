"""Published figures: each stands in our copy of its paper, and is found by its table, row and column."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.published.figures import FOLDER, PublishedTable, publication_names, published
from scripts.imports import ROOT

COPIES = {
    "bartolo-2020": "beat-the-ai.tei.xml",
    "nie-2019": "adversarial-nli.txt",
    "wallace-2019": "trick-me-if-you-can-tacl.md",
}
each_paper = pytest.mark.parametrize("name", publication_names())


def copy_of(name: str) -> str:
    path = ROOT.parent / "shared" / "papers" / COPIES[name]
    if not path.is_file():
        pytest.skip("the papers are not there: put their texts into ../shared/papers, beside the checkout")
    return re.sub(r"<[^>]*>", " ", path.read_text(encoding="utf-8")).replace(",", "").replace("k examples", "000")


@each_paper
def test_every_number_stands_in_our_copy_of_the_paper(name: str) -> None:
    numbers = {float(each) for each in re.findall(r"\d+(?:\.\d+)?", copy_of(name))}
    tables = {table: each for table, each in published(name).tables.items() if not each.derived}
    found = [(table, one) for table, each in tables.items() for one in each.figures()]
    assert found
    for table, one in found:
        assert one.value in numbers, (table, one)
        assert one.deviation is None or one.deviation in numbers, (table, one)


@each_paper
def test_every_row_is_there_once(name: str) -> None:
    for table in published(name).tables.values():
        rows = [row.of for row in table.rows]
        assert len(set(rows)) == len(rows)
        assert len(set(table.columns)) == len(table.columns)


@each_paper
def test_a_table_that_our_copy_cuts_says_so(name: str) -> None:
    assert published(name).lacking


def test_a_figure_is_found_by_its_row_and_column() -> None:
    table = published("bartolo-2020").table("table-6")
    found = table.figure("D_RoBERTa F1", "RoBERTa", "D_BiDAF")  # "39.9F1", §4.2
    assert found is not None
    assert (found.value, found.deviation) == (39.9, 1.8)
    assert sum(1 for _ in table.figures()) == 144
    assert table.figure("D_RoBERTa F1", "RoBERTa", "D_QAMR") is None
    assert published("bartolo-2020").table("table-5").figure("F1", "BERT", "D_BERT", "retrained") is None


def test_derived_shares_are_quotients_of_published_numbers() -> None:
    tables = published("bartolo-2020").tables
    assert [name for name, table in tables.items() if table.derived] == ["worker-shares"]
    of = {one.row[0]: one.value for one in tables["workers"].figures()}
    shares = {one.row[0]: one.value for one in tables["worker-shares"].figures()}
    assert shares == {
        "qualified": round(100 * of["qualified"] / of["screened"], 1),
        "revoked": round(100 * of["revoked"] / of["qualified"], 1),
    }


def test_an_unknown_paper_or_table_lists_those_that_are_here() -> None:
    with pytest.raises(UnknownName, match="bartolo-2020"):
        published("bartolo-2021")
    with pytest.raises(UnknownName, match="table-6"):
        published("bartolo-2020").table("table-9")


def test_a_row_with_a_figure_too_few_is_refused(tmp_path: Path) -> None:
    text = (FOLDER / "nie-2019.yaml").read_text(encoding="utf-8").replace("[92.9, 91.0, 90.7]", "[92.9, 91.0]")
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match="row RoBERTa, S,M,F,A1,A2,A3 has 2 names and 2 figures; 2 and 3 are needed"):
        published(str(path))


def test_an_empty_place_is_no_figure() -> None:
    table = PublishedTable.model_validate_json(
        '{"title": "T", "section": "1", "rows_by": ["a"], "columns": ["x", "y"],'
        ' "rows": [{"of": ["r"], "figures": [null, [1, 0.5]]}]}'
    )
    [only] = table.figures()
    assert (only.row, only.column, only.value, only.deviation) == (("r",), "y", 1.0, 0.5)
