"""What pages are told of a task's options: nothing of this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from beat_the_ai.campaign.service.stages.preparation import page_options
from beat_the_ai.campaign.settings.configuration import read_settings

TASKS = Path(__file__).parents[3] / "tasks"


@pytest.mark.parametrize("task", ["reading_comprehension", "nli", "quizbowl"])
def test_no_page_is_told_a_path(task: str, tmp_path: Path) -> None:
    settings = read_settings(TASKS / task, [], out=tmp_path)
    told = page_options(settings)
    assert told
    assert told.items() <= settings.task.options.items()
    assert "/" not in json.dumps(told)
