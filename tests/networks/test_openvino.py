"""Models of transformers by OpenVINO: the answers of torch, and int8 that nobody gets without its gate."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

openvino = pytest.importorskip("openvino", reason="the extra 'openvino' is not installed")
nncf = pytest.importorskip("nncf", reason="the extra 'openvino' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'gpu' is not installed")

from beat_the_ai.adversary.protocol import LoadOptions  # noqa: E402
from beat_the_ai.adversary.registry import NLI, READING, open_adversary, open_streams  # noqa: E402
from beat_the_ai.cli.quantisation import quantise  # noqa: E402
from beat_the_ai.errors import AdversaryError, InvalidInput  # noqa: E402
from beat_the_ai.kinds.nli.labels import LABELS, Pair  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.writing import Query  # noqa: E402
from beat_the_ai.networks.int8_gate import REPORT_FILE  # noqa: E402
from tests.networks.tiny_bert import write_tiny_bert  # noqa: E402

SENTENCE = "Rome was, so they say, founded in 753 BC by Romulus 🐺 and fell much later to somebody else"
WORDS = SENTENCE.split()
PASSAGES = [" ".join(WORDS[start:]) for start in range(len(WORDS))] + ["", "Rome. " * 100]
QUESTIONS = [Query(context=passage, question="Who founded it?") for passage in PASSAGES]
PAIRS = [Pair(premise=passage, hypothesis=f"It was {word}.") for passage in PASSAGES for word in WORDS[:8]]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_bert(tmp_path_factory.mktemp("models") / "reader", transformers.BertForQuestionAnswering)


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    names: dict[str, Any] = {
        "id2label": dict(enumerate(LABELS)),
        "label2id": {label: number for number, label in enumerate(LABELS)},
    }
    folder = tmp_path_factory.mktemp("models") / "classifier"
    return write_tiny_bert(folder, transformers.BertForSequenceClassification, **names)


def opened(backend: str, folder: Path, kind: str, **options: Any) -> Any:
    return open_adversary(f"{backend}:{folder}", kind, LoadOptions(**options))


def write_gold(path: Path, pairs: Sequence[Pair], labels: Sequence[str]) -> Path:
    lines = [
        json.dumps({"id": str(number), **pair.model_dump(), "label": label})
        for number, (pair, label) in enumerate(zip(pairs, labels, strict=True))
    ]
    path.write_text("\n".join(lines))
    return path


def test_passages_are_read_as_by_torch(reader: Path) -> None:
    ours, theirs = opened("openvino", reader, READING), opened("huggingface", reader, READING)
    assert ours.identity == theirs.identity
    for query, answer, by_torch in zip(QUESTIONS, ours.predict(QUESTIONS), theirs.predict(QUESTIONS), strict=True):
        assert (answer.text, answer.start) == (by_torch.text, by_torch.start), query
        assert answer.score == pytest.approx(by_torch.score, rel=1e-3)


def test_pairs_are_classified_as_by_torch(classifier: Path) -> None:
    ours, theirs = opened("openvino", classifier, NLI), opened("huggingface", classifier, NLI)
    for said, by_torch in zip(ours.predict(PAIRS), theirs.predict(PAIRS), strict=True):
        assert said.probabilities.model_dump() == pytest.approx(by_torch.probabilities.model_dump(), abs=1e-4)


@pytest.mark.parametrize("backend", ["openvino", "huggingface"])
def test_streams_over_the_same_weights_do_not_disturb_each_other(reader: Path, backend: str) -> None:
    models = open_streams(f"{backend}:{reader}", READING, LoadOptions(streams=3))
    assert len({id(vars(model)["pretrained"].model) for model in models}) == 1
    expected = list(models[0].predict(QUESTIONS))
    with ThreadPoolExecutor(3) as pool:
        for answers in pool.map(lambda model: [model.predict([query])[0] for query in QUESTIONS * 3], models):
            assert [(one.text, one.start) for one in answers] == [(one.text, one.start) for one in expected * 3]


def test_what_there_is_not_is_refused(reader: Path, classifier: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="runs on the cpu only"):
        opened("openvino", reader, READING, device="cuda")
    with pytest.raises(InvalidInput, match=r"'int8' was given, and 'reader' is a model in fp32\. .*quantise"):
        opened("openvino", reader, READING, precision="int8")
    with pytest.raises(AdversaryError, match="no trained question-answering head"):
        opened("openvino", classifier, READING)
    with pytest.raises(AdversaryError, match="no model that transformers can load"):
        opened("openvino", tmp_path, READING)


class Quantised:
    """The classifier in int8, measured by labels that are its own in fp32."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.source, self.folder, self.out = source, folder, folder / "int8"
        labels = [said.label for said in opened("openvino", source, NLI).predict(PAIRS)]
        self.calibrate = write_gold(folder / "calibrate.jsonl", PAIRS[::2], labels[::2])
        self.check = write_gold(folder / "check.jsonl", PAIRS, labels)

    def quantise(self, max_drop: float, out: Path | None = None) -> Result:
        files = ["--calibrate", str(self.calibrate), "--check", str(self.check), "--max-drop", str(max_drop)]
        return CliRunner().invoke(quantise, [str(self.source), str(out or self.out), "--task", "nli", *files])


@pytest.fixture(scope="module")
def int8(classifier: Path, tmp_path_factory: pytest.TempPathFactory) -> Quantised:
    quantised = Quantised(classifier, tmp_path_factory.mktemp("quantised"))
    done = quantised.quantise(max_drop=100)
    assert done.exit_code == 0, done.output
    return quantised


def test_a_model_in_int8_is_another_one_and_says_so(int8: Quantised) -> None:
    fp32, small = opened("openvino", int8.source, NLI), opened("openvino", int8.out, NLI)
    assert (small.identity.name, small.identity.precision) == ("int8", "int8")
    assert small.identity.hash != fp32.identity.hash
    with pytest.raises(InvalidInput, match="is a model in int8"):
        opened("openvino", int8.out, NLI, precision="fp32")


def test_what_was_measured_is_what_the_folder_does(int8: Quantised) -> None:
    report = json.loads((int8.out / REPORT_FILE).read_text())
    labels = [json.loads(line)["label"] for line in int8.check.read_text().splitlines()]
    said = [one.label for one in opened("openvino", int8.out, NLI).predict(PAIRS)]
    share = sum(one == label for one, label in zip(said, labels, strict=True)) / len(labels)
    measured = report["comparison"]
    assert measured["agreement"] == share
    assert measured["figures"]["accuracy"]["fp32"] == 100
    assert measured["figures"]["accuracy"]["int8"] == pytest.approx(100 * share)
    assert measured["questions"] == len(PAIRS)
    assert share > 0.6, "the network is random, and yet most labels stay"


def test_a_model_that_gets_worse_is_not_written(int8: Quantised, tmp_path: Path) -> None:
    out = tmp_path / "refused"
    done = int8.quantise(max_drop=0, out=out)
    assert isinstance(done.exception, AdversaryError)
    assert "at most 0 are allowed (--max-drop)" in str(done.exception)
    assert list(tmp_path.iterdir()) == []


def test_files_that_have_not_passed_are_not_loaded(int8: Quantised, tmp_path: Path) -> None:
    changed = Path(shutil.copytree(int8.out, tmp_path / "changed"))
    with (changed / "model_int8.bin").open("r+b") as file:
        file.write(b"\x01")
    with pytest.raises(AdversaryError, match="are not those"):
        opened("openvino", changed, NLI)
    (changed / REPORT_FILE).unlink()
    with pytest.raises(AdversaryError, match="is in int8, and no"):
        opened("openvino", changed, NLI)


def test_what_cannot_be_quantised_is_refused_before_it_takes_time(int8: Quantised) -> None:
    done = int8.quantise(max_drop=1)
    assert isinstance(done.exception, InvalidInput)
    assert "is there already" in str(done.exception)
    same = ["--calibrate", str(int8.check), "--check", str(int8.check)]
    done = CliRunner().invoke(quantise, [str(int8.source), str(int8.folder / "new"), "--task", "nli", *same])
    assert "are the same data" in str(done.exception)
    files = ["--calibrate", str(int8.calibrate), "--check", str(int8.check)]
    done = CliRunner().invoke(quantise, [str(int8.out), str(int8.folder / "new"), "--task", "nli", *files])
    assert "is in int8 already" in str(done.exception)


def test_nothing_is_told_about_its_use() -> None:
    code = "import sys, openvino, nncf; print('openvino_telemetry' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "False", done.stderr


@pytest.mark.parametrize("empty", ["--calibrate", "--check"])
def test_a_file_with_nothing_to_ask_is_refused(reader: Path, tmp_path: Path, empty: str) -> None:
    asked = {"id": "1", "question": "Who founded it?", "answers": [{"text": "Rome", "answer_start": 0}]}
    given = []
    for option in ("--calibrate", "--check"):
        questions = [] if option == empty else [asked]
        path = tmp_path / f"{option}.json"
        path.write_text(json.dumps({"data": [{"title": "", "paragraphs": [{"context": SENTENCE, "qas": questions}]}]}))
        given += [option, str(path)]
    refused = CliRunner().invoke(quantise, [str(reader), str(tmp_path / "out"), *given])
    assert isinstance(refused.exception, InvalidInput)
    assert f"{empty}.json has nothing to ask" in str(refused.exception)
    assert not (tmp_path / "out").exists()
