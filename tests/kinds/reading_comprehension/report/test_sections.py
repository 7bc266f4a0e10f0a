"""The sections of a report: figures by hand, and the words of their sources."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.analysis.cells import MOST_BINS, bin_width, binned, clustered_cell
from beat_the_ai.kinds.reading_comprehension.report.examples import Example, Part
from beat_the_ai.kinds.reading_comprehension.report.sections import dataset_sections
from beat_the_ai.statistics.clustered import Clustered
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
    assert kinds["what"] == ("66.7%, 2", "0.0%, 0", clustered_cell(Clustered({"train": (2, 3), "test": (0, 1)})))
    assert {row[0]: row[3].split()[0] for row in made["Types of answer"].table.rows}["date"] == "25.0%"
    assert made["Length of questions"].table.header == ("words", "train", "test", "all")


def test_examples_are_of_dev_with_the_answer_marked_in_some_of_its_passage() -> None:
    dev = Part("dev")
    text = f"{'long ' * 50}Ada Lovelace{' words' * 50}"
    for number in range(9):
        dev.add(Example(f"d{number}", text, f"Who is {number}?", "Ada Lovelace", 250))
    made = {section.title: section for section in dataset_sections([part("train", [("Why?", "x")]), dev])}["Examples"]
    assert len(made.table.rows) == 5
    assert len({question for question, _ in made.table.rows}) == 5
    [*_, (_, passage)] = made.table.rows
    assert passage == f"…{'long ' * 23}[Ada Lovelace]{' words' * 19}…"
    again = {section.title: section for section in dataset_sections([dev])}["Examples"]
    assert again.table.rows == made.table.rows


def test_examples_without_dev_or_answers_or_spaces_have_the_beginning() -> None:
    whole = Part("train")
    whole.add(Example("1", "x" * 500, "Who?", None))
    whole.add(Example("2", "x" * 300 + "y" + "x" * 300, "What?", "y", 300))
    whole.add(Example("3", "x" * 300 + "y" + "x" * 300, "Where?", "y", 301))
    made = {section.title: section for section in dataset_sections([whole])}["Examples"]
    passages = {row[0]: row[1] for row in made.table.rows}
    marked, elsewhere = f"…{'x' * 120}[y]{'x' * 120}…", f"…{'x' * 119}y{'x' * 121}…"
    assert passages == {"Who?": "x" * 120 + "…", "What?": marked, "Where?": elsewhere}


def test_beginnings_are_ranked() -> None:
    rows = sections()["First three tokens"].table.rows
    assert [row[0] for row in rows[:3]] == ["what", "what is", "what is it"]
    assert rows[0][1].startswith("50.0%")


def test_each_names_its_source_in_the_paper() -> None:
    assert {section.source for section in sections().values()} == {
        "Table 1, §3.2", "Table 3, §3.4", "Table 4, §3.4", "Figure 4, §3.4", "Figure 6, §3.4", "Figure 8, §3.4",
        "Figure 7, Appendix A", "Figure 9, Appendix A", "Figures 11 to 14, Appendix A",
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
