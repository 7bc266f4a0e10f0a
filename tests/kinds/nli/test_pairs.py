from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.label_names import label_named
from beat_the_ai.kinds.nli.labels import Pair
from beat_the_ai.kinds.nli.pairs import identity, read_pairs

PREMISE, HYPOTHESIS = "A baker opens her shop.", "A shop opens."
SNLI = {"sentence1": PREMISE, "sentence2": HYPOTHESIS, "gold_label": "entailment", "pairID": "7#0e", "genre": "fiction"}
ANLI = {"context": PREMISE, "hypothesis": HYPOTHESIS, "label": "e", "uid": "u1", "reason": "It is her shop."}
OURS = {"premise": PREMISE, "hypothesis": HYPOTHESIS, "label": 0}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pairs.jsonl"


def write(path: Path, *records: Any) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return path


def test_each_shape_gives_the_same_pair(path: Path) -> None:
    read = read_pairs(write(path, SNLI, ANLI, OURS))
    assert {labelled.pair for labelled in read.pairs} == {Pair(premise=PREMISE, hypothesis=HYPOTHESIS)}
    assert {labelled.label for labelled in read.pairs} == {"entailment"}
    assert [(labelled.id, labelled.genre) for labelled in read.pairs] == [("7#0e", "fiction"), ("u1", ""), ("3", "")]


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ("e", "entailment"),
        ("NEUTRAL", "neutral"),
        (" Contradiction ", "contradiction"),
        (1, "neutral"),
        ("0", "entailment"),
        (2.0, "contradiction"),
        ("1.0", "neutral"),
        ("contradictory", "contradiction"),
    ],
)
def test_labels_have_names_letters_and_numbers(path: Path, given: object, label: str) -> None:
    assert read_pairs(write(path, {**OURS, "label": given})).pairs[0].label == label


@pytest.mark.parametrize("name", ["", "x", "entail", "LABEL_0", "0", "not_entailment"])
def test_no_other_name_is_a_label(name: str) -> None:
    assert label_named(name) is None


def test_pairs_whose_annotators_disagreed_are_left_out_and_counted(path: Path) -> None:
    read = read_pairs(write(path, {**SNLI, "gold_label": "-"}, SNLI, {**OURS, "label": -1}))
    assert (len(read.pairs), read.without_label) == (1, 2)


def test_a_repeated_id_is_told_apart_by_its_line(path: Path) -> None:
    assert [labelled.id for labelled in read_pairs(write(path, SNLI, ANLI, SNLI)).pairs] == ["7#0e/1", "u1", "7#0e/3"]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({**OURS, "label": "maybe"}, r"pairs\.jsonl, line 2: label is 'maybe'\. Allowed: entailment \(e\), neutral"),
        ({**OURS, "label": 3}, "line 2: label is 3"),
        ({**OURS, "label": True}, "line 2: label is true"),
        ({**SNLI, "gold_label": None}, "line 2: gold_label is nothing"),
        ({**OURS, "hypothesis": None}, "line 2: hypothesis is nothing; a text is needed"),
        ({"text": PREMISE}, "line 2: there is no premise. Fields that are read: sentence1, sentence2, gold_label; or"),
        ([PREMISE], "line 2: a JSON object is needed"),
    ],
)
def test_what_is_wrong_with_a_line_is_said_with_its_place(path: Path, record: Any, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        read_pairs(write(path, OURS, record))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "line 1: a JSON object is needed, and this is no JSON"),
        (b"[" * 100_000, "line 1: .*nested too deeply"),
        (b"\xff\xfe", "cannot be read: line 1 is no UTF-8 text"),
        (b"\n\n", r"holds no pair with a label \(0 without one\)"),
    ],
    ids=["half an object", "deep nesting", "not UTF-8", "empty"],
)
def test_a_file_that_holds_no_pairs_is_refused(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=reason):
        read_pairs(path)


def test_a_pair_is_known_again_without_case_spacing_and_ways_of_encoding() -> None:
    assert identity(Pair(premise="The ﬁrst  Café", hypothesis="It\u00a0is. ")) == identity(
        Pair(premise="the first cafe\u0301", hypothesis="it is.")
    )
    assert identity(Pair(premise="a b", hypothesis="c")) != identity(Pair(premise="a", hypothesis="b c"))


def test_a_pair_names_its_groups_as_far_as_the_file_tells(tmp_path: Path) -> None:
    known = {"context": "It rains.", "hypothesis": "It is wet.", "label": "e", "tag": "R2", "genre": "news"}
    rows = [{**known, "emturk": True, "reason": "Rain is wet."}, {**known, "emturk": "False"}, known]
    path = tmp_path / "dev.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    exclusive, other, unknown = read_pairs(path).pairs
    assert exclusive.groups == {"round": "R2", "genre": "news", "exclusive": "yes"}
    assert (exclusive.reason, other.groups["exclusive"]) == ("Rain is wet.", "no")
    assert unknown.groups == {"round": "R2", "genre": "news"}
