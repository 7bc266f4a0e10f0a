"""Annotations of inference types: our page's, those that ANLI's authors have published, and what becomes of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from beat_the_ai.analysis.annotations import read_annotations
from beat_the_ai.analysis.cells import clustered_cell
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.report.inference import (
    BASIC,
    LEXICAL,
    NUMERICAL,
    OTHER,
    QUALITY,
    REASONING,
    REFERENCE,
    SCHEME,
    TRICKY,
    TYPES,
    inference_sections,
    labels_of,
)
from beat_the_ai.rules.corpora import Item
from beat_the_ai.statistics.clustered import Clustered

COLUMNS = "context,statement,reason,adversary_pred,gold_label,A1Code,A1Notes,eid,tags,uid,preds-bert-r1"
PUBLISHED = f"""{COLUMNS}
"It ""poured"", and",It was wet.,Wet.,n,e,"Basic-Lexical-Similar, Reasoning-Facts",wet~rain,x,"['Basic']",p1,"[0, 1, 0]"

It snowed in 1990.,It was cold in 1991.,,e,n,"Numerical-Cardinal-Dates, EventCoref, Basic-0, ",,x,[],p2,"[1, 0, 0]"
It snowed.,It snows.,,e,n,,,x,[],p3,"[1, 0, 0]"
"""


def items(*rounds: str) -> list[Item]:
    return [
        Item(f"p{place}", "It is wet.", f"It rains {place}.", "Label", "neutral", of) for place, of in enumerate(rounds)
    ]


def by_premise(found: int, total: int) -> str:
    """Return the cell of a share of pairs, each of a premise of its own."""
    return clustered_cell(Clustered({place: (place < found, 1) for place in range(total)}))


def test_the_types_are_the_six_of_the_paper_beside_quality_and_finer_tags_are_those_of_a_type() -> None:
    assert len(TYPES) == 6
    assert set(SCHEME.labels) == {*TYPES, QUALITY}
    assert set(SCHEME.within) == set(SCHEME.labels)
    assert SCHEME.parents["Tricky: Wordplay"] == TRICKY


def test_annotations_are_shares_by_round_and_by_finer_tags() -> None:
    annotations = {
        "p0": [LEXICAL, "Lexical: Similar", TRICKY],
        "p1": [LEXICAL, QUALITY],
        "p2": [BASIC],
        "p3": [BASIC, "Basic: Negation"],
    }
    types, tags, examples = inference_sections(annotations, items("R1", "R1", "R1", "R2", "R2"))
    assert types.table.header == ("type", "round 1 (3)", "round 2 (1)", "pairs (4)", "meaning")
    shares = {row[0]: row[1:-1] for row in types.table.rows}
    assert shares[LEXICAL] == (by_premise(2, 3), by_premise(0, 1), by_premise(2, 4))
    assert shares[BASIC] == (by_premise(1, 3), by_premise(1, 1), by_premise(2, 4))
    assert shares[REASONING][-1] == by_premise(0, 4)
    finer = {row[:2]: row[2] for row in tags.table.rows}
    assert finer[LEXICAL, "Similar"] == finer[BASIC, "Negation"] == by_premise(1, 4)
    assert [(row[0], row[-1]) for row in examples.table.rows] == [
        *(("R1", "Lexical; Lexical: Similar; Tricky"), ("R1", "Lexical; Quality")),
        *(("R1", "Basic"), ("R2", "Basic; Basic: Negation")),
    ]


def test_a_dataset_that_tells_no_rounds_has_one_column() -> None:
    types, *_ = inference_sections({"p0": [BASIC]}, items(""))
    assert types.table.header == ("type", "pairs (1)", "meaning")


def test_anlis_published_annotation_is_read(tmp_path: Path) -> None:
    table = tmp_path / "ANLI_analysis_r1_dev.csv"
    table.write_text(PUBLISHED, "utf-8")
    assert read_annotations([table], SCHEME) == {
        "p1": [LEXICAL, "Lexical: Similar", REASONING, "Reasoning & Facts: Facts"],
        "p2": [NUMERICAL, "Numerical & Quantitative: Cardinal", REFERENCE, "Reference & Names: EventCoref", BASIC],
    }
    table.write_text(PUBLISHED.replace("A1Code", "A2Code"), "utf-8")
    assert len(read_annotations([table], SCHEME)) == 2


@pytest.mark.parametrize(
    ("code", "labels"),
    [
        ("Tricky-Exhaustification", [TRICKY, "Tricky: Exhaustification"]),
        ("Tricky-Presupposition", [TRICKY]),
        ("Basic-Lexical-Dissimilar", [LEXICAL, "Lexical: Dissimilar"]),
        ("Basic-Lexical", [LEXICAL]),
        ("Imperfection-Spelling", [QUALITY, "Quality: Spelling"]),
        ("Quality-NonNative", [QUALITY, "Quality: NonNative"]),
        ("Reasoning-Containment-Times", [REASONING, "Reasoning & Facts: Containment"]),
        ("Basic", [BASIC]),
        ("Gibberish-Facts", [OTHER]),
    ],
)
def test_a_code_is_a_type_and_one_of_its_tags(code: str, labels: list[str]) -> None:
    assert labels_of(code) == labels


def test_codes_that_are_no_type_are_counted_apart() -> None:
    types, *_ = inference_sections({"p0": [OTHER], "p1": [BASIC]}, items("", ""))
    assert {row[0]: row[1] for row in types.table.rows}[OTHER] == by_premise(1, 2)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("uid,tags\np1,Basic\n", "A1Code or A2Code; this has uid, tags"), ("A1Code,note\nBasic,x\n", "line 2: the uid")],
)
def test_a_table_of_anything_else_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "table.csv").write_text(text, "utf-8")
    with pytest.raises(InvalidInput, match=reason):
        read_annotations([tmp_path / "table.csv"], SCHEME)


def test_a_finer_tag_brings_its_type_and_counts_as_one_with_it(tmp_path: Path) -> None:
    saved = tmp_path / "annotations.json"
    labels = ["Tricky: Wordplay", *(name for name in SCHEME.labels if name != TRICKY), "Basic: Idiom"]
    saved.write_text(json.dumps({"annotations": [{"id": "p0", "labels": labels}]}), "utf-8")
    read = read_annotations([saved], SCHEME)["p0"]
    assert read[:2] == [TRICKY, "Tricky: Wordplay"]
    assert set(SCHEME.labels) < set(read)
    saved.write_text(json.dumps({"annotations": [{"id": "p0", "labels": ["Tricky: Puns"]}]}), "utf-8")
    with pytest.raises(InvalidInput, match=r"Tricky: Puns was given"):
        read_annotations([saved], SCHEME)
