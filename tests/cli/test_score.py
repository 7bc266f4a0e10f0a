"""`score` on the command line: several files of predictions, scores of each item, and tables of an export beside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.dataset.votes import VoteRow
from beat_the_ai.kinds.reading_comprehension.answerability import Vote
from beat_the_ai.kinds.reading_comprehension.writing import Span
from tests.kinds.reading_comprehension.test_squad import official_f1, official_scores

HOSTILE = "\x1b]0;owned\x07[red]\u202eRome"
PASSAGE = "Rome fell in 476, when Odoacer deposed Romulus."


def run(*arguments: object, columns: int = 80) -> Result:
    words = [str(argument) for argument in arguments]
    return CliRunner().invoke(main, ["score", *words], env={"COLUMNS": str(columns)}, catch_exceptions=False)


def scored(*arguments: object) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def asked(number: int, answer: str = "476") -> dict[str, Any]:
    answers = {"text": [answer], "answer_start": [max(PASSAGE.find(answer), 0)]}
    return {"id": f"q{number}", "title": f"T{number // 2}", "context": PASSAGE, "question": "When?", "answers": answers}


def write(path: Path, content: Any) -> Path:
    path.write_text(
        "".join(f"{json.dumps(row)}\n" for row in content) if isinstance(content, list) else json.dumps(content)
    )
    return path


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return write(tmp_path / "gold.jsonl", [asked(number) for number in range(12)])


def test_several_files_stand_beside_each_other_with_their_differences(gold: Path, tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.json", {f"q{number}": "476" if number < 4 else "410" for number in range(11)})
    good = write(tmp_path / "good.json", {f"q{number}": "476" for number in range(12)} | {"x": "1"})
    found = scored(gold, bad, good)
    assert [(each["exact_match"], each["missing"], each["foreign"]) for each in found["predictions"]] == [
        (pytest.approx(100 / 3), 1, 0),
        (100, 0, 1),
    ]
    assert [each["file"] for each in found["predictions"]] == [str(bad), str(good)]
    exact, overlap = found["comparisons"]
    assert (exact["file"], exact["first"], exact["figure"], overlap["figure"]) == (
        str(good),
        str(bad),
        "exact_match",
        "f1",
    )
    assert (exact["difference"], exact["better"], exact["worse"]) == (pytest.approx(200 / 3), 8, 0)
    assert exact["p_mcnemar"] == 2 / 2**8
    assert exact["p"] == pytest.approx(2 / 2**4, abs=0.015)  # four passages
    assert exact["p_holm"] == pytest.approx(2 * min(exact["p"], overlap["p"]))
    shown = run(gold, bad, good).stdout
    assert "│  good " in shown
    assert "+66.7 (" in shown
    assert "p: paired permutation test of whole passages, adjusted for 2 comparisons (Holm)." in shown
    assert (
        "exact match, good: better on 8 questions, worse on 0; as if these were independent, p of McNemar's exact test "
        "is 0.008." in shown
    )
    assert "bad: 1 questions have no prediction and count as wrong." in shown
    assert "good: 1 predictions have an id that is not in the gold file, and are left out." in shown
    assert all(len(line) <= 80 for line in shown.splitlines() if "│" in line)


def test_each_items_scores_go_to_a_file(gold: Path, tmp_path: Path) -> None:
    answers = write(tmp_path / "a.json", {"q0": HOSTILE, "q1": "in 476"})
    out = tmp_path / "items.jsonl"
    found = scored(gold, answers, "--out", out)
    rows = [json.loads(line) for line in out.read_text("ascii").splitlines()]
    assert rows[0] == {
        "id": "q0",
        "context": "T0/0",
        "begins_with": "when",
        "type_of_answer": "number",
        "answer": HOSTILE,
        "gold": ["476"],
        "exact_match": 0.0,
        "f1": 0.0,
        "exact_match_first": 0.0,
        "f1_first": 0.0,
    }
    assert (rows[1]["f1"], rows[2]["answer"]) == (pytest.approx(2 / 3), None)
    assert found["f1"] == pytest.approx(100 * sum(row["f1"] for row in rows) / len(rows))
    run(gold, answers, answers, "--out", out)
    assert [json.loads(line)["predictions"] for line in out.read_text().splitlines()] == [str(answers)] * 24


def test_no_file_that_is_read_is_written(gold: Path, tmp_path: Path) -> None:
    answers = write(tmp_path / "a.json", {"q0": "476"})
    refused = run(gold, answers, "--out", answers)
    assert refused.exit_code == 2
    assert "is read as well. Name another file." in refused.stderr
    assert json.loads(answers.read_text()) == {"q0": "476"}


def test_groups_of_hostile_names_obey_nothing(tmp_path: Path) -> None:
    rows = [
        {"premise": f"{n}.", "hypothesis": "It is.", "label": "neutral", "id": f"{n}", "genre": f"{HOSTILE}{n % 2}"}
        for n in range(6)
    ]
    gold, answers = write(tmp_path / "gold.jsonl", rows), write(tmp_path / f"{HOSTILE}.json", {"0": "n"})
    for files in ((answers,), (answers, answers)):
        shown = run("--task", "nli", gold, *files, columns=200)
        assert shown.exit_code == 0
        assert not [char for char in shown.stdout if not char.isprintable() and char != "\n"]
    assert "[red] Rome0" in run("--task", "nli", gold, answers, columns=200).stdout


def vote(number: int, answer: str | None, **changes: Any) -> Any:
    span = None if answer is None else Span(text=answer, start=PASSAGE.find(answer))
    row = VoteRow[Vote](
        assignment="v-1",
        position=number,
        round=1,
        worker="w",
        attempt_id=f"q{number}",
        context_id="c",
        vote=Vote(answer=span),
        agrees=False,
        dropped=None,
        created_at="2026-01-01T00:00:00+00:00",
    )
    return {**row.model_dump(), **changes}


def test_validators_answers_are_further_references(gold: Path, tmp_path: Path) -> None:
    """A vote that is dropped, is about gold, or says that nothing answers a question is none."""
    rows = [
        vote(0, "in 476, when Odoacer"),
        vote(0, "Odoacer"),
        vote(1, None),
        vote(2, "Rome", dropped="unsound"),
        vote(3, "Rome", attempt_id=None, vote=None),
        vote(99, "Rome"),
    ]
    votes = write(tmp_path / "votes.jsonl", rows)
    answers = write(tmp_path / "a.json", {"q0": "Odoacer", "q1": "476", "q2": "Rome", "q3": "Rome"})
    found, plain = scored(gold, answers, "--votes", votes), scored(gold, answers)
    assert (found["exact_match"], found["exact_match_first"]) == (pytest.approx(200 / 12), pytest.approx(100 / 12))
    assert found["exact_match_first"] == plain["exact_match"]
    assert "exact_match_first" not in plain
    assert "2 answers of validators to 1 questions are references, too." in run(gold, answers, "--votes", votes).stdout


def attempt(number: int, **changes: Any) -> dict[str, Any]:
    columns = {"round": 1 + number % 2, "genre": None, "exclusive": number < 4, "language": "en", "arm": "control"}
    return {"attempt_id": f"q{number}", **columns, "model": {"member": "a", "name": "bert"}, **changes}


def test_groups_come_from_the_attempts_of_the_export(gold: Path, tmp_path: Path) -> None:
    attempts = write(tmp_path / "attempts.jsonl", [attempt(number) for number in range(20)])
    answers = write(tmp_path / "a.json", {f"q{number}": "476" for number in range(4)})
    groups = {(row["by"], row["name"]): row for row in scored(gold, answers, "--attempts", attempts)["groups"]}
    assert set(groups) == {("round", "1"), ("round", "2"), ("exclusive", "yes"), ("exclusive", "no")}
    assert [groups["exclusive", name]["exact_match"] for name in ("yes", "no")] == [100, 0]


@pytest.mark.parametrize(
    ("task", "option", "row", "told"),
    [
        ("reading_comprehension", "--votes", vote(0, "476", vote={"label": "neutral"}), "none of this kind of task"),
        ("reading_comprehension", "--votes", vote(70, "476"), "has no vote on anything in"),
        ("reading_comprehension", "--votes", {"id": "q0", "votes": ["476"]}, "there is no vote; it has id, votes"),
        ("reading_comprehension", "--attempts", attempt(70), "has no attempt on anything in"),
        ("reading_comprehension", "--attempts", {"id": "q0"}, "there is no attempt_id; it has id"),
        ("nli", "--votes", vote(0, "476"), "are no answers that could be references"),
    ],
)
def test_tables_of_something_else_are_refused(
    gold: Path, tmp_path: Path, task: str, option: str, row: Any, told: str
) -> None:
    table, answers = write(tmp_path / "table.jsonl", [row]), write(tmp_path / "a.json", {"q0": "476"})
    refused = run("--task", task, gold, answers, option, table)
    assert refused.exit_code == 2
    assert told in refused.stderr


def test_real_questions_score_as_squads_script_has_it(squad_dev: Path, tmp_path: Path) -> None:
    """Answers of three kinds to 40 articles' first passages: right, half right, and nothing."""
    from beat_the_ai.kinds.reading_comprehension.squad import load

    document = json.loads(squad_dev.read_text("utf-8"))
    document["data"] = [{**one, "paragraphs": one["paragraphs"][:2]} for one in document["data"][:40]]
    gold = write(tmp_path / "gold.json", document)
    questions = [question for passage in load(gold) for question in passage.questions]
    said = {
        question.id: (question.answers[-1].text, f"the {question.answers[0].text.split()[0]}, of", "nothing")[n % 3]
        for n, question in enumerate(questions)
        if n % 7
    }
    found = scored(gold, write(tmp_path / "a.json", said), "--out", tmp_path / "items.jsonl")
    assert len(questions) > 300
    assert (found["exact_match"], found["f1"]) == pytest.approx(official_scores(questions, said))
    first = 100 * sum(official_f1(said[each.id], each.answers[0].text) for each in questions if each.id in said)
    assert found["f1_first"] == pytest.approx(first / len(questions))
    assert found["f1_low"] < found["f1"] < found["f1_high"]
