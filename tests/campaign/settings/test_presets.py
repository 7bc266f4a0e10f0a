"""Presets of the papers: what they set, what stands above them, and what a campaign tells of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from beat_the_ai.campaign.acts.act import Actor, Place
from beat_the_ai.campaign.acts.terms import present
from beat_the_ai.campaign.money.cost import worst_of_all_stages
from beat_the_ai.campaign.results.report import preset_sections
from beat_the_ai.campaign.rounds.opening import next_settings, open_round
from beat_the_ai.campaign.settings.configuration import amended, configs_of, read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.presets import preset_names, read_preset
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.cli import main
from beat_the_ai.dataset.card import card
from beat_the_ai.dataset.tally import Tally
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store, now
from beat_the_ai.terms.preset import CHOSEN, departures, differences
from tests.cli.launching import ROOT

CONFIGS = configs_of(ROOT)
NAMES = preset_names(CONFIGS)
TASKS = ROOT / "tasks"
READING = TASKS / "reading_comprehension"
SHIPPED = {"reading_comprehension": "bidaf_small", "nli": "cross_encoder_small", "quizbowl": "gru_small"}


@pytest.mark.parametrize("name", NAMES)
def test_every_preset_comes_to_an_estimate_with_a_shipped_model(store: Store, tmp_path: Path, name: str) -> None:
    preset = read_preset(CONFIGS, name)
    given = [f"preset={name}", f"adversary={SHIPPED[preset.task]}"]
    settings = read_settings(TASKS / preset.task, given, out=tmp_path)
    assert settings.preset == preset
    assert {one.key for one in departures(preset, settings.model_dump(mode="json"))} <= {"adversary.members"}
    worst = worst_of_all_stages(PlannedRound(store, settings))
    assert 0 < worst.worst_cents <= settings.pay.cap_cents


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_named_by_its_file_and_differs_in_settings_that_there_are(tmp_path: Path, name: str) -> None:
    preset = read_preset(CONFIGS, name)
    settings = read_settings(TASKS / preset.task, [f"preset={name}"], out=tmp_path).model_dump(mode="json")
    assert preset.name == name
    assert "adversary.members" in preset.differences  # no model of a paper was published
    for key in (*preset.differences, *preset.settings):
        section = settings
        for part in key.split("."):
            section = section[part]


def test_what_is_given_stands_above_the_preset_wherever_it_stands(tmp_path: Path) -> None:
    for given in (["preset=bartolo-2020-bidaf", "round.max_wins=4"], ["round.max_wins=4", "preset=bartolo-2020-bidaf"]):
        settings = read_settings(READING, given, out=tmp_path)
        assert settings.preset is not None
        assert (settings.round.max_wins, settings.qualification.judged_by) == (4, "people")
        [chosen] = departures(settings.preset, settings.model_dump(mode="json"))
        assert (chosen.key, chosen.preset, chosen.chosen) == ("round.max_wins", 5, 4)
        assert ("round.max_wins", "5", "4", CHOSEN) in differences(settings.preset, [chosen])


def test_a_choice_replaces_what_the_preset_has_here(tmp_path: Path) -> None:
    settings = read_settings(READING, ["preset=bartolo-2020-roberta", "adversary=bidaf_small"], out=tmp_path)
    assert settings.preset is not None
    rows = differences(settings.preset, departures(settings.preset, settings.model_dump(mode="json")))
    [row] = [row for row in rows if row[0] == "adversary.members"]
    assert row[1:] == (settings.preset.differences["adversary.members"].paper, '["onnx:bidaf-small"]', CHOSEN)


@pytest.mark.parametrize(
    ("given", "error", "told"),
    [
        ("preset=nie-2019-round-1", InvalidInput, "is for nli, and this task is reading_comprehension"),
        ("preset=bartolo", UnknownName, "bartolo-2020-bidaf"),
        ("preset.differences={}", InvalidInput, "a preset stays as it is"),
        ("++preset.name=mine", InvalidInput, "a preset stays as it is"),
    ],
)
def test_what_is_no_preset_of_the_task_is_refused(
    tmp_path: Path, given: str, error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told.replace("{", r"\{")):
        read_settings(READING, [given], out=tmp_path)


def test_a_campaign_that_runs_takes_no_preset(tmp_path: Path) -> None:
    settings = read_settings(READING, [], out=tmp_path)
    assert settings.preset is None
    with pytest.raises(InvalidInput, match="when a campaign begins, or for a new round"):
        amended(settings, ["preset=bartolo-2020-bidaf"])


def test_card_and_report_tell_what_is_not_as_in_the_paper(store: Store, tmp_path: Path) -> None:
    given = ["preset=bartolo-2020-bidaf", "pay.reward_cents=150", "task.title=<b>|Mine", "qualification.places=7"]
    campaign = begin_or_resume(PlannedRound(store, read_settings(READING, given, out=tmp_path)))
    [section] = preset_sections(campaign)
    for row in (("pay.reward_cents", "200", "150", CHOSEN),):
        assert row in section.table.rows
    [places] = [row for row in section.table.rows if row[0] == "qualification.places"]
    assert places[1:] == ("1,386 workers for all three models together (appendix B)", "7", CHOSEN)
    text = card(campaign, Tally(), {}, [])
    assert r"| pay.reward\_cents | 200 | 150 | chosen by the requester |" in text
    assert "Preset `bartolo-2020-bidaf`, after Bartolo et al. 2020" in text
    plain = begin_or_resume(PlannedRound(store, read_settings(READING, ["name=plain"], out=tmp_path)))
    assert preset_sections(plain) == []
    assert "Not as in the paper" not in card(plain, Tally(), {}, [])


def test_a_cell_of_the_card_is_no_markdown_and_no_html(store: Store, tmp_path: Path) -> None:
    given = ["preset=bartolo-2020-bidaf", "validation.task_title='<b>|x\n![y](z)'"]
    campaign = begin_or_resume(PlannedRound(store, read_settings(READING, given, out=tmp_path)))
    text = card(campaign, Tally(), {}, [])
    assert r"&lt;b&gt;\|x \!\[y\](z) | chosen by the requester |" in text


def test_a_round_is_opened_with_the_preset_of_the_next_one(store: Store, tmp_path: Path) -> None:
    model = "adversary=cross_encoder_small"
    first = read_settings(
        TASKS / "nli", ["preset=nie-2019-round-1", model, "round.max_hits=3", "pay.fees=false"], out=tmp_path
    )
    begin_or_resume(PlannedRound(store, first), stage=Stage.WRITING)
    store.rounds.close(first.name, now())
    second = next_settings(first, ["preset=nie-2019-round-2", "adversary.members=[onnx:cross-encoder-small]"])
    assert second.preset is not None
    assert second.preset.name == "nie-2019-round-2"
    assert (second.round.number, second.round.max_tries, second.pay.reward_cents) == (2, 10, 90)
    assert (second.pay.fees, second.dataset.train, second.name) == (False, 45, first.name)
    mark, _ = present(Place(store, first.name, tmp_path))
    assert (
        open_round(PlannedRound(store, second), mark, Actor("me", "me").deed("open_round", first.name, "")) is not None
    )
    campaign = begin_or_resume(PlannedRound(store, second))
    assert [section.title[-1] for section in preset_sections(campaign)] == ["1", "2"]


def test_presets_are_listed_and_shown() -> None:
    listed = CliRunner().invoke(main, ["presets"])
    assert [line.split()[0] for line in listed.stdout.splitlines()] == NAMES
    shown = CliRunner().invoke(main, ["presets", "wallace-2019-ir"], terminal_width=200).stdout
    for told in ("As in the paper", "Not as in the paper", "It needs", "round.max_wins", "preset=wallace-2019-ir"):
        assert told in shown
    [told] = json.loads(CliRunner().invoke(main, ["presets", "nie-2019-round-3", "--json"]).stdout)
    assert told["settings"]["round.max_tries"] == {"value": 10, "section": "Annotation details"}
    assert told["settings"]["task.options.max_premise_chars"]["value"] == 2000  # RTE's are longer than 600
    unknown = CliRunner().invoke(main, ["presets", "none"])
    assert (unknown.exit_code, NAMES[0] in unknown.stderr) == (2, True)
