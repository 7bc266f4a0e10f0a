"""Exports as pandas, DuckDB, SQuAD's script, run_qa's loader, `datasets` and mlcroissant read them, unchanged.

SQuAD's `evaluate-v1.1.py` itself is not shipped here: the test walks a file as it does (`data`, `paragraphs`, `qas`,
`answers`), with its published normalisation, and compares with `score`.
"""

from __future__ import annotations

import collections
import json
import re
import string
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.croissant import croissant_of
from tests.dataset.exported_kinds import ANSWERS, EXAMPLES, PER_PART, PLAYED, export
from tests.files.test_hostile_files import run

LOAD = """
import json, sys
import datasets

cache, *folders = sys.argv[1:]
found = {}
for folder in folders:
    for form in ("", "hf", "jsonl", "parquet"):
        loaded = datasets.load_dataset(f"{folder}/{form}", cache_dir=cache)
        found[f"{folder}/{form}"] = {str(split): rows.to_list() for split, rows in loaded.items()}
print(json.dumps(found))
"""
RUN_QA_COLUMNS = {"id", "context", "question", "answers"}


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    folder = tmp_path_factory.mktemp("exports")
    return {kind: export(kind, folder) for kind in PLAYED}


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("kind", PLAYED)
def test_pandas_reads_the_same_rows_from_every_format(exports: Mapping[str, Path], kind: str) -> None:
    pandas = pytest.importorskip("pandas")
    out = exports[kind]
    for part in ("train", "dev", "test"):
        lines = pandas.read_json(out / "jsonl" / f"{part}.jsonl", lines=True, dtype=False)
        table = pandas.read_parquet(out / "parquet" / f"{part}.parquet")
        assert list(lines.columns) == list(table.columns)
        assert json.loads(lines.to_json(orient="records")) == json.loads(table.to_json(orient="records"))
        assert len(lines) == PER_PART
    attempts = pandas.read_json(out / "attempts.jsonl", lines=True)
    assert len(attempts) == len(pandas.read_parquet(out / "attempts.parquet")) == EXAMPLES


@pytest.mark.parametrize("kind", PLAYED)
def test_duckdb_reads_and_joins_the_tables(exports: Mapping[str, Path], kind: str) -> None:
    duckdb = pytest.importorskip("duckdb")
    out, name = exports[kind], {"reading_comprehension": "id", "nli": "uid", "quizbowl": "qanta_id"}[kind]
    [(rows, different)] = duckdb.sql(
        f"""
        SELECT count(*), count(*) FILTER (a.part != 'test' OR a.dropped IS NOT NULL)
        FROM '{out}/parquet/test.parquet' AS p
        JOIN '{out}/jsonl/test.jsonl' AS j USING ({name})
        JOIN '{out}/attempts.parquet' AS a ON a.attempt_id = p.{name}
        """
    ).fetchall()
    assert (rows, different) == (PER_PART, 0)
    assert duckdb.sql(f"SELECT count(*) FROM '{out}/attempts.jsonl'").fetchall() == [(EXAMPLES,)]


def test_datasets_reads_each_export_and_keeps_them_apart_in_one_cache(
    exports: Mapping[str, Path], tmp_path: Path
) -> None:
    pytest.importorskip("datasets")
    second = export("nli", tmp_path, premises="Another text, which nobody has seen in any other place before today.")
    folders = [*map(str, exports.values()), str(second)]
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(tmp_path / "cache"), *folders], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout)
    for folder in folders:
        for form in ("", "hf", "jsonl", "parquet"):
            for split, rows in loaded[f"{folder}/{form}"].items():
                part = "dev" if split == "validation" else split
                assert rows == rows_of(Path(folder) / "jsonl" / f"{part}.jsonl"), (folder, form, split)
            assert len(loaded[f"{folder}/{form}"]) == 3
    for form in ("", "hf", "jsonl", "parquet"):
        check_run_qa(loaded[f"{exports['reading_comprehension']}/{form}"])


@pytest.mark.parametrize("kind", PLAYED)
def test_mlcroissant_reads_every_table(exports: Mapping[str, Path], kind: str) -> None:
    _, rows = croissant_of(exports[kind])
    counts = {name: len(of_table) for name, of_table in rows.items()}
    assert counts == counts | {"attempts": EXAMPLES, "train": PER_PART, "dev": PER_PART, "test": PER_PART}


def check_run_qa(splits: Mapping[str, list[dict[str, Any]]]) -> None:
    """Look for what transformers' run_qa takes by `--dataset_name`: its splits and columns, and answers in place."""
    assert {"train", "validation"} <= splits.keys()
    for row in (row for rows in splits.values() for row in rows):
        assert row.keys() >= RUN_QA_COLUMNS
        [start], [text] = row["answers"]["answer_start"], row["answers"]["text"]
        assert row["context"][start : start + len(text)] == text


def squad_script(dataset: Path, predictions: Mapping[str, str]) -> dict[str, float]:
    """Return what SQuAD v1.1's script prints, by its published rules (Rajpurkar et al. 2016, §6.1)."""

    def normalised(text: str) -> str:
        plain = "".join(each for each in text.lower() if each not in string.punctuation)
        return " ".join(re.sub(r"\b(a|an|the)\b", " ", plain).split())

    def f1(said: str, gold: str) -> float:
        words, golds = normalised(said).split(), normalised(gold).split()
        common = sum((collections.Counter(words) & collections.Counter(golds)).values())
        return 2 * common / (len(words) + len(golds)) if common else 0.0

    exact = overlap = total = 0.0
    for article in json.loads(dataset.read_text())["data"]:
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"]:
                golds = [answer["text"] for answer in question["answers"]]
                said = predictions.get(question["id"], "")
                exact += max(normalised(said) == normalised(gold) for gold in golds)
                overlap += max(f1(said, gold) for gold in golds)
                total += 1
    return {"exact_match": 100 * exact / total, "f1": 100 * overlap / total}


def test_squads_script_reads_the_export_and_finds_the_figures_of_score(
    exports: Mapping[str, Path], tmp_path: Path
) -> None:
    gold = exports["reading_comprehension"] / "squad.json"
    ids = [row["id"] for part in ("train", "dev", "test") for row in rows_of(gold.parent / "jsonl" / f"{part}.jsonl")]
    said = dict(zip(ids, ("the Ada Quill.", "1871", "Quill", "nobody", ANSWERS[0]), strict=False))
    predictions = tmp_path / "said.json"
    predictions.write_text(json.dumps(said))
    ours = json.loads(run("score", gold, predictions, "--json").stdout)
    theirs = squad_script(gold, said)
    assert {name: ours[name] for name in theirs} == pytest.approx(theirs)
    assert 0 < theirs["exact_match"] < theirs["f1"]
