"""Each section of a campaign's report, table of its card, and the like is computed again, or left out with a reason.

Rehearsals show sections that nobody has computed again. This finds, in the source, those that no rehearsal has.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recompute import left_out
from tests.recompute.left_out import SECTIONS, unexplained_numbers

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src" / "beat_the_ai"
NOT_OF_A_CAMPAIGN = {
    "analysis/artefacts/sections.py": "All but two are on the page of `artefacts` alone: its folder keeps no words.",
    "analysis/breakdown.py": "Of `score`, `evaluate` and `stats`.",
    "analysis/votes/labels.py": "Of `votes`.",
    "campaign/results/compared.py": "Of several datasets side by side.",
    "experiments/cost.py": "Of `matrix`.",
    "kinds/quizbowl/tournament/report.py": "Of an event.",
    "kinds/reading_comprehension/report/corpora.py": "Of `stats`.",
    "replication/compare.py": "Of `replicate`.",
}
"""Modules whose sections are on other pages, each with the page."""


def titles(path: Path) -> Iterator[str]:
    """Yield what the titles of a module's sections begin with; nothing of those that a caller names."""
    tree = ast.parse(path.read_text("utf-8"))
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Section" and node.args:
            title = node.args[0]
            first = title.values[0] if isinstance(title, ast.JoinedStr) else title
            if isinstance(first, ast.FormattedValue):
                first = first.value
            value = constants.get(first.id) if isinstance(first, ast.Name) else getattr(first, "value", None)
            if isinstance(value, str):
                yield value


def sections() -> list[tuple[str, str]]:
    return [
        (path.relative_to(SOURCE).as_posix(), title)
        for path in sorted(SOURCE.rglob("*.py"))
        if path.relative_to(SOURCE).as_posix() not in NOT_OF_A_CAMPAIGN
        for title in titles(path)
    ]


def strings() -> str:
    """Return all texts in the code that computes again."""
    return "\n".join(
        node.value
        for path in HERE.glob("*.py")
        if not path.name.startswith("test_")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def test_every_section_that_a_campaigns_report_may_have_is_computed_again_or_left_out() -> None:
    found, known = sections(), strings()
    assert len(found) > 30
    assert [each for each in found if each[1] not in known] == []


def test_modules_that_are_said_to_be_of_other_pages_have_sections() -> None:
    assert [name for name in NOT_OF_A_CAMPAIGN if not list(titles(SOURCE / name))] == []


@pytest.mark.parametrize("name", ["SECTIONS", "TABLES", "FACTS", "ROWS", "STATUS"])
def test_whatever_is_left_out_has_a_reason(name: str) -> None:
    reasons = getattr(left_out, name)
    assert reasons
    assert [what for what, why in reasons.items() if not why.endswith(".")] == []
    assert [what for what in reasons if not re.compile(what)] == []


def test_a_number_that_no_sentence_explains_is_found() -> None:
    text = "95% intervals by a bootstrap of the 7 writers. They took 12.5 seconds. The paper's took 500."
    assert list(unexplained_numbers("Time", text, ["a bootstrap of the 7 writers"])) == ["12.5"]
    assert list(unexplained_numbers("Time", text, ["the 7 writers", "12.5 seconds"])) == []
    assert "Time" not in SECTIONS
