"""Datasets in files: read, told of, sampled for annotation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.report.corpora import PairCorpora
from beat_the_ai.kinds.nli.report.inference import QUALITY, SCHEME, TYPES, inference_section

CORPORA = PairCorpora()


def pair(number: int, label: str, **more: Any) -> dict[str, Any]:
    return {
        "uid": f"p{number}",
        "context": "It rains.",
        "hypothesis": f"Claim number {number}.",
        "label": label,
        **more,
    }


def write(path: Path, *pairs: Any) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in pairs), encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "train.jsonl", pair(1, "e", genre="news"), pair(2, "e", genre="how_to"), pair(3, "c", reason="x"))
    write(tmp_path / "dev.jsonl", pair(4, "n", genre="news", context="It snows."))
    return tmp_path


def test_a_folder_of_parts_is_counted_by_label_and_genre(folder: Path) -> None:
    assert CORPORA.introduction(folder) == "A dataset of 4 pairs of premise and hypothesis."
    labels, genres = CORPORA.sections(folder)
    assert [row[:3] for row in labels.table.rows] == [("train", "1", "3"), ("dev", "1", "1")]
    assert labels.table.rows[0][3] == "66.7% (20.8% to 93.9%), 2"
    assert [tuple(row) for row in genres.table.rows] == [("", "1", "0"), ("how to", "1", "0"), ("news", "1", "1")]


def test_the_figures_of_a_file_are_for_programs_too(folder: Path) -> None:
    assert CORPORA.statistics(folder / "train.jsonl").figures == {
        "premises": 1,
        "pairs": 3,
        "labels": {"entailment": 2, "neutral": 0, "contradiction": 1},
        "genres": {"": 1, "how_to": 1, "news": 1},
        "hypothesis_words_mean": 3.0,
    }


def test_a_pair_is_annotated_with_its_label(folder: Path) -> None:
    item = CORPORA.items(folder)[3]
    assert (item.id, item.heading, item.text, item.name, item.value) == (
        *("p4", "Claim number 4.", "It snows."),
        *("Label", "neutral"),
    )


def test_annotations_are_shares_of_six_types_and_of_doubtful_pairs() -> None:
    assert len(TYPES) == 6
    assert set(SCHEME.labels) == {*TYPES, QUALITY}
    section = inference_section({"a": ["Lexical", "Tricky"], "b": ["Lexical", QUALITY], "c": ["Basic"], "d": ["Basic"]})
    shares = {row[0]: row[1].split()[0] for row in section.table.rows}
    assert shares["Lexical"] == shares["Basic"] == "50.0%"
    assert shares["Tricky"] == shares[QUALITY] == "25.0%"
    assert shares["Reasoning & Facts"] == "0.0%"


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        ([pair(1, "e"), pair(2, "perhaps")], "line 2: label is 'perhaps'"),
        ([{"uid": "a"}], "context"),
        (["text"], "line 1"),
    ],
)
def test_what_is_no_pair_is_named_with_its_line(tmp_path: Path, pairs: list[Any], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        CORPORA.items(write(tmp_path / "test.jsonl", *pairs))


def test_files_of_others_are_reported_on_in_their_own_columns(tmp_path: Path) -> None:
    snli = {"sentence1": "It rained.", "sentence2": "It was wet.", "gold_label": "entailment", "pairID": "1"}
    undecided, other = {**snli, "gold_label": "-", "pairID": "2"}, {**snli, "gold_label": "neutral", "pairID": "3"}
    path = write(tmp_path / "dev.jsonl", snli, undecided, other)
    assert CORPORA.introduction(path) == "A dataset of 2 pairs of premise and hypothesis."
    assert [(item.id, item.heading, item.value) for item in CORPORA.items(path)] == [
        ("1", "It was wet.", "entailment"),
        ("3", "It was wet.", "neutral"),
    ]


def test_a_folder_without_parts_and_bytes_that_are_no_text_are_clear_errors(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="holds no train, dev or test part"):
        CORPORA.introduction(tmp_path)
    (tmp_path / "dev.jsonl").write_bytes(b"\xff")
    with pytest.raises(InvalidInput, match="cannot be read"):
        CORPORA.introduction(tmp_path)
