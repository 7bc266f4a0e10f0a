"""Another model answers what people once wrote: kept as it comes, and gone on with whatever died."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from beat_the_ai.adversary.answers import BATCH
from beat_the_ai.adversary.kept import answers_path
from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.campaign.models.rescoring import Past, all_rescored, read_rescored, rescore
from beat_the_ai.campaign.models.rescoring_report import past_of_dataset
from beat_the_ai.errors import AdversaryError, InvalidInput, Refused
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query, Span, Work
from beat_the_ai.rules.corpora import LabelledWork
from beat_the_ai.rules.protocol import Context, TaskItem
from tests.reading_comprehension import KIND

PATIENCE_SECONDS = 300.0
PASSAGE = TaskItem(Context("rome", "Rome fell in 476."))


class Model:
    """Says "476" to a question with an even number and "Rome" to any other, and fails at the one that it is to."""

    query_type = Query

    def __init__(self, fails_at: int | None = None, hash_: str = "a" * 64) -> None:
        self.identity = ModelIdentity("any/model", "reading_comprehension", hash_, "fp32")
        self.asked: list[str] = []
        self._fails_at = fails_at

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        if any(query.question == f"When {self._fails_at}?" for query in queries):
            raise AdversaryError("It failed.")
        self.asked += [query.question for query in queries]
        return [_answer(query) for query in queries]


def _answer(query: Query) -> Prediction:
    if int(query.question.strip("When ?")) % 2:
        return Prediction(text="Rome", start=0, score=0.5)
    return Prediction(text="476", start=13, score=0.5)


def works(number: int) -> list[Past]:
    answer = Span(text="476", start=13)
    labelled = [
        LabelledWork(f"q{each}", PASSAGE, Work(question=f"When {each}?", answer=answer)) for each in range(number)
    ]
    return past_of_dataset(KIND, labelled)


def test_every_work_is_judged_by_the_rule_of_its_task(tmp_path: Path) -> None:
    model = Model()
    path = answers_path(tmp_path, model.identity)
    assert path.name == "any-model-aaaaaaaaaaaa-fp32.jsonl"
    found = rescore(path, "pilot", works(70), model)
    assert {name: verdict.fooled for name, verdict in found.verdicts.items()} == {
        f"q{number}": number % 2 == 1 for number in range(70)
    }
    assert found.verdicts["q1"].scores == {"f1": 0.0, "f1_threshold": 0.4}
    assert found.verdicts["q1"].prediction == {"text": "Rome", "start": 0, "score": 0.5}
    assert all_rescored(tmp_path) == [found]


def test_nothing_is_asked_twice_and_what_is_new_is_asked(tmp_path: Path) -> None:
    path, model = tmp_path / "model.jsonl", Model()
    rescore(path, "pilot", works(3), model)
    found = rescore(path, "pilot", works(5), model)
    assert model.asked == [f"When {number}?" for number in range(5)]
    assert len(found.verdicts) == 5


def test_a_model_that_fails_loses_no_answer(tmp_path: Path) -> None:
    path, whole = tmp_path / "model.jsonl", tmp_path / "whole.jsonl"
    with pytest.raises(AdversaryError):
        rescore(path, "pilot", works(70), Model(fails_at=40))
    assert len(read_rescored(path).verdicts) == BATCH
    again = Model()
    rescore(path, "pilot", works(70), again)
    assert again.asked == [f"When {number}?" for number in range(BATCH, 70)]
    rescore(whole, "pilot", works(70), Model())
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("cut", [1, 30, 200])
def test_a_line_that_was_cut_off_is_written_again(cut: int, tmp_path: Path) -> None:
    """The last one, and when more is lost the one before, or the first."""
    path = tmp_path / "model.jsonl"
    rescore(path, "pilot", works(2), Model())
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    rescore(path, "pilot", works(2), Model())
    assert path.read_bytes() == whole


def test_a_file_that_died_before_its_first_line_is_no_model_in_a_report(tmp_path: Path) -> None:
    (tmp_path / "model.jsonl").write_bytes(b'{"model": ')
    assert all_rescored(tmp_path) == []
    assert all_rescored(tmp_path / "none") == []


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "model.jsonl"
    rescore(path, "pilot", works(2), Model())
    whole = path.read_bytes()
    with pytest.raises(InvalidInput, match=r"to the campaign pilot, and .* to the dataset c{8}\. .* another --out"):
        rescore(path, "c" * 64, works(2), Model())
    with pytest.raises(InvalidInput, match=r"\(bbbbbbbb, "):
        rescore(path, "pilot", works(2), Model(hash_="b" * 64))
    assert path.read_bytes() == whole


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "model.jsonl"
    rescore(path, "pilot", works(2), Model())
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], b'{"id": 1}\n', lines[2]]))
    with pytest.raises(InvalidInput, match=r"model\.jsonl, line 2, is damaged \(id: .*\)\. Remove the file"):
        rescore(path, "pilot", works(2), Model())
    path.write_bytes(b"\xff\n")
    with pytest.raises(InvalidInput, match="line 1, is damaged"):
        read_rescored(path)


def test_two_at_once_do_not_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "model.jsonl"

    class Nested(Model):
        def predict(self, queries: Sequence[Query]) -> list[Prediction]:
            with pytest.raises(Refused, match="Another process writes to"):
                rescore(path, "pilot", works(2), Model())
            return super().predict(queries)

    assert len(rescore(path, "pilot", works(2), Nested()).verdicts) == 2


def test_two_works_of_one_id_are_refused() -> None:
    work = Work(question="When?", answer=Span(text="476", start=13))
    with pytest.raises(InvalidInput, match="2 works with the id 'q'"):
        past_of_dataset(KIND, [LabelledWork("q", PASSAGE, work), LabelledWork("q", PASSAGE, work)])
    assert past_of_dataset(KIND, []) == []


WAITING = f'''
from pathlib import Path
from beat_the_ai.adversary.kept import answers_path
from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.adversary.registry import Backend
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from threading import Event

class Waiting:
    """Answers {BATCH} questions, and after these none as long as its source is not there."""

    identity = ModelIdentity("waiting", "reading_comprehension", "0" * 64, "fp32")
    query_type = Query

    def __init__(self, source):
        self._source, self._asked = Path(source), 0

    def predict(self, queries):
        if self._asked and not self._source.exists():
            Event().wait()
        self._asked += len(queries)
        return [Prediction(text="Rome", start=0, score=1.0) for _ in queries]

BACKEND = Backend(lambda source, options: Waiting(source), frozenset({{"reading_comprehension"}}))
'''


@pytest.mark.timeout(2 * PATIENCE_SECONDS)
def test_a_process_that_is_killed_is_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(WAITING)
    questions = [{"question": f"When {number}?", "answer": {"text": "476", "start": 13}} for number in range(2 * BATCH)]
    dataset = tmp_path / "dataset.jsonl"
    dataset.write_text(json.dumps({"id": "rome", "context": "Rome fell in 476.", "questions": questions}))
    model = f"{tmp_path / 'model.py'}:BACKEND:{tmp_path / 'go'}"
    command = [sys.executable, "-m", "beat_the_ai.cli", "rescore", str(dataset), "--model", model]
    command += ["--out", str(tmp_path / "out"), "--json"]
    path = tmp_path / "out" / "waiting-000000000000-fp32.jsonl"
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not path.is_file() or path.read_bytes().count(b"\n") <= BATCH:
            assert process.poll() is None, "it ended by itself"
            assert time.monotonic() < deadline, "no answers came"
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
    before = path.read_bytes()
    (tmp_path / "go").touch()
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    assert done.returncode == 0, done.stderr
    [whole] = [share for share in json.loads(done.stdout)["shares"] if not share["division"]]
    assert (whole["total"], whole["beaten"]) == (2 * BATCH, 2 * BATCH)
    assert path.read_bytes().startswith(before)
    assert len(read_rescored(path).verdicts) == 2 * BATCH
