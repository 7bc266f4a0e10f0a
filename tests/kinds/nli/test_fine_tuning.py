"""Fine-tuning a tiny BERT with random weights: what it learns, how it stops and goes on, and what is refused."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'gpu' is not installed")
pytest.importorskip("accelerate", reason="the extra 'train' is not installed")

from safetensors.torch import load_file  # noqa: E402

from beat_the_ai.adversary.protocol import LoadOptions  # noqa: E402
from beat_the_ai.adversary.registry import open_adversary  # noqa: E402
from beat_the_ai.errors import AdversaryError, InvalidInput  # noqa: E402
from beat_the_ai.kinds.corpora import Corpus  # noqa: E402
from beat_the_ai.kinds.nli.fine_tuning import FineTuneConfig, train  # noqa: E402
from beat_the_ai.kinds.nli.labels import LABELS, Pair  # noqa: E402
from beat_the_ai.kinds.nli.training import train as command  # noqa: E402
from beat_the_ai.networks.progress import Look, Trained  # noqa: E402
from tests.kinds.nli.backends.test_huggingface import ORDER  # noqa: E402
from tests.networks.looks import Looks  # noqa: E402
from tests.networks.tiny_bert import TO_TRAIN, write_tiny_bert  # noqa: E402

WORDS = {"entailment": "a" * 20, "neutral": "b" * 20, "contradiction": "c" * 20}
STEPS_OF_AN_EPOCH = 4  # of 36 + 12 pairs
STEPS = 24


def write_pairs(path: Path, numbers: range) -> Path:
    rows = [
        {"premise": f"Day {'x' * number}.", "hypothesis": WORDS[label], "label": label}
        for number in numbers
        for label in LABELS
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def write_bert(folder: Path, *, names: tuple[str, ...] = (), architecture: str = "BertForMaskedLM") -> Path:
    outputs = {"id2label": dict(enumerate(names)), "label2id": {name: at for at, name in enumerate(names)}}
    head = getattr(transformers, architecture)
    return write_tiny_bert(folder, head, seed=7, **TO_TRAIN, **(outputs if names else {}))


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bert(tmp_path_factory.mktemp("models") / "bert")


@pytest.fixture(scope="module")
def inferring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One that knows the labels, in an order of its own."""
    folder = tmp_path_factory.mktemp("models") / "inferring"
    return write_bert(folder, names=ORDER, architecture="BertForSequenceClassification")


@pytest.fixture(scope="module")
def config(bert: Path, tmp_path_factory: pytest.TempPathFactory) -> FineTuneConfig:
    data = tmp_path_factory.mktemp("data")
    more = write_pairs(data / "more.jsonl", range(20, 28))
    return FineTuneConfig(
        start=str(bert),
        data=(Corpus(write_pairs(data / "train.jsonl", range(12))), Corpus(more, 0.5)),
        dev=(write_pairs(data / "dev.jsonl", range(30, 36)),),
        out=tmp_path_factory.mktemp("run"),
        epochs=STEPS / STEPS_OF_AN_EPOCH,
        batch_size=12,
        learning_rate=1e-2,
        check_steps=3,
    )


@pytest.fixture(scope="module")
def reports() -> list[Look]:
    return []


@pytest.fixture(scope="module")
def trained(config: FineTuneConfig, reports: list[Look]) -> Trained:
    result = train(config, Looks(reports))
    assert result is not None
    return result


def weights(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = load_file(folder / "model.safetensors")
    return found


def assert_same_weights(left: Path, right: Path) -> None:
    others = weights(right)
    for name, value in weights(left).items():
        assert value.equal(others[name]), name


def arguments(config: FineTuneConfig, out: Path) -> list[str]:
    files = [word for corpus in config.data for word in ("--data", f"{corpus.path}={corpus.weight}")]
    return [*files, "--dev", str(config.dev[0]), "--from", f"huggingface:{config.start}", "--out", str(out)]


def test_it_learns_what_can_be_learnt_and_is_an_adversary(trained: Trained, reports: list[Look]) -> None:
    assert [report.step for report in reports] == list(range(3, STEPS + 1, 3))[: len(reports)]
    assert trained.best.figures["accuracy"] == max(report.figures["accuracy"] for report in reports) == 100
    assert reports[-1].loss < reports[0].loss
    model = open_adversary(f"huggingface:{trained.weights}", "nli", LoadOptions())
    queries = [Pair(premise="Day xx.", hypothesis=WORDS[label]) for label in LABELS]
    assert [said.label for said in model.predict(queries)] == list(LABELS)
    assert not list(trained.weights.parent.glob("checkpoint-*"))


@pytest.mark.parametrize("asked", [1, 5, 6])
def test_a_run_that_was_stopped_goes_on_as_if_it_was_not(
    config: FineTuneConfig, trained: Trained, reports: list[Look], tmp_path: Path, asked: int
) -> None:
    answers = iter([False] * (asked - 1) + [True])
    here, seen = replace(config, out=tmp_path), list[Look]()
    assert train(here, Looks(seen, lambda: next(answers))) is None
    cut_off = tmp_path / "checkpoint-900"  # killed while it was written
    cut_off.mkdir()
    (cut_off / "trainer_state.json").write_text('{"global_step": 9')
    result = train(here, Looks(seen))
    assert result is not None
    assert [(look.step, look.figures["loss"]) for look in seen] == [
        (look.step, look.figures["loss"]) for look in reports
    ]
    assert_same_weights(result.weights, trained.weights)
    assert train(here, Looks(seen)) == result  # it has ended
    assert len(seen) == len(reports)


def test_a_run_ends_early_when_the_dev_part_gets_no_better(config: FineTuneConfig, tmp_path: Path) -> None:
    seen: list[Look] = []
    train(replace(config, out=tmp_path, epochs=100, learning_rate=0, patience=2), Looks(seen))
    assert [look.step for look in seen] == [3, 6, 9]


def test_a_run_whose_time_is_up_goes_on_when_it_has_more(config: FineTuneConfig, tmp_path: Path) -> None:
    seen, short = list[Look](), replace(config, out=tmp_path, epochs=2, minutes=1e-9)
    result = train(short, Looks(seen))
    assert train(short, Looks(seen)) == result
    assert [look.step for look in seen] == [1]
    train(replace(short, minutes=None), Looks(seen))
    assert [look.step for look in seen] == [1, 3, 6, 8]


def test_another_run_does_not_go_on_in_its_place(config: FineTuneConfig, trained: Trained, inferring: Path) -> None:
    with pytest.raises(
        InvalidInput, match=r"another run, which differs in seed \(0, now 9\), hypothesis_only \(false, now true\)\."
    ):
        train(replace(config, seed=9, hypothesis_only=True))
    with pytest.raises(InvalidInput, match=r"differs in data, start\."):
        train(replace(config, start=str(inferring), data=config.data[:1]))


def test_outputs_that_are_the_labels_are_kept_and_others_are_learnt_anew(
    config: FineTuneConfig, inferring: Path, tmp_path: Path
) -> None:
    moods = write_bert(tmp_path / "moods", names=("good", "bad", "other"), architecture="BertForSequenceClassification")
    for start, order in ((inferring, ORDER), (moods, LABELS)):
        here = replace(config, start=str(start), out=tmp_path / f"{start.name}.run", learning_rate=0, epochs=0.5)
        result = train(here)
        assert result is not None
        described = json.loads((result.weights / "config.json").read_text())
        assert tuple(described["id2label"].values()) == order
        before, after = weights(start), weights(result.weights)
        assert after["bert.embeddings.word_embeddings.weight"].equal(before["bert.embeddings.word_embeddings.weight"])
        assert after["classifier.weight"].equal(before["classifier.weight"]) == (start is inferring)


def test_the_hypothesis_only_one_says_the_same_whatever_the_premise(config: FineTuneConfig, tmp_path: Path) -> None:
    result = train(replace(config, out=tmp_path, hypothesis_only=True, epochs=1))
    assert result is not None
    model = open_adversary(f"huggingface:{result.weights}", "nli", LoadOptions())
    queries = [Pair(premise=premise, hypothesis="aaaa") for premise in ("", "Day x.", "x " * 500)]
    assert len({str(model.predict([query])) for query in queries}) == 1
    with pytest.raises(InvalidInput, match=r"is blind to the premise\. Add --hypothesis-only\."):
        train(replace(config, out=tmp_path / "next", start=str(result.weights)))


def test_pairs_of_a_part_kept_apart_are_refused(config: FineTuneConfig, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"36 pairs of .*train\.jsonl are also in .*train\.jsonl"):
        train(replace(config, out=tmp_path, apart=(config.data[0].path,)))


def test_what_cannot_be_trained_is_refused(config: FineTuneConfig, bert: Path, tmp_path: Path) -> None:
    unpadded = Path(shutil.copytree(bert, tmp_path / "unpadded"))
    described = json.loads((unpadded / "tokenizer_config.json").read_text())
    (unpadded / "tokenizer_config.json").write_text(json.dumps({**described, "pad_token": None}))
    with pytest.raises(AdversaryError, match=r"has no padding.*Save the model to a folder with a pad_token"):
        train(replace(config, out=tmp_path / "1", start=str(unpadded)))
    seeing = Path(shutil.copytree(bert, tmp_path / "seeing"))
    (seeing / "config.json").write_text(transformers.ResNetConfig(num_labels=2).to_json_string())
    with pytest.raises(AdversaryError, match="no model that transformers can load: Unrecognized configuration"):
        train(replace(config, out=tmp_path / "2", start=str(seeing)))
    (tmp_path / "empty").mkdir()
    with pytest.raises(AdversaryError, match="no model that transformers can load"):
        train(replace(config, out=tmp_path / "3", start=str(tmp_path / "empty")))


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_a_gpu_that_is_not_there_is_refused(config: FineTuneConfig, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"there is no GPU that torch can use\. Allowed here: cpu\."):
        train(replace(config, out=tmp_path, device="cuda"))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device here")
def test_a_gpu_learns_it_too(config: FineTuneConfig, tmp_path: Path) -> None:
    result = train(replace(config, out=tmp_path, device="cuda"))
    assert result is not None
    assert result.best.figures["accuracy"] == 100


def test_the_command_keeps_the_best_of_several_learning_rates_and_writes_nowhere_else(
    config: FineTuneConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rates = ["--learning-rate", "1e-9", "--learning-rate", "0.01"]
    given = [*arguments(config, Path("out")), *rates, "--epochs", "12", "--name", "next"]
    done = CliRunner().invoke(command, given, standalone_mode=False)
    assert done.return_value == ["huggingface:out/next"], done.output
    assert "use it as huggingface:out/next" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    record = json.loads(Path("out/next/training.json").read_text())
    assert record["from"]["model"] == "bert"
    assert record["learning_rate"] == 0.01
    assert record["dev_accuracy"]["0.01"] > record["dev_accuracy"]["1e-09"]
    start = open_adversary("huggingface:out/next", "nli", LoadOptions())
    further = [*arguments(replace(config, start="out/next"), Path("out")), "--epochs", "0.5", "--name", "further"]
    done = CliRunner().invoke(command, further, standalone_mode=False)
    assert done.return_value == ["huggingface:out/further"], done.output
    record = json.loads(Path("out/further/training.json").read_text())
    assert record["from"] == {"model": "next", "hash": start.identity.hash}


def test_what_was_killed_goes_on(config: FineTuneConfig, tmp_path: Path) -> None:
    run = "from beat_the_ai.kinds.nli.training import train; train.main()"
    given = [*arguments(config, tmp_path / "out"), "--epochs", "100", "--learning-rate", "1e-5"]
    process = subprocess.Popen(
        [sys.executable, "-c", run, *given], stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "200"}
    )
    assert process.stderr is not None
    looks = (line for line in process.stderr if "dev: accuracy" in line)
    first, second = next(looks), next(looks)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert (first.split()[1], second.split()[1]) == ("2", "4")
    done = CliRunner().invoke(command, [*given, "--minutes", "0.0001"])
    assert done.exit_code == 0, done.output
    shown = [line.split()[1] for line in done.output.splitlines() if "steps  loss" in line]
    assert all(int(step) > 2 for step in shown)
    assert json.loads((tmp_path / "out" / "cross-encoder" / "training.json").read_text())["steps"] >= 2
