"""Rounds in one command, killed while it trains: what comes out keeps every rule of the parts.

There are two in `make test`, and three in `make thorough`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
pytest.importorskip("onnxscript", reason="exporting needs the packages of the development install")

from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.rehearsal.campaign import REHEARSAL
from beat_the_ai.store import Store
from beat_the_ai.terms.locate import campaign_store
from tests.mephisto.wire import wait_until
from tests.reports import unexplained

ROOT = Path(__file__).parents[3]
NLI, TOY = ROOT / "tasks" / "nli", ROOT / "tests" / "kinds" / "task"
EXCLUSIVE = "AWRITER002"
OPTIONS = [
    "round.max_hits=12",
    f"dataset.exclusive_writers=[{EXCLUSIVE}]",
    "dataset.exclusive_share=0",
    "dataset.balanced=[]",  # a revocation changes which examples are left out, and frozen files do not follow
]
PATIENCE_SECONDS = 800
WITHOUT_TORCH = "import sys; sys.modules['torch'] = None; from beat_the_ai.cli import main; main(sys.argv[1:])"


def command(task: Path, out: Path, *arguments: str, rounds: int = 3) -> list[str]:
    return [
        "rehearse",
        str(task),
        "--rounds",
        str(rounds),
        "--workers",
        "9",
        "--seed",
        "2",
        "--out",
        str(out),
        *arguments,
    ]


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.timeout(1800)  # six stages and two trainings, on a machine that may be busy
@pytest.mark.parametrize("rounds", [2, pytest.param(3, marks=pytest.mark.thorough)])
def test_rounds_go_on_after_a_kill_and_keep_every_rule_of_the_parts(tmp_path: Path, rounds: int) -> None:
    out, contexts = tmp_path / "out", tmp_path / "contexts.jsonl"
    sample = (NLI / "contexts" / "sample.jsonl").read_text("utf-8").splitlines(keepends=True)
    contexts.write_text("".join(sample[::6]), "utf-8")  # every model is measured on all that no round has had
    rehearsal = [
        sys.executable,
        "-m",
        "beat_the_ai.cli",
        *command(NLI, out, *OPTIONS, f"contexts={contexts}", rounds=rounds),
    ]
    with (tmp_path / "printed").open("wb") as printed:
        killed = subprocess.Popen(rehearsal, stdout=printed, stderr=printed)
    try:
        wait_until(
            lambda: any(out.glob("rounds/1/models/*.run/*/last.pt")) or killed.poll() is not None,
            "the first model is being trained",
            PATIENCE_SECONDS,
        )
    finally:
        killed.kill()
        killed.wait()
    assert not (out / "rounds" / "1" / "models" / "trained.json").exists(), (tmp_path / "printed").read_text("utf-8")
    frozen = (out / "rounds" / "1" / "frozen.json").read_bytes()

    done = subprocess.run(rehearsal, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    assert done.returncode == 0, done.stderr
    assert (out / "rounds" / "1" / "frozen.json").read_bytes() == frozen
    check_rounds(out, rounds)
    assert "Is a later model harder to beat?" in done.stdout
    assert "Models by rounds" in done.stdout


def check_rounds(out: Path, number_of_rounds: int) -> None:
    data = {number: out / "rounds" / str(number) / "data" for number in range(1, number_of_rounds + 1)}
    parts = {
        (number, name): rows(data[number] / f"{name}.jsonl") for number in data for name in ("train", "dev", "test")
    }
    contexts = {key: {row["context"] for row in part} for key, part in parts.items()}
    assert all(not contexts[one] & contexts[other] for one, other in combinations(contexts, 2))
    assert all(parts[number, "train"] for number in data)
    with campaign_store(str(out)) as store:
        check_votes_and_writers(store, out, parts)
        rounds = store.rounds.of_campaign(REHEARSAL)
        by_round = store.campaigns.contexts(REHEARSAL)
    assert [each.config["round"]["max_tries"] for each in rounds] == [5, 10, 10][:number_of_rounds]
    assert {len(by_round[number]) for number in data} == {4}
    assert not any({c.text for c in by_round[a]} & {c.text for c in by_round[b]} for a, b in combinations(by_round, 2))
    assert all(len({context.private["genre"] for context in drawn}) >= 3 for drawn in by_round.values())
    check_models(out, [each.config["adversary"]["members"] for each in rounds])
    report = (out / "report.html").read_text("utf-8")
    for shown in ("Is a later model harder to beat?", "Models by rounds"):
        assert shown in report
    assert f"By the unverified rate the model of round {number_of_rounds}" in report
    assert unexplained(out) == []


def check_votes_and_writers(store: Store, out: Path, parts: dict[tuple[int, str], list[dict[str, Any]]]) -> None:
    """Dev and test have verified model errors alone; the exclusive writer's work is in no training set.

    What is frozen stays; in the export, votes of a verifier who was revoked later count no more.
    """
    attempts = {attempt["attempt_id"]: attempt for attempt in rows(out / "attempts.jsonl")}
    for name in ("dev", "test"):
        frozen = {row["uid"]: row for (_, part), kept in parts.items() if part == name for row in kept}
        exported = rows(out / "jsonl" / f"{name}.jsonl")
        assert frozen
        assert {row["uid"] for row in exported} <= frozen.keys()
        assert all(row["label"] != row["model_label"] for row in frozen.values())
        for row in exported:
            votes = [vote["vote"]["label"] or "" for vote in attempts[row["uid"]]["votes"] if vote["counts"]]
            assert [label[:1] for label in votes].count(row["label"]) >= 2
    exclusive = pseudonym(EXCLUSIVE, store.campaigns.get(REHEARSAL))
    written = [attempt for attempt in attempts.values() if attempt["worker"] == exclusive]
    assert {attempt["part"] for attempt in written} == {"test"}
    theirs = {attempt["attempt_id"] for attempt in written}
    assert {row["uid"] for row in chain.from_iterable(parts.values()) if row["emturk"]} <= theirs


def check_models(out: Path, members: list[list[str]]) -> None:
    """Each is trained on from the one before it, as it says; no round goes back to an earlier one."""
    assert members[0] == ["onnx:cross-encoder-small"]
    for number in range(1, len(members)):
        folder = out / "rounds" / str(number) / "models"
        record = json.loads((folder / "trained.json").read_text("utf-8"))
        arguments = record["arguments"]
        assert arguments[arguments.index("--from") + 1] == members[number - 1][0]
        assert members[number]
        assert set(members[number]) <= {model.replace("onnx:", f"onnx:{out}/") for model in record["models"]}
        scores = json.loads((out / "rounds" / "scores.json").read_text("utf-8"))
        on_ordinary = {each["model"] for each in scores if each["gold"] == f"rounds/{number}/ordinary.jsonl"}
        assert on_ordinary >= {members[number][0], members[number - 1][0]}


def test_a_kind_without_training_is_refused_before_anything_starts(tmp_path: Path) -> None:
    refused = subprocess.run(
        [sys.executable, "-m", "beat_the_ai.cli", *command(TOY, tmp_path / "out")],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert refused.returncode == 2
    assert "has no training" in refused.stderr
    assert not (tmp_path / "out").exists()


def test_without_torch_it_says_so_before_anything_starts(tmp_path: Path) -> None:
    refused = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, *command(NLI, tmp_path / "out")],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert refused.returncode == 1
    assert "Training needs torch, which is not installed" in refused.stderr
    assert "With --rounds 1" in refused.stderr
    assert not (tmp_path / "out").exists()
