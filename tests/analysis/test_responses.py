"""Right and wrong answers, from votes and from files."""

from __future__ import annotations

import datetime
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from beat_the_ai.analysis.responses import (
    DECIDED,
    IN_THE_LOOP,
    SECOND,
    CastVote,
    Collected,
    ModelAnswers,
    Response,
    VotedExample,
    collect_votes,
    read_export,
    read_responses,
)
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.registry import bind

NLI, QUIZBOWL, READING = bind("nli"), bind("quizbowl"), bind("reading_comprehension")


def example(author: str, votes: Sequence[CastVote], loop: str = "loop") -> VotedExample:
    return VotedExample("e1", "writer", "text", author, "model said", loop, votes)


def labels(author: str, *said: str | None) -> VotedExample:
    """Votes on an example of NLI."""
    return example(author, [CastVote(f"v{number}", label, label == author) for number, label in enumerate(said)])


def marks(text: str) -> VotedExample:
    """Votes where the writer's answer stands: 1 for one that agrees."""
    votes = [CastVote(f"v{n}", "x" if mark == "1" else f"other {n}", mark == "1") for n, mark in enumerate(text)]
    return example("x", votes)


def right(found: Collected) -> dict[str, bool]:
    return {response.subject: response.right for response in found.responses.values()}


def told(found: VotedExample, kind: Kind, models: Sequence[ModelAnswers] = ()) -> Collected:
    return collect_votes([found], models, kind)


def test_a_label_is_right_that_the_writer_and_the_others_give() -> None:
    e, n, _ = NLI.labels
    assert right(told(labels(e, e, e), NLI)) == {"v0": True, "v1": True}
    assert right(told(labels(e, e, n, e), NLI)) == {"v0": True, "v1": False, "v2": True}
    assert right(told(labels(e, e, None, e), NLI)) == {"v0": True, "v1": False, "v2": True}
    assert right(told(labels(e, n, e, n), NLI)) == {"v0": False, "v1": False, "v2": False}


def test_where_the_others_are_divided_a_label_tells_nothing() -> None:
    """Two who overrule the writer: each of them stands against the writer and with the other."""
    e, n, c = NLI.labels
    found = told(labels(e, n, n), NLI)
    assert right(found) == {}
    assert found.left_out == {DECIDED: 2}
    assert right(told(labels(e, n, c, e), NLI)) == {"v0": False, "v1": False}


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ("110", {"v0": True, "v1": True, "v2": False}),
        ("100", {"v1": False, "v2": False}),  # without the first vote nobody would have found the answer
        ("111", {"v0": True, "v1": True, "v2": True}),
    ],
)
def test_an_answer_that_let_an_example_in_is_left_out(votes: str, expected: Mapping[str, bool]) -> None:
    found = told(marks(votes), READING)
    assert right(found) == expected
    assert found.left_out[DECIDED] == 3 - len(expected)


def test_where_asking_has_stopped_only_the_first_answer_counts() -> None:
    """The last one is there because those before it were wrong."""
    assert right(told(marks("1"), READING)) == {"v0": True}
    assert right(told(marks("01"), READING)) == {"v0": False}


def test_plays_decide_on_nothing() -> None:
    assert right(told(marks("100"), QUIZBOWL)) == {"v0": True, "v1": False, "v2": False}


def test_right_answers_of_validators_are_unbiased_by_the_votes_that_let_examples_in() -> None:
    """Each of three validators is right with probability 0.3; examples nobody gets right are in no dataset."""
    rng = random.Random(1)
    every = ["".join("01"[rng.random() < 0.3] for _ in range(3)) for _ in range(6000)]
    kept = [votes for votes in every if "1" in votes]
    answers = [answer for votes in kept for answer in right(told(marks(votes), READING)).values()]
    plain = [mark == "1" for votes in kept for mark in votes]
    assert sum(plain) / len(plain) > 0.4
    assert sum(answers) / len(answers) == pytest.approx(0.3, abs=0.02)


def test_models_are_judged_by_the_final_label_and_not_where_they_were_in_the_loop() -> None:
    """Two of three overruled the writer; a rescoring judged by the writer's label."""
    e, n, _ = NLI.labels
    models = [
        ModelAnswers("other", "hash", {"e1": ({"label": n, "probabilities": {}}, True)}),
        ModelAnswers("same", "loop", {"e1": ({"label": e, "probabilities": {}}, False)}),
        ModelAnswers("never asked", "third", {}),
    ]
    found = told(labels(e, n, n, e), NLI, models)
    assert found.responses["other", "e1"] == Response("other", False, "e1", True)
    assert found.left_out[IN_THE_LOOP] == 1
    assert {subject for subject, _ in found.responses} == {"v0", "v1", "v2", "other"}


def test_answers_to_read_questions_are_as_the_rescoring_says() -> None:
    models = [ModelAnswers("m", "hash", {"e1": ({"text": "x", "start": 0, "score": 1.0}, True)})]
    assert not told(marks("111"), READING, models).responses["m", "e1"].right


ROWS = [
    {"subject": "ann", "kind": "person", "item": 7, "correct": True},
    {"subject": "bert", "kind": "model", "item": 7, "correct": 0, "released": "2019-05-24"},
    {"subject": "ann", "kind": "person", "item": 7, "correct": False},
]


def read(path: Path, text: str) -> Collected:
    path.write_text(text)
    found = Collected()
    read_responses([path], found, bind("nli"))
    return found


@pytest.mark.parametrize("name", ["responses.jsonl", "responses.csv"])
def test_files_have_lines_or_columns_and_the_first_answer_counts(tmp_path: Path, name: str) -> None:
    text = "\n".join(map(json.dumps, ROWS))
    if name.endswith("csv"):
        text = "subject,kind,item,correct,released\nann,person,7,1,\nbert,model,7,false,2019-05-24\nann,person,7,0,\n"
    found = read(tmp_path / name, text)
    assert list(found.responses.values()) == [Response("ann", True, "7", True), Response("bert", False, "7", False)]
    assert found.left_out == {SECOND: 1}
    assert found.released == {"bert": datetime.date(2019, 5, 24)}
    assert found.is_complete


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"subject": "a", "kind": "robot", "item": "1", "correct": true}', "line 2.*kind: Input should be 'person'"),
        ('{"subject": "a", "kind": "person", "correct": true}', "line 2.*item: Field required"),
        ('{"subject": "", "kind": "person", "item": "1", "correct": true}', "line 2.*subject"),
        ('{"subject": "a", "kind": "person", "item": "1", "correct": 0.5}', "line 2.*correct"),
        ('{"subject": "ok", "kind": "model", "item": "1", "correct": true}', "line 2: 'ok' is a person and a model"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, line: str, fault: str) -> None:
    first = '{"subject": "ok", "kind": "person", "item": "1", "correct": true}\n'
    with pytest.raises(InvalidInput, match=fault):
        read(tmp_path / "responses.jsonl", first + line)


def test_an_export_without_attempts_is_no_export(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"has no table of attempts, such as attempts\.jsonl"):
        list(read_export(tmp_path, READING))
