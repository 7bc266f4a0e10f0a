"""The sections of a report: figures by hand, and the words of their sources."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.analysis.cells import MOST_BINS, bin_width, binned
from beat_the_ai.kinds.reading_comprehension.report.examples import Example, Part
from beat_the_ai.kinds.reading_comprehension.report.sections import dataset_sections
from beat_the_ai.statistics.section import Section


def part(name: str, questions: list[tuple[str, str]]) -> Part:
    made = Part(name)
    for number, (question, answer) in enumerate(questions):
        made.add(Example(f"{name}{number}", f"Passage of {name}.", question, answer))
    return made


def sections() -> dict[str, Section]:
    train = part("train", [("What is it?", "a stone"), ("What was it?", "1848"), ("Who?", "Ada Lovelace")])
    return {section.title: section for section in dataset_sections([train, part("test", [("Why?", "to rest")])])}


def test_every_part_and_all_of_them_have_a_row_or_a_column() -> None:
    made = sections()
    assert made["Passages and questions"].table.rows == [("train", "1", "3"), ("test", "1", "1"), ("all", "2", "4")]
    assert [row[0] for row in made["Mean lengths and overlap"].table.rows] == ["train", "test", "all"]
    kinds = {row[0]: row[1:] for row in made["Kinds of question"].table.rows}
    assert kinds["what"] == ("66.7% (20.8% to 93.9%), 2", "0.0% (0.0% to 79.3%), 0", "50.0% (15.0% to 85.0%), 2")
    assert {row[0]: row[3].split()[0] for row in made["Types of answer"].table.rows}["date"] == "25.0%"
    assert made["Length of questions"].table.header == ("words", "train", "test", "all")


def test_beginnings_are_ranked() -> None:
    rows = sections()["First three tokens"].table.rows
    assert [row[0] for row in rows[:3]] == ["what", "what is", "what is it"]
    assert rows[0][1].startswith("50.0%")


def test_each_names_its_source_in_the_paper() -> None:
    assert {section.source for section in sections().values()} == {
        "Table 3", "Table 4", "Figure 4", "Figure 6", "Figure 7", "Figure 8", "Figure 9", "Figures 11 to 14",
    }  # fmt: skip


def test_a_dataset_without_questions_has_its_sizes_only() -> None:
    assert [section.title for section in dataset_sections([Part("empty")])] == ["Passages and questions"]


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=50))
def test_bins_are_few_and_hold_everything(values: list[int]) -> None:
    width = bin_width(values)
    counts = binned(values, width)
    assert counts.total() == len(values)
    assert (max(counts) - min(counts)) // width <= MOST_BINS
    assert all(start % width == 0 for start in counts)
