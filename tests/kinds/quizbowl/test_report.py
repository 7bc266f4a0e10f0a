"""What reports say of questions: lengths, topics, what is known of them, and phenomena that people annotate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from beat_the_ai.analysis.pages import report_page
from beat_the_ai.cli import main
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.quizbowl.collection import Question
from beat_the_ai.kinds.quizbowl.guesses import Evidence, Guess, Mark, Prediction
from beat_the_ai.kinds.quizbowl.report.buzzes import Buzz, Buzzes
from beat_the_ai.kinds.quizbowl.report.corpora import QuestionCorpora, compared_works, part_sections
from beat_the_ai.kinds.quizbowl.report.courses import courses_section
from beat_the_ai.kinds.quizbowl.report.evidence import Written, evidence_sections
from beat_the_ai.kinds.quizbowl.report.overlap import KnownQuestions, names, overlap_section
from beat_the_ai.kinds.quizbowl.report.phenomena import PHENOMENA
from beat_the_ai.kinds.quizbowl.report.sets import QuestionSet, gold_id, written_sets
from beat_the_ai.kinds.quizbowl.writing import QuestionWriting
from beat_the_ai.rules.answers import KeptAnswers
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.text import folded
from beat_the_ai.terms.division import EXCLUSIVE
from tests.kinds.quizbowl.questions import KILN, LOOM

QUESTIONS: list[dict[str, Any]] = [
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
    known = KnownQuestions([question("The red loom of Ada Wren weaves silk. So!"), question("It burns.", "Kiln")])
    same = known.overlap(question("The red loom of Ada Wren weaves silk."))
    assert same is not None
    assert (same.unigrams, same.bigrams, same.longest, same.names) == (1, 1, 8, 1)
    half = known.overlap(question("The red kiln burns."))
    assert half is not None
    assert (half.unigrams, half.bigrams, half.longest, half.names) == (1 / 2, 1 / 3, 2, None)
    assert known.overlap(question("A kiln burns.", "Desert")) is None
    assert (known.count(question("What weaves?")), known.count(question("Where?", "Desert"))) == (1, 0)


def test_a_question_that_is_known_is_not_compared_with_itself() -> None:
    known = KnownQuestions([question("The red loom weaves silk."), question("A loom weaves.")])
    overlap = known.overlap(question("The red  LOOM weaves silk."))
    assert overlap is not None
    assert (overlap.longest, known.count(question("the red loom weaves silk."))) == (2, 1)


def test_table_2_has_regular_questions_and_those_against_each_model_apart() -> None:
    """Four words, three pairs and a name have in common with each known question what is counted here by hand."""
    known = KnownQuestions([question("In Paris weavers sing."), question("They sing in Rome.", "Loom")])
    written = [
        Question(text="In Paris looms sing.", page="Loom", model="ir"),  # in, Paris, sing; in Paris; Paris
        Question(text="Here in Rome, threads.", page="Loom", model="rnn"),  # in, Rome; in Rome; Rome
        Question(text="The walls burn hot.", page="Kiln", model="rnn"),  # no known question has this answer
    ]
    regular = QuestionSet("regular", [question("In Bonn they sing a song.")])  # in, they, sing; they sing; no name
    section = overlap_section([*written_sets(written), regular], known)
    rows = {row[0]: [cell.split(" ")[0].rstrip(",") for cell in row[1:]] for row in section.table.rows}
    assert rows["adversarial"] == ["3", "0.62", "0.33", "2.00", "1.00", "4.0", "0.7", "1.3"]
    assert rows["against ir"] == ["1", "0.75", "0.33", "2.00", "1.00", "4.0", "1.0", "2.0"]
    assert rows["against rnn"] == ["2", "0.50", "0.33", "2.00", "1.00", "4.0", "0.5", "1.0"]
    assert rows["regular"] == ["1", "0.50", "0.20", "2.00", "0.00", "6.0", "1.0", "2.0"]
    assert section.table.rows[0][2] == "0.62 (0.50 to 0.75), sd 0.18"
    assert rows["regular, in the paper"] == ["–", "0.37", "0.05", "6.87", "0.46", "133.5", "12.5", "16.9"]


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
    assert desert.id == "3"  # its line
    assert [item.heading for items in corpora.items(path).values() for item in items] == ["loom", "Kiln", "Desert"]


def test_questions_of_exclusive_writers_count_once_among_categories() -> None:
    loom, kiln = (Question(text=text, page="Loom", category=topic) for text, topic in ((LOOM, "Crafts"), (KILN, None)))
    sizes, topics = part_sections([("train", [loom]), ("test", [kiln]), (EXCLUSIVE, [kiln])])
    assert [row[0] for row in sizes.table.rows] == ["train", "test", EXCLUSIVE]
    assert sizes.headline == "2 questions"
    assert [(name, cell.partition(" ")[0]) for name, cell in topics.table.rows] == [
        ("Crafts", "50.0%"),
        ("none", "50.0%"),
    ]


def test_phenomena_may_be_several() -> None:
    [section] = QuestionCorpora().annotated({"1": ["Paraphrases", "Novel clues"], "2": ["Paraphrases"]}, [])
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
    answers, regular = tmp_path / "ir.json", tmp_path / "regular.jsonl"
    answers.write_text(json.dumps({"1": [[1, "Loom"]], "2": [[1, "Loom"]], "7": [[2, "Kiln"]]}), "utf-8")
    regular.write_text(json.dumps({"text": "Potters bake in this.", "page": "Kiln", "id": 7}), "utf-8")
    beside = ["--answers", str(answers), "--regular", str(regular), "--known", str(path)]
    compared = CliRunner().invoke(main, ["report", "--task", "quizbowl", str(path), *beside, "--json"])
    assert compared.exit_code == 0, compared.output
    found = {section["title"]: section["rows"] for section in json.loads(compared.stdout)["sections"]}
    assert [(*row[:3], row[-2].split(" ")[0]) for row in found["Models in the course of the questions"]] == [
        ("regular", "ir", "1", "100.0%"),
        ("adversarial", "ir", "2", "50.0%"),
    ]
    assert [row[1] for row in found["Overlap with known questions"]][:2] == ["1", "3"]
    checked = CliRunner().invoke(
        main, ["adversary", "check", "tantivy:sample", str(path), "--task", "quizbowl", "--json"]
    )
    assert checked.exit_code == 0, checked.output


def test_answers_that_may_be_to_either_of_two_questions_are_refused(path: Path, tmp_path: Path) -> None:
    answers, regular = tmp_path / "said.json", tmp_path / "regular.jsonl"
    answers.write_text(json.dumps({"1": [[1, "Loom"]]}), "utf-8")
    regular.write_text(json.dumps({"text": "Potters bake in this.", "page": "Kiln", "id": 1}), "utf-8")
    asked = ["report", "--task", "quizbowl", str(path), "--regular", str(regular), "--json"]
    others = tmp_path / "others.json"
    others.write_text(json.dumps({"2": [[1, "Loom"]]}), "utf-8")
    assert CliRunner().invoke(main, [*asked, "--answers", str(others)]).exit_code == 0
    refused = CliRunner().invoke(main, [*asked, "--answers", str(answers)])
    assert refused.exit_code == 2
    assert "have the id of another one in DATASET, such as '1'" in refused.stderr


def test_other_models_are_asked_about_regular_questions_once_under_the_ids_of_the_votes(tmp_path: Path) -> None:
    files = [tmp_path / "one.jsonl", tmp_path / "other.jsonl"]
    files[0].write_text(f"{json.dumps(QUESTIONS[0])}\n{json.dumps(QUESTIONS[1])}\n", "utf-8")
    files[1].write_text(json.dumps({**QUESTIONS[0], "qanta_id": 9}), "utf-8")
    asked = compared_works(QuestionWriting(regular_questions=tuple(map(str, files))))
    assert [(each.id, each.work.model_dump()["answer"]) for each in asked] == [
        (short_hash(folded(LOOM)), "Loom"),
        (short_hash(folded(KILN)), "Kiln"),
    ]
    assert compared_works(QuestionWriting()) == []


LONG = " ".join(f"w{number}" for number in range(20))
READ = [  # of twenty words each
    Question(text=f"a {LONG[3:]}", page="Loom", id="a", model="ir"),
    Question(text=f"b {LONG[3:]}", page="Kiln", id="b", model="rnn"),
]
REGULAR_ONE = Question(text=f"c {LONG[3:]}", page="Loom", id="7")


def test_models_are_set_beside_each_other_on_each_set_of_questions() -> None:
    """The IR system is right on `a` from word 11 to 15 and on the regular one from word 5 on; the RNN knows `b`."""
    sets = [QuestionSet("regular", [REGULAR_ONE]), *written_sets(READ)]
    ir = {"a": [[1, "Kiln"], [11, "Loom"], [16, "Desert"]], "b": {"turns": []}, gold_id(REGULAR_ONE): [[5, "Loom"]]}
    rnn = {"a": {"prediction": {"turns": [{"word": 2, "page": "Kiln"}]}}, "b": [[1, "Kiln"]], "7": [[20, "Loom"]]}
    section = courses_section(sets, [], [KeptAnswers("ir", "IR", ir), KeptAnswers("rnn", "RNN", rnn)])
    assert [(*row[:3], *(cell.split(" ")[0] for cell in row[3:])) for row in section.table.rows] == [
        ("regular", "IR", "1", "100.0%", "100.0%", "100.0%", "100.0%", "0.25"),
        ("regular", "RNN", "1", "0.0%", "0.0%", "0.0%", "100.0%", "1.00"),
        ("adversarial", "IR", "2", "0.0%", "0.0%", "50.0%", "0.0%", "0.55"),
        ("adversarial", "RNN", "2", "50.0%", "50.0%", "50.0%", "50.0%", "0.05"),
        ("against ir", "IR", "1", "0.0%", "0.0%", "100.0%", "0.0%", "0.55"),
        ("against ir", "RNN", "1", "0.0%", "0.0%", "0.0%", "0.0%", "–"),
        ("against rnn", "IR", "1", "0.0%", "0.0%", "0.0%", "0.0%", "–"),
        ("against rnn", "RNN", "1", "100.0%", "100.0%", "100.0%", "100.0%", "0.05"),
    ]
    assert section.table.rows[3][3] == "50.0% (9.5% to 90.5%), 1"
    plot = str(section.plot)
    assert [plot.count(f">{name}<") for name in ("regular", "adversarial", "against ir", "against rnn")] == [1, 0, 1, 1]


def test_a_model_in_the_loop_is_shown_on_what_was_written_against_it_until_it_answers_again() -> None:
    loop = [KeptAnswers("ir", "ir, in the loop", {"a": []}), KeptAnswers("rnn", "rnn, in the loop", {"b": []})]
    shown = courses_section(written_sets(READ), loop, [])
    assert [row[:2] for row in shown.table.rows] == [
        ("against ir", "ir, in the loop"),
        ("against rnn", "rnn, in the loop"),
    ]
    assert "low by choice" in shown.text
    again = courses_section(written_sets(READ), loop, [KeptAnswers(name, name, {"a": []}) for name in ("ir", "rnn")])
    assert {row[1] for row in again.table.rows} == {"ir", "rnn"}
    assert "low by choice" not in again.text


def test_answers_that_are_no_guesses_by_position_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"The answer to 'a' is 'Loom'"):
        courses_section(written_sets(READ), [], [KeptAnswers("ir", "IR", {"a": {"prediction": "Loom"}})])


def guessed(guess: str, *evidence: tuple[str, list[tuple[int, int]], str]) -> Prediction:
    """A best guess with evidence for a question whose sentence begins at 5: text, its matches there, the guess."""
    return Prediction(
        guesses=[Guess(page=guess, confidence=1)],
        rank=None,
        turns=[],
        confidences=[],
        evidence=[
            Evidence(
                sentence=Mark(start=5, end=18),
                page=page,
                text=text,
                source="wikipedia",
                matches=[Mark(start=start, end=end) for start, end in matches],
                highlights=[Mark(start=0, end=4)],
            )
            for text, matches, page in evidence
        ],
        saliency=[],
    )


def test_what_misled_the_model_stands_beside_the_question_and_is_escaped() -> None:
    text = "Heat. Clay <b>clay red."  # "Clay", "clay" and "red" are 6 to 10, 14 to 18 and 19 to 22
    wrong = guessed("Kiln_(oven)", ("Mud & clay", [(6, 10), (14, 18)], "Kiln_(oven)"), ("x", [(6, 10)], "Loom"))
    more = guessed("Kiln", ("Clay", [(6, 10)], "Kiln"), ("Red <clay>", [(6, 10), (19, 22)], "Kiln"))
    right = guessed("Loom", ("Clay", [(6, 10), (14, 18)], "Loom"))
    written = [Written(name, text, "Loom", said) for name, said in (("a", wrong), ("b", more), ("c", right))]
    [section] = evidence_sections(written)
    assert [tuple(row) for row in section.table.rows] == [
        (" [Clay] <b>clay", "[Red ]<clay>", "wikipedia", "Kiln", "Loom"),
        (" [Clay] <b>[clay]", "[Mud ]& clay", "wikipedia", "Kiln", "Loom"),
    ]
    page = report_page("Report", "", [section])
    assert "<mark>Red </mark>&lt;clay&gt;" in page
    assert "<b>" not in page
    assert evidence_sections([Written("d", text, "Loom", guessed("Kiln"))]) == []


def test_a_buzz_at_the_end_of_a_step_is_in_it() -> None:
    """63 of 90 words are 14 of 20 parts, and 0.7 times 90 is less in floating point."""
    buzzes = Buzzes("people", [Buzz(63, 90, True)], 1)
    assert [buzzes.right_by(step) for step in (13, 14, 20)] == [0, 1, 1]


def test_a_question_has_its_id_under_the_name_of_any_table() -> None:
    """Answers of the model in the loop are found by it."""
    for name in ("qanta_id", "id", "qid"):
        assert Question.model_validate({name: "a1", "text": "Name this.", "page": "Loom"}).name == "a1"
