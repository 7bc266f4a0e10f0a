"""`rescore`: of campaigns, and of datasets that anybody has made."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.store import Campaign, Store
from tests.cli.test_report import SECTIONS
from tests.dataset.builders import Tried, stored
from tests.store.builders import NEW_YEAR

MODEL = '''
from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.adversary.registry import Backend
from beat_the_ai.kinds.nli.labels import Pair
from beat_the_ai.kinds.nli.labels import Prediction as Label
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query

class Constant:
    """The answer to everything is its source."""

    def __init__(self, task, query_type, answer):
        self.identity = ModelIdentity("constant", task, "a" * 64, "fp32")
        self.query_type = query_type
        self._answer = answer

    def predict(self, queries):
        return [self._answer for _ in queries]

def span(text, options):
    return Constant("reading_comprehension", Query, Prediction(text=text, start=3, score=0.5))

def label(name, options):
    scores = {each: float(each == name) for each in ("entailment", "neutral", "contradiction")}
    return Constant("nli", Pair, Label(label=name, probabilities=scores))

READER = Backend(span, frozenset({"reading_comprehension"}))
CLASSIFIER = Backend(label, frozenset({"nli"}))
'''
TRIED = [
    Tried(0, "W1", fooled=True),
    Tried(1, "W1", fooled=True),
    Tried(2, "W2", fooled=True),
    Tried(3, "W2", fooled=False),
    Tried(4, "W2", fooled=False, retracted=True),
]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def store(store: Store) -> Store:
    store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 32, {}, NEW_YEAR), SECTIONS)
    stored(store, TRIED, 5)
    return store


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    return path


def test_all_attempts_that_count_are_answered_and_the_report_shows_it(
    store: Store, model: Path, tmp_path: Path
) -> None:
    """A model that is right about everything is beaten by none of them; two of four attempts had beaten the first."""
    result = run("rescore", tmp_path, "--model", f"{model}:READER:forty-two", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    found = {
        (each["works"], each["division"], each["group"]): (each["beaten"], each["total"]) for each in told["shares"]
    }
    campaign = store.campaigns.get("pilot")
    first = "beat the model then"
    assert found[first, "", ""] == (0, 3)
    assert found["did not beat it then", "", ""] == (0, 1)
    assert found["all", "", ""] == (0, 4)
    assert found[first, "round", "1"] == (0, 3)
    assert found[first, "model then", "m1"] == (0, 3)
    assert found[first, "begins with", "how"] == (0, 3)
    assert found[first, "writer", pseudonym("W1", campaign)] == (0, 2)
    with (tmp_path / "rescored" / "constant-aaaaaaaaaaaa-fp32.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["works"], row["division"], row["group"]) for row in rows] == list(found)
    assert (rows[0]["low"], rows[0]["high"]) == ("0.0000", "0.9878")  # of two writers
    out = tmp_path / "report.html"
    assert run("report", tmp_path, "--out", out).exit_code == 0
    assert "Looking back with constant (aaaaaaaa, fp32)" in out.read_text()
    assert "W1" not in (tmp_path / "rescored" / "constant-aaaaaaaaaaaa-fp32.jsonl").read_text()


def test_a_verdict_that_is_not_as_it_was_is_told(store: Store, model: Path, tmp_path: Path) -> None:
    """The same model by its hash; one attempt was recorded as one that it had right."""
    result = run("rescore", tmp_path, "--model", f"{model}:READER:number")
    assert result.exit_code == 0, result.output
    assert "Of the 4 that this very model judged then, 3 have the same verdict." in " ".join(result.stdout.split())


def test_a_later_attempt_is_answered_by_the_same_command(store: Store, model: Path, tmp_path: Path) -> None:
    given = ("rescore", tmp_path, "--model", f"{model}:READER:number", "--json")
    run(*given)
    path = tmp_path / "rescored" / "constant-aaaaaaaaaaaa-fp32.jsonl"
    before = path.read_bytes()
    assert run(*given).exit_code == 0
    assert path.read_bytes() == before


def squad(questions: list[dict[str, object]]) -> str:
    paragraph = {"context": "Rome fell in 476 to Odoacer.", "qas": questions}
    return json.dumps({"version": "1.1", "data": [{"title": "Rome", "paragraphs": [paragraph]}]})


def test_a_dataset_in_squads_format_is_answered_with_a_report_of_its_own(model: Path, tmp_path: Path) -> None:
    """As AdversarialQA is; a question without an answer, as in its test part, is not judged."""
    path = tmp_path / "dev.json"
    path.write_text(
        squad(
            [
                {"id": "a", "question": "When did Rome fall?", "answers": [{"text": "476", "answer_start": 13}]},
                {"id": "b", "question": "Who took Rome?", "answers": [{"text": "Odoacer", "answer_start": 20}]},
                {"id": "c", "question": "Why did Rome fall?", "answers": []},
            ]
        )
    )
    given = ("rescore", path, "--model", f"{model}:READER:476")
    assert "Name a folder for the answers with --out" in run(*given).stderr
    result = run(*given, "--out", tmp_path / "out", "--json")
    assert result.exit_code == 0, result.output
    found = {(each["division"], each["group"]): each["beaten"] for each in json.loads(result.stdout)["shares"]}
    assert found["", ""] == 1
    assert (found["begins with", "when"], found["begins with", "who"]) == (0, 1)
    page = (tmp_path / "out" / "constant-aaaaaaaaaaaa-fp32.html").read_text()
    assert "2 questions, answered by constant (aaaaaaaa, fp32)." in page
    path.write_text(squad([]))
    assert "There are no questions" in run(*given, "--out", tmp_path / "out").stderr


def test_a_dataset_in_anlis_columns_is_answered_by_round_and_what_beat_its_model_then(
    model: Path, tmp_path: Path
) -> None:
    rows = [
        {"uid": "1", "context": "It rains.", "hypothesis": "It is wet.", "label": "e", "model_label": "n", "tag": "r1"},
        {"uid": "2", "context": "It rains.", "hypothesis": "It is dry.", "label": "c", "model_label": "n", "tag": "r1"},
        {"uid": "3", "context": "It rains.", "hypothesis": "It is May.", "label": "n", "model_label": "n", "tag": "r2"},
    ]
    path = tmp_path / "dev.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    given = ("rescore", path, "--task", "nli", "--model", f"{model}:CLASSIFIER:entailment", "--out", tmp_path / "out")
    result = run(*given, "--json")
    assert result.exit_code == 0, result.output
    found = {(each["works"], each["division"], each["group"]): each for each in json.loads(result.stdout)["shares"]}
    then = "beat the model then"
    assert (found[then, "", ""]["beaten"], found[then, "", ""]["total"]) == (1, 2)
    assert found["did not beat it then", "", ""]["beaten"] == 1
    assert found[then, "label", "contradiction"]["beaten"] == 1
    assert found[then, "round", "r1"]["total"] == 2


def test_a_model_of_another_kind_is_refused_before_anything_is_written(
    store: Store, model: Path, tmp_path: Path
) -> None:
    result = run("rescore", tmp_path, "--model", "onnx:cross-encoder-small")
    assert result.exit_code == 2
    assert "answers for nli, and the task is reading_comprehension" in result.stderr
    assert not (tmp_path / "rescored").exists()


def test_several_models_are_asked_in_one_call_and_compared(store: Store, model: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text(MODEL.replace('"a" * 64', '"b" * 64'))
    models = ("--model", f"{model}:READER:forty-two", "--model", f"{other}:READER:number")
    result = run("rescore", tmp_path, *models)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in (tmp_path / "rescored").glob("*.jsonl")) == [
        "constant-aaaaaaaaaaaa-fp32.jsonl",
        "constant-bbbbbbbbbbbb-fp32.jsonl",
    ]
    beside = result.stdout[result.stdout.index("Looking back with each model") :]
    assert "(aaaaaaaa, fp32)" in beside
    assert "(bbbbbbbb, fp32)" in beside
    lines = [json.loads(line) for line in run("rescore", tmp_path, *models, "--json").stdout.splitlines()]
    assert [line["model"]["hash"][0] for line in lines] == ["a", "b"]
    out = tmp_path / "report.html"
    assert run("report", tmp_path, "--out", out).exit_code == 0
    assert "Looking back with each model" in out.read_text()
