"""`replicate`: what it lists, what it says of a target, and a run on a small matrix with its page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.replication.targets import replications
from scripts.imports import ROOT
from tests.experiments.matrices import settings, write_datasets, write_matrix

TARGET = "bartolo-2020/table-7"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["replicate", *map(str, arguments)])


def test_it_lists_every_target_for_people_and_programs() -> None:
    names = [each.name for each in replications()]
    shown = run().stdout.splitlines()
    assert [line.split()[0] for line in shown] == names
    listed = json.loads(run("--json").stdout)
    assert [each["target"] for each in listed] == names
    assert listed[1]["data"]["squad"]["licence"] == "CC BY-SA 4.0"


def test_an_unknown_target_lists_what_there_is() -> None:
    result = run("bartolo-2020/table-9")
    assert result.exit_code == 2
    assert TARGET in result.stderr


def test_its_plan_says_what_it_needs_from_where_and_what_it_costs(tmp_path: Path) -> None:
    result = run(TARGET, "--plan", "--json", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    assert content["missing"]["bert"] == ["bert/train.json", "bert/dev.json"]
    assert content["data"]["bert"]["source"] == "https://adversarialqa.github.io/"
    assert {each["model"]: each["cells"] for each in content["estimates"]} == {"bert-large": 40, "roberta-large": 40}
    assert all(each["seconds"] > 0 and each["price"] > 0 for each in content["estimates"])
    assert content["comparisons"] == []
    assert "by the sizes that are expected" in result.stderr
    assert not (tmp_path / "out").exists()


def test_without_its_files_it_says_which_and_runs_nothing(tmp_path: Path) -> None:
    result = run(TARGET, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "bert: bert/train.json" in result.stderr
    assert "`--plan` says where to get them" in result.stderr
    assert not (tmp_path / "out" / "matrix").exists()


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[object], Result]:
    folder = tmp_path_factory.mktemp("replication")
    write_datasets(folder)
    content = settings(seeds=[0])
    content["datasets"]["base"]["label"] = "D_SQuAD"
    content["datasets"]["other"]["label"] = "D_BERT"
    config = write_matrix(folder / "matrix.yaml", content)
    arguments: list[object] = [TARGET, "--config", config, "--data", folder, "--out", folder / "out"]
    return arguments, run(*arguments)


def test_it_runs_the_matrix_and_puts_ours_beside_the_published_figures(done: tuple[list[object], Result]) -> None:
    arguments, result = done
    assert result.exit_code == 0, result.output
    out = Path(str(arguments[-1]))
    content: dict[str, Any] = json.loads((out / "replication.json").read_text(encoding="utf-8"))
    assert {one["row"]["model"] for one in content["comparisons"]} == {"RoBERTa"}
    first = content["comparisons"][0]
    assert (first["figure"], first["published"], first["published_deviation"]) == ("D_SQuAD EM", 73.8, 0.2)
    assert first["ours"] is None  # this kind of task has accuracies
    text = (out / "replication.md").read_text(encoding="utf-8")
    assert "ours beside the paper's" in text
    assert "Table 7: the base, and each other dataset with it" in text
    assert "Table 8" not in text


def test_its_page_opens_offline(done: tuple[list[object], Result]) -> None:
    page = (Path(str(done[0][-1])) / "replication.html").read_text(encoding="utf-8")
    assert "Replication of bartolo-2020/table-7" in page
    assert "Not as in the paper" in page
    assert re.findall(r"""(?:src|href)=["'](?!#|data:)[^"']*""", page) == []


def test_the_same_command_computes_nothing_twice(done: tuple[list[object], Result]) -> None:
    arguments, _ = done
    logs = {path: path.stat().st_mtime_ns for path in Path(str(arguments[-1])).rglob("log.txt")}
    assert logs
    again = run(*arguments, "--json")
    assert again.exit_code == 0, again.output
    content = json.loads(again.stdout)
    assert content["estimates"][0]["cells"] == content["estimates"][0]["done"]
    assert {path: path.stat().st_mtime_ns for path in logs} == logs


def test_a_model_is_measured_as_it_is_beside_the_published_accuracy(tmp_path: Path) -> None:
    questions = (ROOT / "tasks" / "quizbowl" / "held_out.jsonl").read_text(encoding="utf-8").splitlines()
    for name, part in (("regular", questions[:20]), ("adversarial", questions[20:30])):
        (tmp_path / f"{name}.json").write_text("\n".join(part), encoding="utf-8")
    arguments = ["wallace-2019/figure-4", "--data", tmp_path, "--out", tmp_path / "out", "--json"]
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    regular, adversarial = json.loads(result.stdout)["comparisons"]
    assert (regular["row"], regular["published"]) == ({"questions": "regular"}, 54.1)
    assert 0 <= regular["ours"]["low"] <= regular["ours"]["value"] <= regular["ours"]["high"] <= 100
    assert (regular["ours"]["value"] / 5).is_integer()  # of twenty questions
    assert adversarial["difference"] == pytest.approx(adversarial["ours"]["value"] - 32.4)
    [answered] = {path.parent: path.stat().st_mtime_ns for path in tmp_path.rglob("answers/*.json")}
    assert run(*arguments).exit_code == 0
    assert {path.parent for path in tmp_path.rglob("answers/*.json")} == {answered}


def test_options_that_say_nothing_for_a_target_are_refused(tmp_path: Path) -> None:
    for target, option, value in (
        (TARGET, "--model", "onnx:bidaf-small"),
        ("bartolo-2020/demo", "--data", tmp_path),
        ("wallace-2019/figure-4", "--model", "nothing:x"),
    ):
        result = run(target, option, value, "--plan")
        assert result.exit_code in (1, 2), result.output
        assert result.stderr.startswith("beat-the-ai: ")
