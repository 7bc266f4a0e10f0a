from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from beat_the_ai.cli import main

LINES = [
    {"id": "a", "author": "The 476", "votes": ["476", None, "x"]},
    {"id": "b", "author": "Rome", "votes": [None, "x", "y"]},
    {"id": "c", "author": "Rome\x1b[2J", "votes": ["Rome [2J"]},
    {"id": 4, "author": "Rome", "votes": []},
]


def adjudicate(tmp_path: Path, content: str, *options: str, task: str = "reading_comprehension") -> tuple[int, str]:
    path = tmp_path / "votes.jsonl"
    path.write_text(content, encoding="utf-8")
    done = CliRunner().invoke(main, ["adjudicate", "--task", task, str(path), *options])
    return done.exit_code, done.output


def test_each_line_gets_a_status_and_a_final_label(tmp_path: Path) -> None:
    status, output = adjudicate(tmp_path, "\n".join(map(json.dumps, LINES)) + "\n\n", "--json")
    assert status == 0
    assert [json.loads(line) for line in output.splitlines()] == [
        {"id": "a", "status": "answerable", "label": "The 476"},
        {"id": "b", "status": "unanswerable", "label": None},
        {"id": "c", "status": "open", "label": None},
        {"id": 4, "status": "open", "label": None},
    ]


def test_for_people_it_is_a_line_each_and_a_count_and_nothing_that_moves_the_cursor(tmp_path: Path) -> None:
    hostile = {"id": "x\x1b[2J", "author": "a\x1b[31m", "votes": ["A\x1b[31m"]}
    status, output = adjudicate(tmp_path, "\n".join(map(json.dumps, [*LINES, hostile])))
    assert status == 0
    assert "a\tanswerable\tThe 476\n" in output
    assert "2 answerable, 2 open, 1 unanswerable" in output
    assert "\x1b" not in output


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"id": "a", "author": "x"}', "line 1"),
        ('{"id": "a", "author": "x", "votes": [1]}', "votes"),
        ('{"id": "a", "author": null, "votes": []}', "author"),
        ("\nno json", "line 2"),
        ('{"id": "a", "author": "x", "votes": []}\n' * 2, "a second time"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_printed(tmp_path: Path, content: str, said: str) -> None:
    status, output = adjudicate(tmp_path, content, "--json")
    assert status == 2
    assert said in output
    assert not output.startswith("{")


def test_another_task_is_refused(tmp_path: Path) -> None:
    (tmp_path / "votes.jsonl").touch()
    done = CliRunner().invoke(main, ["adjudicate", "--task", "chess", str(tmp_path / "votes.jsonl")])
    assert done.exit_code == 2
    assert "reading_comprehension" in done.output


def test_labels_of_pairs_are_letters_or_names_and_the_author_may_be_unknown(tmp_path: Path) -> None:
    lines = [
        {"id": "a", "author": "e", "votes": ["entailment", "e"]},
        {"id": "b", "author": "e", "votes": ["n", "e", "n"], "model": "neutral"},
        {"id": "c", "author": None, "votes": ["contradiction", "c"]},
        {"id": "d", "author": "n", "votes": ["e", "n", "c"]},
        {"id": "e", "author": "n", "votes": [None, None]},
        {"id": "f", "author": "n", "votes": ["n", "c"]},
    ]
    status, output = adjudicate(tmp_path, "\n".join(map(json.dumps, lines)), "--json", task="nli")
    assert status == 0
    assert [json.loads(line) for line in output.splitlines()] == [
        {"id": "a", "status": "verified", "label": "entailment"},
        {"id": "b", "status": "overruled", "label": "neutral"},
        {"id": "c", "status": "overruled", "label": "contradiction"},
        {"id": "d", "status": "discarded", "label": None},
        {"id": "e", "status": "discarded", "label": None},
        {"id": "f", "status": "open", "label": None},
    ]


@pytest.mark.parametrize("name", ["author", "model"])
def test_what_is_no_label_is_named_with_its_line(tmp_path: Path, name: str) -> None:
    good = {"id": "a", "author": "e", "votes": []}
    lines = [good, {**good, "id": "b", name: "maybe"}]
    status, output = adjudicate(tmp_path, "\n".join(map(json.dumps, lines)), task="nli")
    assert status == 2
    assert "line 2" in output
    assert "'maybe' is no label. Allowed: entailment (e)" in " ".join(output.split())


def test_an_empty_file_has_nothing_to_say(tmp_path: Path) -> None:
    assert adjudicate(tmp_path, "", "--json") == (0, "")
