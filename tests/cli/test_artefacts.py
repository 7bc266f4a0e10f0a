"""`artefacts`: of files of each kind of task, and of a campaign, whose report and card read what is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.campaign.results.artefacts import KEPT, artefacts_of
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.registry import bind
from beat_the_ai.store import Campaign, Store, now
from tests.cli.test_report import SECTIONS
from tests.cli.voted import figures as figures_of
from tests.cli.voted import run
from tests.recompute import artefacts, reading_comprehension
from tests.recompute.files import Export
from tests.validation.written import TEXT, span, write

CONTEXTS = 30


findings = partial(figures_of, "artefacts")


def question(name: str, answer: str) -> dict[str, Any]:
    """Return a question by whose first word its answer is known."""
    first = {"1807": "When", "Oxbow": "Where"}[answer]
    return {"question": f"{first} was question {name}?", "answer": span(answer)}


@pytest.fixture
def campaign(store: Store, tmp_path: Path) -> Path:
    """A writer's questions on many passages; each is one of two, with one of two answers."""
    store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 32, {}, now()), SECTIONS)
    contexts = [Context(f"mill/{n}", f"{TEXT} It stands {n} miles from the sea.", "The mill") for n in range(CONTEXTS)]
    store.campaigns.offer("pilot", contexts, round_number=1, slots=1)
    for number in range(CONTEXTS):
        write(store, f"mill/{number}", "W1RAW", ("1807", "Oxbow"), work=question)
    return tmp_path


def test_a_campaign_keeps_figures_for_its_report_and_its_card(campaign: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run("export", campaign, "--out", tmp_path / "before").exit_code == 0
    found = findings(campaign, "--out", page)
    baselines = {each["baseline"]: each for each in found["dataset"]["baselines"]}
    assert found["dataset"]["examples"] == 2 * CONTEXTS
    assert baselines["question only"]["accuracy"]["value"] == 1
    assert baselines["type of answer by the question"]["expected"]
    assert "Warning: A baseline that sees a part of the input (question only) is right on 100.0%" in page.read_text()
    kept = (campaign / KEPT.name).read_text()
    assert "RAW" not in kept
    assert "mill" not in kept
    report = tmp_path / "report.html"
    assert run("report", campaign, "--out", report).exit_code == 0
    assert "What a part of the input gives away" in report.read_text()
    assert run("export", campaign, "--out", tmp_path / "after").exit_code == 0
    before, after = ((tmp_path / each / "README.md").read_text() for each in ("before", "after"))
    [warning] = set(after.splitlines()) - set(before.splitlines())
    assert warning.startswith("**Warning: A baseline that sees a part of the input (question only) is right on 100.0%")


def test_figures_of_another_campaign_or_version_are_not_taken_for_those_of_this_one(campaign: Path) -> None:
    findings(campaign)
    kept = campaign / KEPT.name
    kept.write_text(kept.read_text().replace('"pilot"', '"other"'))
    assert "gives away" not in run("report", campaign, "--json").stdout
    kept.write_text("{}")
    result = run("report", campaign, "--json")
    assert result.exit_code == 2
    assert "no findings of this version" in result.output


def test_a_campaign_and_its_export_have_the_same_findings(campaign: Path, tmp_path: Path) -> None:
    found = findings(campaign)
    exported = tmp_path / "export"
    assert run("export", campaign, "--format", "jsonl", "--out", exported).exit_code == 0
    export = Export.read(exported)
    assert list(artefacts.differences(export, reading_comprehension.KIND, found)) == []
    assert found["words"]
    of_files = findings(exported)
    for each in (found, of_files):
        for figure in each["dataset"]["baselines"]:
            figure["tested"] = None
    assert of_files["dataset"]["baselines"] == found["dataset"]["baselines"]
    assert of_files["repeats"]["examples"] == 2 * CONTEXTS


def pairs(number: int) -> str:
    rows = []
    for each in range(number):
        label = ("entailment", "neutral", "contradiction")[each % 3]
        text = f"{'nobody' if label == 'contradiction' else 'somebody'} walks [red]{each}"
        rows.append({"premise": f"Somebody walks {each // 3}.", "hypothesis": text, "label": label, "id": f"p{each}"})
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def test_pairs_beside_others_of_twice_the_size(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text(pairs(150))
    (tmp_path / "two.jsonl").write_text(pairs(300))
    result = run("artefacts", tmp_path / "one.jsonl", "--beside", tmp_path / "two.jsonl", "--task", "nli")
    assert result.exit_code == 0, result.output
    assert "[red]" in result.output
    found = findings(tmp_path / "one.jsonl", "--beside", tmp_path / "two.jsonl", "--task", "nli")
    one, two = found["dataset"], found["beside"][0]
    assert (one["examples"], two["examples"]) == (150, 150)
    assert [each["baseline"] for each in one["baselines"]] == ["hypothesis only", "premise only", "overlap only"]
    assert [each["accuracy"]["value"] > 0.6 for each in one["baselines"]] == [True, False, True]
    assert {(word["word"], word["label"]) for word in found["words"]} >= {("nobody", "contradiction")}


def test_quizbowl_questions_in_parts(tmp_path: Path) -> None:
    for part, number in (("train", 60), ("dev", 60)):
        rows = [
            {
                "qanta_id": f"{part}{each}",
                "text": f"This {('river', 'war')[each % 2]} is {each}. For 10 points, name it.",
                "page": ("Nile", "Boer_War")[each % 2],
                "category": "any",
            }
            for each in range(number)
        ]
        (tmp_path / f"{part}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    found = findings(tmp_path, "--task", "quizbowl")
    baselines = {each["baseline"]: each for each in found["dataset"]["baselines"]}
    assert baselines["first sentence only"]["accuracy"]["value"] == 1
    assert baselines["category only"]["accuracy"]["value"] == 0.5
    assert (baselines["category only"]["trained"], baselines["category only"]["tested"]) == (60, 60)
    assert found["repeats"]["same_text_across"] == 60


def test_a_kind_that_says_nothing_of_artefacts_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="nli does not say what could give its answers away"):
        artefacts_of(replace(bind("nli"), artefacts=None))
