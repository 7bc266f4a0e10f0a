"""`adversary check`: a model before people are paid to beat it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.campaign.models.check import ModelCheck, check_published, keep_check, kept_checks
from beat_the_ai.cli import main
from beat_the_ai.dataset.files import sha256
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.terms.round import PublishedSettings

ROOT = Path(__file__).parents[2]
PASSAGE = "Rome fell in 476 after the general Odoacer deposed Romulus."
QUESTIONS = [
    {"question": "When did Rome fall?", "answer": {"text": "476", "start": 13}, "skill": "lookup"},
    {"question": "Who was deposed?", "answer": {"text": "Romulus", "start": 51}},
    {"question": "Who deposed Romulus?", "answer": {"text": "Odoacer", "start": 35}, "skill": "lookup"},
    {"question": "Which of the two ruled later?", "answer": {"text": "Odoacer", "start": 35}, "skill": "inference"},
]
MODEL = '''
from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.adversary.registry import Backend
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query

class Romulus:
    """Its answer is always the same."""

    identity = ModelIdentity("romulus", "reading_comprehension", "0" * 64, "fp32")
    query_type = Query

    def predict(self, queries):
        return [Prediction(text="Romulus", start=51, score=1.0) for _ in queries]

BACKEND = Backend(lambda source, options: Romulus(), frozenset({"reading_comprehension"}))
'''


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["adversary", "check", *map(str, arguments)])


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({"id": "rome", "title": "Rome", "context": PASSAGE, "questions": QUESTIONS}))
    return path


@pytest.fixture
def romulus(tmp_path: Path) -> str:
    (tmp_path / "model.py").write_text(MODEL)
    return f"{tmp_path / 'model.py'}:BACKEND:any"


def test_ordinary_questions_are_judged_as_in_a_campaign_and_all_are_scored(romulus: str, gold: Path) -> None:
    """Two of the three ordinary ones beat it; the one that asks for an inference counts for the scores alone."""
    result = run(romulus, gold, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["asked"], found["beaten"]) == (3, 2)
    assert found["held_percent"] == pytest.approx(100 / 3)
    assert found["interval"] is None  # all are about one passage
    assert found["figures"]["exact_match"] == found["figures"]["f1"] == 25.0
    assert found["gold_sha256"] == sha256(gold)
    assert found["published"] is None
    assert 0 <= found["median_seconds"] <= found["slowest_seconds"]
    told = run(romulus, gold).stdout
    assert "ordinary questions of gold.jsonl that beat it: 67 of a hundred" in told
    assert "exact match 25.00%\nF1 25.00%\n4 questions. No intervals: 2 passages are the fewest for one." in told


def test_the_share_that_holds_has_an_interval_of_its_own() -> None:
    """10% to 40% beat it, so 60% to 90% do not."""
    found = replace(checked(), interval=(0.1, 0.4))
    assert found.held == pytest.approx({"held_percent": 75, "held_percent_low": 60, "held_percent_high": 90})


def test_the_exit_status_says_whether_it_holds_enough(romulus: str, gold: Path) -> None:
    assert run(romulus, gold, "--at-least", "33").exit_code == 0
    below = run(romulus, gold, "--at-least", "34")
    assert below.exit_code == 1
    assert "33.3% of ordinary questions do not beat it, and --at-least 34 was asked for." in below.stderr
    assert "67 of a hundred" in below.stdout


def test_a_name_stands_for_its_model_and_what_was_published_of_it(gold: Path, tmp_path: Path) -> None:
    out = tmp_path / "campaign"
    result = run("bidaf", gold, "--out", out)
    assert result.exit_code == 0, result.output
    assert "published on SQuAD v1.1 dev, which need not be like this file: exact_match 61, f1 71.8" in result.stdout
    [(spec, check)] = kept_checks(out).items()
    assert (spec, check.model.name, check.asked) == ("onnx:bidaf-small", "bidaf-small", 3)


def test_without_a_file_the_tasks_own_contexts_are_asked(romulus: str) -> None:
    found = json.loads(run(romulus, "--json").stdout)
    sample = ROOT / "tasks" / "reading_comprehension" / "contexts" / "sample.jsonl"
    passages = [json.loads(line) for line in sample.read_text().splitlines()]
    questions = [each for passage in passages for each in passage["questions"]]
    assert found["gold_sha256"] == sha256(sample)
    assert found["figures"]["questions"] == len(questions)
    assert found["asked"] == sum(each["skill"] == "lookup" for each in questions)


PUBLISHED = PublishedSettings(
    licence="MIT", scores={"exact_match": 61.0, "f1": 71.8}, gold="dev", gold_sha256="1" * 64, source="a paper"
)


def checked(gold_sha256: str = "1" * 64, **figures: float) -> ModelCheck:
    identity = ModelIdentity("m", "reading_comprehension", "0" * 64, "fp32")
    return ModelCheck(identity, "dev.json", gold_sha256, figures, 100, 25, 0.01, 0.02)


def test_a_score_on_the_published_file_may_be_a_point_off_and_no_more() -> None:
    check_published(checked(exact_match=60.1, f1=72.7), PUBLISHED)
    check_published(checked("2" * 64, exact_match=0.0, f1=0.0), PUBLISHED)
    with pytest.raises(Refused, match=r"not the model that was published: f1 is 70\.70 and not 71\.8, on the same"):
        check_published(checked(exact_match=61.9, f1=70.7), PUBLISHED)


def test_checks_are_kept_by_model_and_a_later_one_counts(tmp_path: Path) -> None:
    first, second = checked(f1=1.0), checked(f1=2.0)
    for spec, check in (("onnx:a", first), ("onnx:b", first), ("onnx:a", second)):
        keep_check(tmp_path, spec, check)
    assert kept_checks(tmp_path) == {"onnx:a": second, "onnx:b": first}
    (tmp_path / "model_checks.json").write_text('{"onnx:a": {"asked": 1}}')
    with pytest.raises(InvalidInput, match=r"no checks of this version \(onnx:a\.model: Field required\)\. Remove"):
        kept_checks(tmp_path)


WRONG: dict[str, tuple[tuple[Any, ...], int, str]] = {
    "an unknown name": (("robrta",), 2, "Unknown adversary 'robrta'"),
    "a name of a backend alone": (("openai",), 2, "adversary=openai leaves open which model. Write BACKEND:SOURCE."),
    "a name for another task": (("cross_encoder_small",), 2, "answers for nli, and the task is reading_comprehension"),
    "an unknown backend": (("onyx:bidaf-small",), 2, "Did you mean 'onnx'?"),
    "another kind of task": (("onnx:cross-encoder-small",), 2, "answers for nli"),
    "weights that are not there": (("onnx:/nowhere",), 2, "Unknown model '/nowhere'"),
    "nobody at the address": (("http://127.0.0.1:9#m",), 1, "does not list its models"),
    "an address without a name": (("http://127.0.0.1:9",), 2, "names no model. Write http://HOST:PORT#NAME"),
    "a token that is not there": (("http://127.0.0.1:9#m", "--token-variable", "NOT_SET"), 2, "NOT_SET is not set"),
    "a kind that does not come along": (
        ("fake:x", "--task", f"{ROOT / 'tests' / 'kinds' / 'labels.py'}:kind"),
        2,
        "labels reads no datasets in files",
    ),
}


@pytest.mark.parametrize("flaw", WRONG)
def test_what_is_wrong_is_said_in_a_line(flaw: str, tmp_path: Path) -> None:
    arguments, status, words = WRONG[flaw]
    result = run(*arguments, "--out", tmp_path / "out")
    assert isinstance(result.exception, SystemExit), result.exception
    assert (result.exit_code, len(result.stderr.splitlines())) == (status, 1), result.stderr
    assert words in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_file_without_ordinary_questions_is_refused(romulus: str, tmp_path: Path) -> None:
    gold = tmp_path / "hard.jsonl"
    gold.write_text(json.dumps({"id": "rome", "context": PASSAGE, "questions": QUESTIONS[3:]}))
    result = run(romulus, gold)
    assert result.exit_code == 2
    assert "holds nothing ordinary with an answer" in result.stderr
