"""Check that the recomputation imports nothing of the project; rehearsals' tests call `tests.reports.unexplained`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("path", sorted(HERE.glob("*.py")), ids=lambda path: path.name)
def test_it_is_independent_of_the_project(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    names = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    assert not [name for name in names if name.partition(".")[0] == "beat_the_ai"]
    assert not [name for name in names if name.startswith("tests.") and not name.startswith("tests.recompute")]
