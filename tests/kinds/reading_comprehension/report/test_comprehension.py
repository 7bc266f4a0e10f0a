"""Samples to annotate, and reading back what was annotated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from beat_the_ai.analysis.annotations import read_annotations, sample, sample_key
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension.report.comprehension import REQUIREMENTS, SCHEME, requirements_section
from beat_the_ai.rules.corpora import Item

ITEMS = [Item(f"q{number}", "A question?", "A passage.", "Answer", "passage") for number in range(30)]


def saved(path: Path, annotations: object) -> Path:
    path.write_text(json.dumps({"annotations": annotations}))
    return path


def test_there_are_the_papers_thirteen_requirements() -> None:
    assert len(REQUIREMENTS) == 13


def test_a_sample_is_drawn_by_its_seed_without_repeats() -> None:
    drawn = sample(ITEMS, 10, 1)
    assert len({item.id for item in drawn}) == 10
    assert drawn == sample(ITEMS, 10, 1) != sample(ITEMS, 10, 2)
    assert len(sample(ITEMS, 100, 1)) == 30
    assert sample_key(drawn) != sample_key(drawn[:-1])


def test_files_are_read_together_and_the_last_word_counts(tmp_path: Path) -> None:
    first = saved(tmp_path / "1.json", [{"id": "a", "labels": ["Explicit"]}, {"id": "b", "labels": ["Negation"]}])
    second = saved(tmp_path / "2.json", [{"id": "a", "labels": ["Multi-Hop", "Numeric", "Spatial"]}])
    found = read_annotations([first, second], SCHEME)
    assert found == {"a": ["Multi-Hop", "Numeric", "Spatial"], "b": ["Negation"]}
    section = requirements_section(found, {"a": "It rains.", "b": "It snows."})
    assert section.source == "Figure 5, §5.1"
    assert {row[0]: row[1].split()[0] for row in section.table.rows}["Negation"] == "50.0%"


@pytest.mark.parametrize(
    ("annotations", "said"),
    [
        ([{"id": "a", "labels": []}], "no label"),
        ([{"id": "a", "labels": ["Explicit", "Numeric", "Spatial", "Temporal"]}], "one to 3 of"),
        ([{"id": "a", "labels": ["Explizit"]}], "Explizit was given"),
        ([{"id": 7, "labels": ["Explicit"]}], "annotations.0.id"),
        ({}, "annotations: "),
    ],
)
def test_what_the_page_cannot_have_saved_is_refused(tmp_path: Path, annotations: object, said: str) -> None:
    path = saved(tmp_path / "bad.json", annotations)
    with pytest.raises(InvalidInput, match=said) as raised:
        read_annotations([path], SCHEME)
    assert str(path) in str(raised.value)
