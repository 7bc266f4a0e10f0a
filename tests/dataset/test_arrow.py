"""Rows come from JSON Lines into Arrow as they were, in whatever portions."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from beat_the_ai.dataset.arrow import GroupedRows, arrow_table, schema
from beat_the_ai.dataset.jsonl_files import json_lines
from beat_the_ai.rules.protocol import Value
from tests.examples import examples


class Span(Value):
    text: str | None
    places: list[int]
    share: float


class Row(Value):
    text: str
    span: Span | None
    spans: list[Span] | None
    label: Literal["yes", "no"] | None
    right: bool


TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ["\0", "2026-01-01", "null", "\u2028", "1e5"]
)
SPANS = st.builds(
    Span,
    text=st.none() | TEXTS,
    places=st.lists(st.integers(-(2**31), 2**31 - 1), max_size=3),
    share=st.floats(allow_nan=False, allow_infinity=False),
)
ROWS = st.builds(
    Row,
    text=TEXTS,
    span=st.none() | SPANS,
    spans=st.none() | st.lists(SPANS, max_size=2),
    label=st.sampled_from(["yes", "no", None]),
    right=st.booleans(),
)
COLUMNS = schema(Row)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(ROWS, max_size=5))
def test_rows_are_what_they_were(rows: list[Row]) -> None:
    table = arrow_table(json_lines(rows), COLUMNS)
    assert table.schema == COLUMNS
    assert table.to_pylist() == [row.model_dump() for row in rows]


@settings(max_examples=examples(50), deadline=None)
@given(st.lists(st.lists(ROWS, max_size=7), max_size=5), st.integers(1, 4))
def test_groups_have_one_size_however_rows_come(portions: list[list[Row]], size: int) -> None:
    written: list[pa.Table] = []
    grouped = GroupedRows(Path(), written.append, COLUMNS, size)
    for portion in portions:
        grouped.write(json_lines(portion))
    grouped.end()
    rows = [row.model_dump() for portion in portions for row in portion]
    assert [group.to_pylist() for group in written] == [rows[at : at + size] for at in range(0, len(rows), size)]


def test_a_row_may_be_longer_than_a_block_of_pyarrows_reader() -> None:
    row = Row(text="x" * 3_000_000, span=None, spans=None, label=None, right=True)
    assert arrow_table(json_lines([row, row]), COLUMNS).to_pylist() == [row.model_dump()] * 2
