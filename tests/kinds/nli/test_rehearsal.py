"""The task folder is rehearsed: screened, written, explained, reviewed, verified, paid, exported and reported."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.errors import InvalidInput
from beat_the_ai.payments import Ledger, State
from beat_the_ai.rehearsal.campaign import REHEARSAL
from beat_the_ai.terms.locate import campaign_store
from beat_the_ai.terms.writing import Terms
from tests.croissant import croissant_of
from tests.kinds.nli.premises import FILE, PREMISES, WRITING
from tests.reports import unexplained

HERE = Path(__file__).parent
TASK = HERE.parents[2] / "tasks" / "nli"
OPTIONS = [f"contexts={FILE}", f"qualification.quiz={HERE / 'quiz.yaml'}"]


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_it_runs_from_the_first_hit_to_the_report(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "beat_the_ai.cli", "rehearse", str(TASK), "--workers", "6", "--out", str(out)]
    sizes = ["round.max_hits=24", "dataset.train=2", "dataset.dev=1", "dataset.test=1", "dataset.exclusive_share=0"]
    done = subprocess.run([*command, *OPTIONS, *sizes], capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stderr) == (0, "")

    attempts = rows(out / "attempts.jsonl")
    assert len(croissant_of(out)[1]["attempts"]) == len(attempts)
    by_hit = Counter(attempt["hit"] for attempt in attempts)
    assert len(by_hit) == 24
    assert max(by_hit.values()) <= 5
    targets = {attempt["hit"]: attempt["work"]["target"] for attempt in attempts}
    assert Counter(targets.values()) == {"entailment": 8, "neutral": 8, "contradiction": 8}
    gold = {context.id: {work.hypothesis for work in WRITING.gold(context)} for context in PREMISES}
    assert all(map(len, gold.values()))
    assert [each for each in attempts if each["work"]["hypothesis"] in gold[each["context_id"]]] == []
    won = [attempt for attempt in attempts if attempt["fooled"] and not attempt["retracted"]]
    assert won
    assert all(attempt["explanation"]["label_reason"] for attempt in won)
    assert {attempt["explanation"] for attempt in attempts if not attempt["fooled"]} <= {None}

    [seed] = re.findall(r"^- seed: (\d+)$", (out / "README.md").read_text("utf-8"), re.MULTILINE)
    script = [sys.executable, str(HERE / "recompute.py"), str(out / "attempts.jsonl"), seed]
    recomputed = json.loads(subprocess.run(script, capture_output=True, text=True, check=True, timeout=60).stdout)
    assert recomputed["verdicts"] == {attempt["attempt_id"]: attempt["fooled"] for attempt in attempts}
    exported = {name: rows(out / "jsonl" / f"{name}.jsonl") for name in ("train", "dev", "test")}
    letters = {name: {row["uid"]: row["label"] for row in part} for name, part in exported.items()}
    assert letters == {
        name: {uid: label[0] for uid, label in part.items()} for name, part in recomputed["parts"].items()
    }
    assert all(letters.values())
    contexts = {name: {row["context"] for row in part} for name, part in exported.items()}
    assert not contexts["train"] & (contexts["dev"] | contexts["test"])
    assert any(row["model_label"] == row["label"] for row in exported["train"])
    assert all(row["model_label"] != row["label"] for name in ("dev", "test") for row in exported[name])
    for name in ("anli/R1/train.jsonl", "anli/R1/hf/dataset_dict.json", "hf/README.md", "README.md"):
        assert (out / name).is_file(), name
    assert "Tries and time for a verified model error" in (out / "report.html").read_text("utf-8")

    assert unexplained(out) == []
    with campaign_store(str(out)) as store:
        payments = Ledger(store.database, REHEARSAL).payments()
        screenings = store.screenings.of_campaign(REHEARSAL)
    assert Counter(screening.outcome for screening in screenings) >= Counter(passed=5, failed=1)
    assert {payment.state for payment in payments} == {State.CONFIRMED}
    paid = Counter(payment.cents for payment in payments)
    verified = [attempt for attempt in attempts if attempt["validation"] == "valid"]
    assert paid[60] == 24
    assert paid[50] >= len(verified) > 0


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("adversary.members=['onnx:bidaf-small']", "answers for reading_comprehension, and the task is nli"),
        ("task.options.max_premise_chars=100", "min_premise_chars=250 and max_premise_chars=100"),
        ("+validation.rules.votes_wanted=3", r"validation\.rules\.votes_wanted is no option"),
    ],
)
def test_what_does_not_fit_it_is_an_error_before_anything_starts(tmp_path: Path, override: str, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        read_settings(TASK, [*OPTIONS[:2], override], out=tmp_path)


def test_the_first_round_has_five_tries_and_later_ones_ten_and_more_pay(tmp_path: Path) -> None:
    first = read_settings(TASK, OPTIONS, out=tmp_path)
    later = read_settings(TASK, [*OPTIONS, "round=nli_later", "pay=nli_later"], out=tmp_path)
    assert [settings.round.max_tries for settings in (first, later)] == [5, 10]
    assert [settings.round.number for settings in (first, later)] == [1, 2]
    assert [settings.round.max_wins for settings in (first, later)] == [1, 1]
    assert first.pay.reward_cents < later.pay.reward_cents
    assert 0 < first.pay.bonus_cents_per_verified_win < later.pay.bonus_cents_per_verified_win
    assert first.validation.parts == ("train", "dev", "test")
    assert first.terms.writing(first.kind).explains_wins
    sample = first.qualification.sample_terms(first.terms, Terms(1, 1, 1, min_tries=0))
    assert not sample.writing(first.kind).explains_wins
    quiz = read_settings(TASK, [*OPTIONS[:1], "qualification=paper"], out=tmp_path).qualification.quiz
    assert quiz == "nli"
