"""Datasets in files: read, told of, sampled for annotation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.analysis.cells import clustered_cell
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.report.corpora import PairCorpora
from beat_the_ai.statistics.clustered import Clustered

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
    labels, groups, by_group = CORPORA.sections(folder)
    assert [row[:3] for row in labels.table.rows] == [("train", "1", "3"), ("dev", "1", "1")]
    assert labels.table.rows[0][3] == "66.7%, 2"  # of one premise
    assert [row[:5] for row in groups.table.rows] == [
        ("–", "–", "1", "1", "0"),
        ("–", "how to", "1", "1", "0"),
        ("–", "news", "2", "1", "1"),
        ("–", "all genres", "2", "3", "1"),
    ]
    assert groups.table.rows[-1][-2:] == ("9", "9 to 9")
    assert by_group.table.rows[-1][2:4] == ("4", clustered_cell(Clustered({"rain": (2, 3), "snow": (0, 1)})))


def test_the_figures_of_a_file_are_for_programs_too(folder: Path) -> None:
    figures = dict(CORPORA.statistics(folder / "train.jsonl").figures)
    groups = figures.pop("groups")
    assert figures == {
        "premises": 1,
        "pairs": 3,
        "labels": {"entailment": 2, "neutral": 0, "contradiction": 1},
        "genres": {"": 1, "how_to": 1, "news": 1},
        "hypothesis_words_mean": 3.0,
    }
    assert groups[-1]["premise_characters"] == [9, 9]
    assert [(group["genre"], group["pairs"]) for group in groups] == [
        *(("", 1), ("how_to", 1), ("news", 1), ("all genres", 3)),
    ]


def test_a_file_that_tells_no_groups_has_none(tmp_path: Path) -> None:
    assert len(CORPORA.sections(write(tmp_path / "dev.jsonl", pair(1, "e")))) == 1


def test_rounds_as_anli_is_released_are_counted_by_round_genre_and_writer(tmp_path: Path) -> None:
    for number, genres in ((1, ["wiki"]), (2, ["wiki", "news"])):
        folder = tmp_path / f"R{number}"
        folder.mkdir()
        write(folder / "train.jsonl", pair(10 * number, "e", model_label="e", emturk=False, genre="wiki"))
        tests = [
            pair(10 * number + place, "n", model_label="c", emturk=place == 1, genre=genre, tag="of their own")
            for place, genre in enumerate(genres, start=1)
        ]
        write(folder / "test.jsonl", *tests)
    assert CORPORA.introduction(tmp_path) == "A dataset of 5 pairs of premise and hypothesis."
    labels, groups, by_group, examples = CORPORA.sections(tmp_path)
    assert [row[:3] for row in labels.table.rows] == [
        ("train", "1", "2"),
        ("test", "1", "3"),
        ("test_exclusive", "1", "2"),
    ]
    wrong = {row[:2]: row[-1] for row in by_group.table.rows}
    rows = {row[:2]: (*row[3:5], wrong[row[:2]]) for row in groups.table.rows}
    assert rows == {
        ("1", "wiki"): ("1", "1", "50.0%, 1"),
        ("1", "exclusive writers"): ("0", "1", "100.0%, 1"),
        ("2", "news"): ("0", "1", "100.0%, 1"),
        ("2", "wiki"): ("1", "1", "50.0%, 1"),
        ("2", "all genres"): ("1", "2", "66.7%, 2"),
        ("2", "exclusive writers"): ("0", "1", "100.0%, 1"),
        ("all", "all genres"): ("2", "3", "60.0%, 3"),
        ("all", "exclusive writers"): ("0", "2", "100.0%, 2"),
    }
    assert [row[0] for row in examples.table.rows] == ["1", "2", "2"]
    rounds = {part: [item.round for item in items] for part, items in CORPORA.items(tmp_path).items()}
    assert rounds == {"train": ["R1", "R2"], "test": ["R1", "R2", "R2"]}
    assert CORPORA.statistics(tmp_path / "R2" / "test.jsonl").figures["groups"][0]["round"] == "2"


def test_a_pair_is_annotated_with_its_label(folder: Path) -> None:
    item = [item for items in CORPORA.items(folder).values() for item in items][3]
    assert (item.id, item.heading, item.text, item.name, item.value) == (
        *("p4", "Claim number 4.", "It snows."),
        *("Label", "neutral"),
    )


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
    assert CORPORA.introduction(path) == (
        "A dataset of 2 pairs of premise and hypothesis. 1 pairs without a gold label were left out."
    )
    assert [(item.id, item.heading, item.value) for items in CORPORA.items(path).values() for item in items] == [
        ("1", "It was wet.", "entailment"),
        ("3", "It was wet.", "neutral"),
    ]


def test_a_folder_without_parts_and_bytes_that_are_no_text_are_clear_errors(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="holds no train, dev or test part"):
        CORPORA.introduction(tmp_path)
    (tmp_path / "dev.jsonl").write_bytes(b"\xff")
    with pytest.raises(InvalidInput, match="cannot be read"):
        CORPORA.introduction(tmp_path)
