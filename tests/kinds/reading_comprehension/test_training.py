"""`train` for reading comprehension, from the shipped network: what it says, and what comes out."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
pytest.importorskip("onnx", reason="exporting needs the packages of the development install")

from beat_the_ai.cli import main
from beat_the_ai.kinds.reading_comprehension.backends.onnx import SHIPPED
from beat_the_ai.kinds.reading_comprehension.bidaf.train import TrainConfig
from beat_the_ai.kinds.reading_comprehension.fine_tuning import FineTuneConfig
from beat_the_ai.kinds.reading_comprehension.training import train
from beat_the_ai.networks.progress import Look

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
WORDS_BEFORE = 400  # more than a window of the network has


def write_questions(path: Path, colours: tuple[str, ...], words_before: int = 0) -> Path:
    """A passage for each name, with a question that has an answer and one that is impossible."""
    paragraphs = []
    for name, colour in zip(NAMES, colours, strict=False):
        text = f"{'It rained a bit. ' * (words_before // 4)}{name} painted the old door {colour} on Monday."
        answers = [{"text": colour, "answer_start": text.index(colour)}]
        paragraphs.append(
            {
                "context": text,
                "qas": [
                    {"id": name, "question": f"What colour did {name} paint the door?", "answers": answers},
                    {"id": f"{name}?", "question": "Who asked?", "answers": [], "is_impossible": True},
                ],
            }
        )
    path.write_text(json.dumps({"version": "v2.0", "data": [{"title": "Doors", "paragraphs": paragraphs}]}))
    return path


@pytest.fixture(scope="module")
def arguments(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("training")
    data = write_questions(folder / "data.json", ("red", "blue", "green", "black"))
    dev = write_questions(folder / "dev.json", ("white", "pink", "brown"), WORDS_BEFORE)
    given: list[Any] = ["--data", data, "--dev", dev, "--out", folder / "out", "--name", "doors"]
    return ["train", "--task", "reading_comprehension", *map(str, given), "--from", "onnx:bidaf-small"]


@pytest.fixture(scope="module")
def trained(arguments: list[str]) -> Result:
    return CliRunner().invoke(main, [*arguments, "--max-steps", "2"])


def test_the_command_says_what_it_reads_and_how_far_it_is(trained: Result) -> None:
    assert trained.exit_code == 0, trained.output
    assert "data.json: 4 questions (4 without an answer left out), 1 times an epoch" in trained.output
    assert "1 steps  0." in trained.output
    looks = [line for line in trained.output.splitlines() if "steps  loss" in line]
    assert looks[-1].startswith("100%        2 steps")


def test_the_result_is_an_adversary_that_is_measured_as_it_was_in_training(
    arguments: list[str], trained: Result
) -> None:
    """In training in batches, of windows of long passages; here one question after the other."""
    out, dev = arguments[arguments.index("--out") + 1], arguments[arguments.index("--dev") + 1]
    assert f"use it as onnx:{out}/doors" in trained.output
    assert f"--member doors=onnx:{out}/doors" in trained.output
    [command] = [line for line in trained.output.splitlines() if "beat-the-ai evaluate" in line]
    measured = CliRunner().invoke(main, [*command.replace("GOLD", dev).split()[1:], "--json"])
    assert measured.exit_code == 0, measured.output
    record = json.loads((Path(out) / "doors" / "training.json").read_text())
    assert record["from"]["model"] == "bidaf-small"
    for name in ("exact_match", "f1"):
        [figure] = record[f"dev_{name}"].values()
        assert json.loads(measured.stdout)[name] == pytest.approx(figure)
    assert figure > 0


def test_another_run_in_its_place_is_refused_with_what_differs(arguments: list[str], trained: Result) -> None:
    assert trained.exit_code == 0
    refused = CliRunner().invoke(main, [*arguments, "--max-steps", "3", "--seed", "7"])
    assert refused.exit_code == 2
    message = " ".join(refused.output.split())
    assert "which differs in max_steps (2, now 3), seed (0, now 7)" in message
    assert "To begin anew, choose another --name or --out" in message


@pytest.mark.parametrize("name", ["..", ".", "a/b", "", "mine"])
def test_no_folder_is_touched_that_is_not_the_trained_models(arguments: list[str], tmp_path: Path, name: str) -> None:
    """Before anything is trained: what lies where the model would go is somebody's."""
    kept = tmp_path / "out" / "mine" / "notes.txt"
    kept.parent.mkdir(parents=True)
    kept.write_text("two weeks of work")
    moved = {"--out": str(tmp_path / "out"), "--name": name}
    given = [moved.get(before, text) for before, text in zip(["", *arguments], arguments, strict=False)]
    refused = CliRunner().invoke(main, [*given, "--max-steps", "2"])
    assert refused.exit_code == 2
    assert "--name" in refused.output
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [kept]


def test_a_model_that_was_trained_is_replaced_by_the_next(arguments: list[str], trained: Result) -> None:
    assert trained.exit_code == 0
    model = Path(arguments[arguments.index("--out") + 1]) / "doors"
    (model / "left.txt").write_text("of an earlier export")
    again = CliRunner().invoke(main, [*arguments, "--max-steps", "2"])
    assert again.exit_code == 0, again.output
    assert {path.name for path in model.iterdir()} == {"config.json", "model.onnx", "vocabulary.txt", "training.json"}
    assert not list(model.with_name("doors.run").glob("exported/*"))


def test_a_start_whose_network_is_torn_is_refused(arguments: list[str], tmp_path: Path) -> None:
    torn = tmp_path / "torn"
    shutil.copytree(SHIPPED / "bidaf-small", torn)
    (torn / "model.onnx").write_bytes((torn / "model.onnx").read_bytes()[:100_000])
    moved = {"--out": str(tmp_path / "out"), "--from": f"onnx:{torn}"}
    given = [moved.get(before, text) for before, text in zip(["", *arguments], arguments, strict=False)]
    refused = CliRunner().invoke(main, [*given, "--max-steps", "2"])
    assert isinstance(refused.exception, SystemExit)
    assert "model.onnx of 'torn' is no network" in refused.output


def test_it_may_be_tuned_for_exact_match_as_in_the_paper(tmp_path: Path) -> None:
    """§4.3. Of two looks, each is the best by one of the figures."""
    exact, overlapping = (Look(1.0, 1, 0.0, {"exact_match": em, "f1": f1}) for em, f1 in ((60.0, 70.0), (50.0, 80.0)))
    given: dict[str, Any] = {"data": (), "out": tmp_path}
    for config in (TrainConfig(**given), FineTuneConfig(**given, start="x")):
        assert config.deciding.prefers(overlapping, exact)
        assert replace(config, tuned_for="exact_match").deciding.prefers(exact, overlapping)
    for refused in ("accuracy", ""):
        result = CliRunner().invoke(train, ["--tuned-for", refused])
        assert "'f1', 'exact_match'" in result.output
