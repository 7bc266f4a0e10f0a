"""What workers wrote, and the names that they chose, obey nothing on a reviewer's terminal."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from beat_the_ai.cli import main
from beat_the_ai.store import open_store
from tests.cli.test_payments import PAY, ROUND
from tests.store.builders import NEW_YEAR, attempt, campaign, context

HOSTILE = "ann\x1b[2J\x1b]0;owned\x07[red]\u202e"


@pytest.mark.parametrize("command", ["doubtful", "held"])
def test_a_table_of_the_review_holds_no_escape_sequence(tmp_path: Path, command: str) -> None:
    store = open_store(str(tmp_path / "campaign.db"))
    store.campaigns.create(campaign(config={"crowd": {"provider": "mock"}}), {"round": ROUND, "pay": PAY})
    [hit] = store.campaigns.offer("pilot", [context()], round_number=1, slots=1)
    taken = store.attempts.accept(hit, HOSTILE, f"3X-{HOSTILE}", NEW_YEAR)[0]
    work = {"question": HOSTILE, "answer": {"text": "476", "start": 13}}
    made = replace(attempt(taken.id, 1), work=work, doubts=[HOSTILE], appeal=HOSTILE)
    store.attempts.add(made)
    if command == "doubtful":
        store.assignments.submit(taken.id, None, NEW_YEAR + timedelta(minutes=1))
    store.close()
    shown = CliRunner().invoke(main, ["review", command, str(tmp_path)], env={"COLUMNS": "400"}, catch_exceptions=False)
    assert shown.exit_code == 0
    assert "ann" in shown.stdout
    assert "[red]" in shown.stdout
    assert not [char for char in shown.stdout if not char.isprintable() and char != "\n"]
