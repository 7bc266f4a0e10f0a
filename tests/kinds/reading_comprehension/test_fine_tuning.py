"""Fine-tuning a tiny BERT with random weights to answer questions: what it learns, and what it is then."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'gpu' is not installed")
pytest.importorskip("accelerate", reason="the extra 'train' is not installed")

from safetensors.torch import load_file  # noqa: E402

from beat_the_ai.adversary.protocol import LoadOptions  # noqa: E402
from beat_the_ai.adversary.registry import open_adversary  # noqa: E402
from beat_the_ai.cli import main  # noqa: E402
from beat_the_ai.errors import AdversaryError, InvalidInput  # noqa: E402
from beat_the_ai.kinds.corpora import Corpus  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.fine_tuning import FineTuneConfig, tokens_of, train  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.training import train as command  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.windows import WindowEncoder  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.writing import Query  # noqa: E402
from beat_the_ai.networks import loading  # noqa: E402
from beat_the_ai.networks.progress import Look, Trained  # noqa: E402
from tests.networks.looks import Looks  # noqa: E402
from tests.networks.tiny_bert import TO_TRAIN, word_piece_tokenizer, write_tiny_bert  # noqa: E402

STEPS = 24


def write_questions(path: Path, numbers: range) -> Path:
    """Passages of three windows; the answer is the one digit, and stands in any of them."""
    articles = []
    for number in numbers:
        before, digit = number * 7 % 60, number % 10
        text = f"{'xx ' * before}{digit}{' yy' * (60 - before)}"
        answers = [{"text": str(digit), "answer_start": 3 * before}] * 2 + [{"text": text[:2], "answer_start": 0}]
        questions = [{"id": f"{number}", "question": "?", "answers": answers}]
        articles.append({"title": f"{number}", "paragraphs": [{"context": text, "qas": questions}]})
    path.write_text(json.dumps({"data": articles}))
    return path


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "bert"
    return write_tiny_bert(folder, transformers.BertForMaskedLM, word_piece_tokenizer(), seed=7, **TO_TRAIN)


@pytest.fixture(scope="module")
def config(bert: Path, tmp_path_factory: pytest.TempPathFactory) -> FineTuneConfig:
    data = tmp_path_factory.mktemp("data")
    return FineTuneConfig(
        start=str(bert),
        data=(Corpus(write_questions(data / "train.json", range(40))),),
        dev=(write_questions(data / "dev.json", range(40, 52)),),
        out=tmp_path_factory.mktemp("run"),
        epochs=20,
        max_steps=STEPS,
        batch_size=30,
        learning_rate=2e-2,
        check_steps=4,
        patience=9,
    )


@pytest.fixture(scope="module")
def reports() -> list[Look]:
    return []


@pytest.fixture(scope="module")
def trained(config: FineTuneConfig, reports: list[Look]) -> Trained:
    result = train(config, Looks(reports))
    assert result is not None
    return result


def test_it_learns_what_can_be_learnt_in_passages_of_several_windows(trained: Trained, reports: list[Look]) -> None:
    assert [report.step for report in reports] == list(range(4, STEPS + 1, 4))
    assert trained.best.figures["f1"] == max(report.figures["f1"] for report in reports) > 90
    assert trained.best.figures["exact_match"] > 90
    assert reports[-1].loss < reports[0].loss
    model = open_adversary(f"huggingface:{trained.weights}", "reading_comprehension", LoadOptions())
    text = "xx " * 45 + "7" + " yy" * 15
    [answer] = model.predict([Query(context=text, question="?")])
    assert (answer.text, answer.start) == ("7", 135)


def test_a_run_that_was_stopped_goes_on_as_if_it_was_not(
    config: FineTuneConfig, trained: Trained, reports: list[Look], tmp_path: Path
) -> None:
    answers, seen = iter([False] * 4 + [True]), list[Look]()
    here = replace(config, out=tmp_path)
    assert train(here, Looks(seen, lambda: next(answers))) is None
    result = train(here, Looks(seen))
    assert result is not None
    assert [(look.step, look.figures) for look in seen] == [(look.step, look.figures) for look in reports]
    weights, others = (load_file(run.weights / "model.safetensors") for run in (result, trained))
    assert all(weights[name].equal(others[name]) for name in others)


def test_another_run_does_not_go_on_in_its_place(config: FineTuneConfig, trained: Trained) -> None:
    with pytest.raises(InvalidInput, match=r"differs in max_steps \(24, now 25\), seed \(0, now 1\)\..*To begin anew"):
        train(replace(config, seed=1, max_steps=25))
    with pytest.raises(InvalidInput, match=r"differs in data\."):
        train(replace(config, data=(Corpus(config.data[0].path, 2.0),)))


def test_minutes_end_a_run_with_a_result(config: FineTuneConfig, tmp_path: Path) -> None:
    seen: list[Look] = []
    looks = Looks(seen)
    assert train(replace(config, out=tmp_path, minutes=1e-9), looks) is not None
    assert [look.step for look in seen] == [1]
    assert [step.step for step in looks.steps] == [1]


def test_a_model_for_this_task_keeps_its_head(config: FineTuneConfig, trained: Trained, tmp_path: Path) -> None:
    further = train(replace(config, start=str(trained.weights), out=tmp_path, learning_rate=1e-9, max_steps=1))
    assert further is not None
    assert further.best.figures == trained.best.figures


def test_single_sentences_are_for_our_own_network(config: FineTuneConfig, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="Name the file as --data"):
        train(replace(config, out=tmp_path, extra=(config.data[0].path,)))


def test_the_tokens_of_an_answer_are_those_that_it_touches_in_a_window_that_has_all_of_it(bert: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(bert)
    encode = WindowEncoder(tokenizer, transformers.AutoConfig.from_pretrained(bert))
    text = "aa " * 20 + "romulus founded " + "bb " * 20
    start = text.index("romulus")
    labels = [tokens_of(window, start, start + 15) for window in encode(Query(context=text, question="?"))]
    assert any(first for first, _ in labels)
    for window, (first, last) in zip(encode(Query(context=text, question="?")), labels, strict=True):
        if first:
            assert (window.starts[first], window.ends[last]) == (start, start + 15)
        else:
            assert not (window.starts[window.inside][0] <= start and window.ends[window.inside][-1] >= start + 15)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device here")
def test_a_gpu_learns_it_too(config: FineTuneConfig, tmp_path: Path) -> None:
    result = train(replace(config, out=tmp_path, device="cuda"))
    assert result is not None
    assert result.best.figures["f1"] > 90


def test_the_command_names_an_adversary_that_can_be_measured_at_once(
    config: FineTuneConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    dev = str(config.dev[0])
    given: list[Any] = ["--data", config.data[0].path, "--dev", dev, "--from", f"huggingface:{config.start}"]
    given += ["--out", "out", "--name", "reader", "--max-steps", 2, "--batch-size", 30]
    done = CliRunner().invoke(command, list(map(str, given)), standalone_mode=False)
    assert done.return_value == ["huggingface:out/reader"], done.output
    assert "40 questions, 1 times an epoch" in done.output
    assert "use it as huggingface:out/reader" in done.output
    [line] = [line for line in done.output.splitlines() if "beat-the-ai evaluate" in line]
    measured = CliRunner().invoke(main, [*line.replace("GOLD", dev).split()[1:], "--json"])
    assert measured.exit_code == 0, measured.output
    record = json.loads(Path("out/reader/training.json").read_text())
    [f1] = record["dev_f1"].values()
    assert np.isclose(json.loads(measured.stdout)["f1"], f1)


def test_a_classifier_of_three_labels_can_be_made_a_reader(config: FineTuneConfig, tmp_path: Path) -> None:
    folder = write_tiny_bert(tmp_path / "nli", transformers.BertForSequenceClassification, num_labels=3)
    assert train(replace(config, start=str(folder), out=tmp_path / "run", max_steps=1)) is not None


@pytest.mark.parametrize(
    ("source", "told"),
    [("no-such/model", "no model that transformers can load"), ("tokenless", "files of it are missing")],
)
def test_a_start_that_cannot_be_used_is_refused(
    config: FineTuneConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, told: str
) -> None:
    def offline(*_: object, **__: object) -> None:
        raise OSError("We couldn't connect to the hub.")

    monkeypatch.setattr(loading, "cached_file", offline)
    transformers.BertModel(transformers.BertConfig(hidden_size=16, num_attention_heads=2)).save_pretrained(
        tmp_path / "tokenless"
    )
    given = ["--data", str(config.data[0].path), "--out", str(tmp_path / "out"), "--max-steps", "1"]
    start = str(tmp_path / source) if (tmp_path / source).exists() else source
    refused = CliRunner().invoke(command, [*given, "--from", f"huggingface:{start}"], standalone_mode=False)
    assert isinstance(refused.exception, AdversaryError)
    assert told in str(refused.exception)
