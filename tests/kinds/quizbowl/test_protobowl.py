"""Games on Protobowl as answers of people, each row written by us.

Sources: `qanta/datasets/protobowl.py` of Pinafore/qb, which reads the log and makes a table of it.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.kinds.quizbowl.protobowl import response
from tests.cli.voted import figures as figures_of
from tests.cli.voted import run
from tests.dataset.test_real_files import MODEL

NAMES = [f"5476990eea23cca905506d{number:02}" for number in range(6)]
figures = partial(figures_of, "advscore")


def played(user: str, qid: str, ruling: bool | str) -> dict[str, Any]:
    return {
        "date": "Fri Apr 27 2018 23:06:01 GMT+0000 (UTC)",
        "object": {
            "user": {"id": user, "name": f"{user}'s name"},
            "qid": qid,
            "guess": "loom",
            "ruling": ruling,
            "time_elapsed": 12.5,
            "time_remaining": 40,
            "question_text": "Name this device.",
        },
    }


def in_table(row: dict[str, Any]) -> dict[str, Any]:
    game = row["object"]
    return {"date": row["date"], "uid": game["user"]["id"], "qid": game["qid"], "result": game["ruling"], "guess": "x"}


def test_a_row_of_the_log_and_of_its_table_are_one_answer() -> None:
    row = played("ann", NAMES[0], False)
    assert response(row) == {"subject": "ann", "kind": "person", "item": NAMES[0], "correct": False}
    assert response(in_table(row)) == response(row)
    assert response(played("ann", NAMES[0], "prompt")) is None
    assert response(played("ann", "question_id", True)) is None
    own = {"subject": "ann", "kind": "person", "item": NAMES[0], "correct": True, "qid": 7}
    assert response(own) == own


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Three players; of six questions ann knows all, bob every second one, and cid none; one is right at last."""
    rows = [played("ann", name, True) for name in NAMES]
    rows += [played("bob", name, number % 2 == 0) for number, name in enumerate(NAMES)]
    rows += [played("cid", NAMES[0], "prompt"), *(played("cid", name, False) for name in NAMES)]
    rows += [played("cid", NAMES[0], True), played("dan", "question_id", True)]
    path = tmp_path / "protobowl.log"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def rescored(tmp_path: Path, key: str) -> Path:
    texts = ["word " * 10 + "x" * (number + 1) for number in range(len(NAMES))]
    questions = [{"text": text, "page": "Loom", key: name} for text, name in zip(texts, NAMES, strict=True)]
    (tmp_path / "questions.json").write_text(json.dumps({"questions": questions}))
    (tmp_path / "model.py").write_text(MODEL)
    asked = ("--task", "quizbowl", "--model", f"{tmp_path / 'model.py'}:BACKEND:quizbowl")
    result = run("rescore", tmp_path / "questions.json", *asked, "--out", tmp_path / "rescored")
    assert result.exit_code == 0, result.output
    return tmp_path / "rescored"


def test_players_are_the_people_of_advscore(log: Path, tmp_path: Path) -> None:
    found = figures(log, "--task", "quizbowl", "--rescored", rescored(tmp_path, "qanta_id"))
    assert {each["subject"] for each in found["subjects"] if each["kind"] == "person"} == {"ann", "bob", "cid"}
    people = [(each["item"], each["people"]["right"], each["people"]["asked"]) for each in found["examples"]]
    assert people == [(name, 1 + (number % 2 == 0), 3) for number, name in enumerate(NAMES)]
    assert [each["models"]["right"] for each in found["examples"]] == [1, 0] * 3
    assert found["left_out"] == {"answers that were not judged": 2, "second answers to the same example": 1}


def test_models_that_know_the_questions_by_other_ids_are_refused(log: Path, tmp_path: Path) -> None:
    folder = rescored(tmp_path, "proto_id")
    refused = run("advscore", log, "--task", "quizbowl", "--rescored", folder)
    assert refused.exit_code == 2
    assert "They know '1' and others, and the responses are to '5476990eea23cca905506d00' and others" in refused.stderr
    assert run("advscore", log, "--rescored", folder).exit_code == 2  # of reading comprehension it is no log
