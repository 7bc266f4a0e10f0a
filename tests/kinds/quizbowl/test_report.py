"""What reports say of questions: lengths, topics, what is known of them, and phenomena that people annotate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from beat_the_ai.cli import main
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.quizbowl.collection import Question
from beat_the_ai.kinds.quizbowl.report.corpora import QuestionCorpora
from beat_the_ai.kinds.quizbowl.report.overlap import KnownQuestions, names
from beat_the_ai.kinds.quizbowl.report.phenomena import PHENOMENA
from tests.kinds.quizbowl.questions import KILN, LOOM

QUESTIONS = [
    {"qanta_id": 1, "text": LOOM, "page": "Loom", "answer": "loom", "category": "Crafts", "tournament": "Open"},
    {"qanta_id": 2, "text": KILN, "page": "Kiln", "category": "Crafts"},
    {"text": "It never rains here. Name this place.", "page": "Desert", "category": "Nature"},
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "qanta.json"
    file.write_text(json.dumps({"questions": QUESTIONS}), "utf-8")
    return file


def question(text: str, page: str = "Loom") -> Question:
    return Question(text=text, page=page)


def test_names_are_runs_of_words_with_a_capital() -> None:
    text = "Ada met Grace Hopper in New York. The Duke of Alba, unlike Ada, stayed. The end."
    assert names(text) == ["Grace Hopper", "New York", "Duke of Alba", "Ada"]


def test_overlap_is_with_known_questions_of_the_same_answer_alone() -> None:
    known = KnownQuestions([question("The red loom of Ada Wren weaves silk."), question("A kiln burns.", "Kiln")])
    same = known.overlap(question("The red loom of Ada Wren weaves silk."))
    assert same is not None
    assert (same.unigrams, same.bigrams, same.longest, same.names) == (1, 1, 8, 1)
    half = known.overlap(question("The red kiln burns."))
    assert half is not None
    assert (half.unigrams, half.bigrams, half.longest, half.names) == (1 / 2, 1 / 3, 2, None)
    assert known.overlap(question("A kiln burns.", "Desert")) is None
    assert (known.count("Loom"), known.count("Desert")) == (1, 0)


def test_a_file_of_questions_has_a_report_statistics_and_works(path: Path) -> None:
    corpora = QuestionCorpora()
    questions, topics = corpora.sections(path)
    assert questions.table.rows[0][:3] == ("qanta", "3", "3")
    assert [row[0] for row in topics.table.rows] == ["Crafts", "Nature"]
    figures = corpora.statistics(path).figures
    assert (figures["questions"], figures["answers"], figures["categories"]) == (3, 3, {"Crafts": 2, "Nature": 1})
    loom, kiln, desert = corpora.works(path)
    assert (loom.id, loom.work.model_dump(), loom.groups) == (
        "1",
        {"text": LOOM, "answer": "Loom"},
        {"tournament": "Open"},
    )
    assert corpora.groups(kiln.work.model_dump(), kiln.task_item) == {"category": "Crafts"}
    assert desert.id == "It never rains here. Name this place."
    assert [item.heading for item in corpora.items(path)] == ["loom", "Kiln", "Desert"]


def test_phenomena_may_be_several() -> None:
    section = QuestionCorpora().annotated({"1": ["Paraphrases", "Novel clues"], "2": ["Paraphrases"]})
    assert [row[0] for row in section.table.rows] == list(PHENOMENA)
    shares = {row[0]: row[1].split()[0] for row in section.table.rows}
    assert (shares["Paraphrases"], shares["Novel clues"]) == ("100.0%", "50.0%")


@pytest.mark.parametrize("text", ["[]", "{", '{"questions": [{"text": "x"}]}'])
def test_a_file_without_questions_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidInput, match=r"broken\.json"):
        QuestionCorpora().introduction(path)


def test_the_commands_take_it(path: Path, tmp_path: Path) -> None:
    counted = CliRunner().invoke(main, ["stats", "--task", "quizbowl", str(path), "--json"])
    assert counted.exit_code == 0, counted.output
    assert json.loads(counted.stdout)["questions"] == 3
    page = tmp_path / "report.html"
    made = CliRunner().invoke(main, ["report", "--task", "quizbowl", str(path), "--out", str(page)])
    assert made.exit_code == 0, made.output
    assert "Topics" in page.read_text("utf-8")
    checked = CliRunner().invoke(
        main, ["adversary", "check", "tantivy:sample", str(path), "--task", "quizbowl", "--json"]
    )
    assert checked.exit_code == 0, checked.output
