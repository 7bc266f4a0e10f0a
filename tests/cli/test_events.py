"""`event` finds the kind of task that has events."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main


def event(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["event", *arguments])


@pytest.mark.parametrize("task", [(), ("--task", "quizbowl")], ids=str)
def test_help_is_that_of_the_kind_that_has_events(task: tuple[str, ...]) -> None:
    result = event(*task, "--help")
    assert result.exit_code == 0
    for command in ("new", "serve", "rehearse", "score", "report"):
        assert f"\n  {command} " in result.stdout


@pytest.mark.parametrize(
    ("task", "reason"),
    [("nli", "nli has no events. Allowed: quizbowl."), ("chess", "Unknown task 'chess'")],
)
def test_a_kind_without_events_is_refused_with_those_that_have_some(task: str, reason: str) -> None:
    result = event("--task", task, "new")
    assert result.exit_code == 2
    assert reason in result.stderr
