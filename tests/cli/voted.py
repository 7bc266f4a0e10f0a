"""A campaign whose questions people vote on, and commands that tell figures of it."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.store import Campaign, Store, now
from beat_the_ai.validation import ValidationDesk
from tests.cli.test_report import SECTIONS
from tests.validation.written import new_desk, passages, write

ANSWERS = ("1807", "Oxbow", "Dray")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], env={"COLUMNS": "250"})


def figures(command: str, *arguments: object) -> dict[str, Any]:
    """Return what a command prints as JSON."""
    result = run(command, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.stdout))


def written(store: Store) -> tuple[dict[str, str | None], ValidationDesk]:
    """Store two writers' three questions each. Return their answers by id, and the desk that has them checked."""
    record = store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 32, {}, now()), SECTIONS)
    store.campaigns.offer("pilot", passages(2), round_number=1, slots=2)
    questions: dict[str, str | None] = {}
    for context, writer in (("mill/0", "W1RAW"), ("mill/1", "W2RAW")):
        questions.update(zip(write(store, context, writer, ANSWERS), ANSWERS, strict=True))
    return questions, new_desk(store, record, works_per_hit=6)
