"""A campaign's own YAML file is what KEY=VALUE are, with a preset too; a task folder may name one as well."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.campaign.settings.campaign_file import CampaignFile, as_yaml
from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.overrides import literal, value_of
from beat_the_ai.cli.campaign_arguments import _given
from beat_the_ai.errors import InvalidInput
from tests.cli.launching import ROOT, TASK, call

PRESET = "bartolo-2020-bidaf"
SCALARS = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9) | st.text(max_size=20)
KEYS = st.from_regex("[a-z][a-z_]{0,8}", fullmatch=True).filter(lambda key: key not in ("null", "true", "false"))
VALUES = st.recursive(
    SCALARS, lambda of: st.lists(of, max_size=3) | st.dictionaries(KEYS, of, max_size=3), max_leaves=5
)


def arguments(*values: str) -> Any:
    return _given(None, None, values)  # type: ignore[arg-type]


@given(VALUES)
def test_a_value_is_read_as_it_was_written(value: Any) -> None:
    assert value_of(f"key.part={literal(value)}") == ("key.part", value)


@given(st.dictionaries(KEYS.map("others.{}".format), VALUES, max_size=5))
def test_a_file_has_the_values_of_the_command_line(tmp_path_factory: pytest.TempPathFactory, values: Any) -> None:
    file = tmp_path_factory.getbasetemp() / "campaign.yaml"
    overrides = [f"{key}={literal(value)}" for key, value in values.items()]
    file.write_text(as_yaml(TASK, overrides), encoding="utf-8")
    read = CampaignFile.read(file, Settings)
    assert read.task_dir == TASK
    assert dict(map(value_of, read.overrides)) == values


FILE = """
task_dir: copy
preset: bartolo-2020-bidaf
crowd: own
name: "2026"
pay: {reward_cents: 150, streak_bonus_cents: {2: 25}}
round.max_tries: 7
round:
  max_hits: 9
"""


def test_a_file_names_a_preset_and_what_stands_above_it(tmp_path: Path) -> None:
    (tmp_path / "copy").symlink_to(TASK)
    (tmp_path / "mine.yaml").write_text(FILE)
    own = ("crowd=own", "name='2026'", "pay.reward_cents=150", "pay.streak_bonus_cents={2: 25}", "round.max_tries=7")
    by_command = read_settings(TASK, [f"preset={PRESET}", *own, "round.max_hits=9"], out=tmp_path)
    by_file = arguments(str(tmp_path / "mine.yaml")).settings(tmp_path)
    assert by_file == by_command
    assert (by_file.qualification.places, by_file.preset.name) == (1386, PRESET)
    amended = arguments(str(tmp_path / "mine.yaml"), "crowd=mturk", "round.max_hits=3").settings(tmp_path)
    assert (amended.crowd.provider, amended.round.max_hits, amended.pay.reward_cents) == ("mturk", 3, 150)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- a list", "Write them as KEY: VALUE"),
        ("", "Write them as KEY: VALUE"),
        ("name: [", "cannot be read"),
        ("name: pilot", "names no task folder"),
        (f"task_dir: {TASK}\npreset: none-such", "bartolo-2020-bert"),
        (f"task_dir: {TASK}\npreset: nie-2019-round-1", "is for nli"),
        (f"task_dir: {TASK}\npay: {{rewards: 3}}", "rewards"),
        (f"task_dir: {TASK}\npay: [3]", "pay"),
        ("task_dir: nowhere", "is no task folder"),
    ],
)
def test_a_file_that_is_none_of_a_campaign_is_refused_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "mine.yaml").write_text(text)
    with pytest.raises(InvalidInput) as refused:
        arguments(str(tmp_path / "mine.yaml")).settings(tmp_path)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


CONFIG = """
defaults:
  - base
  - task: reading_comprehension
  {choice}
  - override crowd: own
  - _self_
name: mine
contexts: ${{task_dir}}/contexts/sample.jsonl
pay: {{reward_cents: 7}}
{setting}
"""


@pytest.mark.parametrize("as_choice", [True, False])
def test_a_task_folder_names_a_preset_above_which_its_own_settings_stand(tmp_path: Path, as_choice: bool) -> None:
    copy = tmp_path / "tasks" / "copy"
    shutil.copytree(TASK, copy)
    shutil.copytree(ROOT / "hydra_configs", tmp_path / "hydra_configs")
    (tmp_path / "blueprints").mkdir()
    choice = f"- override preset: {PRESET}" if as_choice else "- override keeping: until_erased"
    setting = "seed: 1" if as_choice else f"preset: {PRESET}"
    (copy / "conf" / "config.yaml").write_text(CONFIG.format(choice=choice, setting=setting))
    own = {"task_dir": copy, "contexts": copy / "contexts" / "sample.jsonl"}
    given = [f"preset={PRESET}", "crowd=own", "name=mine", "pay.reward_cents=7"]
    expected = read_settings(TASK, given, out=tmp_path).model_copy(update=own)
    assert read_settings(copy, [], out=tmp_path) == expected
    assert read_settings(copy, ["pay.reward_cents=9"], out=tmp_path).pay.reward_cents == 9
    other = read_settings(copy, ["preset=bartolo-2020-bert", "adversary=bidaf_small"], out=tmp_path)
    assert other.preset is not None
    assert (other.preset.name, other.pay.reward_cents) == ("bartolo-2020-bert", 7)


def test_launch_takes_the_file(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(f"task_dir: {TASK}\nname: mine\ncrowd: mock\n")
    told = call("launch", "mine.yaml", "--out", "out", cwd=tmp_path)
    assert (told.returncode, "crowd=mock pays nobody" in told.stderr) == (2, True)
