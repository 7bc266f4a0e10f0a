"""Folders of parts, as exports, people and the Hugging Face hub have them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from beat_the_ai.cli import main
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.folders import parts_of
from beat_the_ai.files.records import read_records
from tests.files.test_hostile_files import KINDS, lines

Parts = dict[str, list[str]]


def touch(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return folder


def found(folder: Path) -> Parts:
    parts = parts_of(folder).parts
    return {part: [path.relative_to(folder).as_posix() for path in files] for part, files in parts.items()}


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        (("validation.jsonl", "train.jsonl"), {"train": ["train.jsonl"], "dev": ["validation.jsonl"]}),
        (("val.csv", "Test.csv"), {"dev": ["val.csv"], "test": ["Test.csv"]}),
        (("jsonl/dev.jsonl", "squad/dev.json", "attempts.jsonl"), {"dev": ["jsonl/dev.jsonl"]}),
        (
            ("data/train-00000-of-00002.parquet", "data/train-00001-of-00002.parquet", "README.md"),
            {"train": ["data/train-00000-of-00002.parquet", "data/train-00001-of-00002.parquet"]},
        ),
        (("validation/0000.parquet", "README.md"), {"dev": ["validation/0000.parquet"]}),
        (("test.csv.gz", "dev.feather"), {"dev": ["dev.feather"], "test": ["test.csv.gz"]}),
    ],
)  # fmt: skip
def test_parts_are_known_by_their_names(tmp_path: Path, names: tuple[str, ...], parts: Parts) -> None:
    assert found(touch(tmp_path, *names)) == parts
    assert list(found(tmp_path)) == list(parts)


def test_the_first_of_several_formats_counts_and_the_rest_is_told(tmp_path: Path) -> None:
    touch(
        tmp_path, "train.jsonl", "train.parquet", "held_out.jsonl", "README.md", "dataset_infos.json", "dev.jsonl.bz2"
    )
    assert found(tmp_path) == {"train": ["train.jsonl"]}
    assert [path.name for path in parts_of(tmp_path).left_out] == ["dev.jsonl.bz2", "held_out.jsonl", "train.parquet"]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("dev.jsonl", "validation.jsonl"), "has the dev part more than once: dev.jsonl and validation.jsonl"),
        (("train-00000-of-00002.parquet",), "has 1 of the 2 files that train-00000-of-00002.parquet tells of"),
        (("notes.jsonl",), "holds no train, dev or test part"),
    ],
)
def test_a_folder_with_more_than_one_meaning_is_refused(tmp_path: Path, names: tuple[str, ...], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        parts_of(touch(tmp_path, *names))


def saved(folder: Path, name: str, rows: list[object]) -> None:
    """As `Dataset.save_to_disk` leaves it, in two shards."""
    place = folder / name
    place.mkdir(parents=True)
    files = [f"data-{number:05}-of-{len(rows):05}.arrow" for number in range(len(rows))]
    for file, row in zip(files, rows, strict=True):
        table = pa.Table.from_pylist([row])
        with pa.ipc.new_stream(str(place / file), table.schema) as writer:
            writer.write_table(table)
    (place / "state.json").write_text(json.dumps({"_data_files": [{"filename": file} for file in files]}))
    (place / "dataset_info.json").write_text("{}")


def on_disk(folder: Path, rows: list[object]) -> None:
    saved(folder, "train", rows)
    saved(folder, "validation", rows)
    (folder / "dataset_dict.json").write_text('{"splits": ["train", "validation"]}')


def on_the_hub(folder: Path, rows: list[object]) -> None:
    (folder / "data").mkdir()
    for part in ("train", "validation"):
        pq.write_table(pa.Table.from_pylist(rows), folder / "data" / f"{part}-00000-of-00001.parquet")


def with_an_empty_part(folder: Path, rows: list[object]) -> None:
    for part in ("train", "dev"):
        (folder / f"{part}.jsonl").write_text(lines(rows))
    (folder / "test.jsonl").touch()
    (folder / "more.jsonl").write_text("no JSON")


@pytest.mark.parametrize("written", [on_disk, on_the_hub, with_an_empty_part])
@pytest.mark.parametrize("task", KINDS)
def test_a_report_reads_every_part_of_a_folder(
    tmp_path: Path, task: str, written: Callable[[Path, list[object]], None]
) -> None:
    row, answers, _, _ = KINDS[task]
    folder = tmp_path / "dataset"
    folder.mkdir()
    written(folder, [row(str(number), answer) for number, answer in enumerate(answers)])
    page = tmp_path / "report.html"
    done = CliRunner().invoke(main, ["report", str(folder), "--task", task, "--out", str(page)])
    assert done.exit_code == 0, done.output
    assert "A dataset of 4 " in page.read_text()
    for part in ("train", "dev"):
        assert f">{part}</th>" in page.read_text()
    assert ("more.jsonl is no train, dev or test part, and is left out." in done.stderr) == (
        folder / "more.jsonl"
    ).exists()


@pytest.mark.parametrize(
    "state", [{}, [], {"_data_files": {}}, {"_data_files": [{}]}, {"_data_files": [{"filename": "../data.arrow"}]}]
)
def test_a_folder_of_datasets_lists_its_own_files(tmp_path: Path, state: object) -> None:
    (tmp_path / "state.json").write_text(json.dumps(state))
    with pytest.raises(InvalidInput, match=r"state\.json does not list the files of its folder"):
        parts_of(tmp_path)


@pytest.mark.parametrize(
    "metadata", ["no JSON", "[]", '{"info": {"features": {"a": {"_type": "ClassLabel", "names": 7}}}}']
)
def test_foreign_metadata_of_a_table_are_told(tmp_path: Path, metadata: str) -> None:
    table = pa.table({"a": [1]}).replace_schema_metadata({"huggingface": metadata})
    pq.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(InvalidInput, match="`huggingface` of its schema"):
        read_records(tmp_path / "a.parquet", "DATA")


def test_a_cell_that_no_tool_has_printed_stays_text(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,cell\n1,{[1]: 2}\n")
    assert [record.fields["cell"] for record in read_records(tmp_path / "a.csv", "DATA")] == ["{[1]: 2}"]
