"""`votes`: of a campaign and of its export."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from beat_the_ai.analysis.votes.models import MODELS
from beat_the_ai.campaign.results.vote_labels import KEPT
from beat_the_ai.store import Campaign, Store, now
from tests.cli.test_report import SECTIONS
from tests.cli.voted import figures as figures_of
from tests.cli.voted import run, written
from tests.validation.written import answer_all

figures = partial(figures_of, "votes")


@pytest.fixture
def campaign(store: Store, tmp_path: Path) -> Path:
    """Two writers with three questions each. Of three validators one is wrong about everything."""
    questions, desk = written(store)
    last = list(questions)[-1]
    for worker in ("V1RAW", "V2RAW", "V3RAW"):
        known = dict.fromkeys(questions) if worker == "V3RAW" else {**questions, last: None}
        answer_all(desk, worker, {**known, last: questions[last]} if worker == "V3RAW" else known)
    return tmp_path


def test_a_campaign_and_its_export_have_the_same_labels(campaign: Path, tmp_path: Path) -> None:
    found = figures(campaign)
    for form in ("jsonl", "parquet"):
        out = tmp_path / form
        assert run("export", campaign, "--format", form, "--out", out).exit_code == 0
        assert figures(out, "--task", "reading_comprehension") == found
    table = tmp_path / "jsonl" / "attempts.jsonl"
    table.write_text(table.read_text() + table.read_text().splitlines()[0] + "\n")
    for command in ("votes", "advscore"):
        twice = run(command, tmp_path / "jsonl", "--task", "reading_comprehension")
        assert twice.exit_code == 2
        assert "is there a second time" in twice.output
    wrong = run("votes", tmp_path / "jsonl", "--task", "nli")
    assert wrong.exit_code == 2
    assert "Choose the kind with --task" in wrong.output
    assert "RAW" not in json.dumps(found)


def test_where_models_differ_from_the_rule_is_told_with_the_votes(campaign: Path) -> None:
    """One validator alone is enough for the rule; models do not trust the one who is always apart."""
    found = figures(campaign)
    assert len(found["works"]) == 6
    [differs] = [work for work in found["works"] if any(work[name]["label"] != work["rule"] for name in MODELS)]
    assert (differs["rule"], sorted(label for _, label in differs["votes"])) == (
        "the writer's",
        ["another", "another", "the writer's"],
    )
    [least] = [one for one in found["validators"] if one["with_the_rule"] == 1]
    for name in MODELS:
        assert differs[name]["label"] == "another"
        assert differs[name]["probability"] > 0.8
        assert all(least[name] < one[name] for one in found["validators"] if one is not least)
    told = run("votes", campaign).output
    assert "the writer's, another, another" in told or "another, another, the writer's" in told


def test_the_page_opens_offline_and_says_so_of_nobody(campaign: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    assert run("votes", campaign, "--out", out).exit_code == 0
    page = out.read_text(encoding="utf-8")
    assert "Would other annotators have agreed?" in page
    assert "http" not in page.partition("<body>")[2]


def test_a_campaign_without_votes_and_a_folder_that_is_no_export_are_told_from_each_other(
    store: Store, tmp_path: Path
) -> None:
    store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 32, {}, now()), SECTIONS)
    assert "There are no votes that count" in run("votes", tmp_path).output
    (tmp_path / "other").mkdir()
    assert "has no table of attempts, such as attempts.jsonl" in run("votes", tmp_path / "other").output
    assert "is no folder" in run("votes", tmp_path / "nothing").output


def test_a_campaign_keeps_figures_that_name_nobody_for_its_report_and_its_card(campaign: Path, tmp_path: Path) -> None:
    assert run("export", campaign, "--out", tmp_path / "before").exit_code == 0
    found = figures(campaign)
    text = (campaign / KEPT.name).read_text()
    named = {*(each["id"] for each in found["works"]), *(each["validator"] for each in found["validators"])}
    assert not any(name in text for name in named | {each["writer"] for each in found["works"]})
    sections = {each["title"]: each for each in json.loads(run("report", campaign, "--json").stdout)["sections"]}
    labels, trust = sections["Labels by models of the votes"], sections["How far the models trust validators"]
    assert labels["rows"][0][-2:] == ["1", "1"]
    assert [row[0] for row in trust["rows"]] == list(MODELS)
    assert "The models, MACE above all, are unstable here: half of the works have at most 3 votes" in labels["text"]
    assert run("export", campaign, "--out", tmp_path / "after").exit_code == 0
    before, after = ((tmp_path / each / "README.md").read_text() for each in ("before", "after"))
    [changed] = set(after.splitlines()) - set(before.splitlines())
    assert "give another label than the rule to 1 (Dawid-Skene) and 1 (MACE) of the 6 works" in changed
    kept = campaign / KEPT.name
    kept.write_text(kept.read_text().replace('"pilot"', '"other"'))
    assert "Labels by models" not in run("report", campaign, "--json").stdout
    kept.write_text("{}")
    result = run("report", campaign, "--json")
    assert (result.exit_code, "no findings of this version" in result.output) == (2, True)
