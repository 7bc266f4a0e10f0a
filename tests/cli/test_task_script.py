"""A task's `run.py` as a program: the same as `beat-the-ai serve` and `launch`, with Hydra's ways to look."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import yaml

from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.store import open_store
from tests.cli.launching import ROOT, TASK, call

SCRIPT = TASK / "run.py"
COMMAND = [sys.executable, str(SCRIPT)]


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], cwd=cwd, capture_output=True, text=True, timeout=60)


def test_it_serves_the_task_to_people(tmp_path: Path) -> None:
    arguments = ["round.max_hits=1", "round.wins_wanted=2", "--out", "campaign"]
    with subprocess.Popen([*COMMAND, *arguments], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout is not None, "it is a pipe"
        try:
            address = next(found[0] for line in served.stdout if (found := re.search(r"http://[\w.:]+", line)))
            assert httpx.get(f"{address}/task_config.json").json()["wins_wanted"] == 2
        finally:
            served.send_signal(signal.SIGINT)
            served.stdout.read()
    assert served.returncode == 0
    store = open_store(str(tmp_path / "campaign" / "private" / "campaign.db"))
    assert store.campaigns.ids() == ["reading-comprehension"]
    store.close()


@pytest.mark.parametrize(
    "arguments",
    [
        ["crowd=mturk", "pay.cap_cents=1", "--out", "campaign", "--stage", "writing"],
        ["crowd=mturk", "--resume", "--stop"],
        ["crowd=mturk", "pay.reward_cent=1"],
    ],
)
def test_with_a_crowd_that_is_paid_it_is_launch(tmp_path: Path, arguments: list[str]) -> None:
    script, launched = run(*arguments, cwd=tmp_path), call("launch", str(TASK), *arguments, cwd=tmp_path)
    assert script.returncode == launched.returncode > 0
    assert script.stderr.splitlines()[-1] == launched.stderr.splitlines()[-1]


def test_cfg_job_shows_what_would_be_run_and_runs_nothing(tmp_path: Path) -> None:
    shown = run("round.max_wins=4", "--cfg", "job", "crowd=mturk", "--resolve", "--out", "here", cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (0, "")
    settings = read_settings(TASK, ["round.max_wins=4", "crowd=mturk"], out=tmp_path / "here")
    assert type(settings).model_validate(yaml.safe_load(shown.stdout)) == settings
    assert list(tmp_path.iterdir()) == []


def test_help_lists_every_group_with_its_choices_and_the_values(tmp_path: Path) -> None:
    shown = run("--help", cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (0, "")
    for folder in (ROOT / "hydra_configs").glob("*/"):
        assert f"{folder.name}: {', '.join(sorted(path.stem for path in folder.glob('*.yaml')))}\n" in shown.stdout
    assert "reward_cents: 200" in shown.stdout
    assert list(tmp_path.iterdir()) == []


def test_an_option_that_it_does_not_have_is_refused(tmp_path: Path) -> None:
    refused = run("--multirun", "seed=1,2", cwd=tmp_path)
    assert refused.returncode == 2
    assert "seed" in refused.stderr
