"""How docstrings open: functions with an imperative, classes with a noun phrase, never with a question word."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "blueprints", "tasks", "scripts", "benchmarks")
RIDDLES = {"By", "How", "Of", "That", "Those", "What", "When", "Where", "Whether", "Which", "Who", "Whoever", "Whose"}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_docstring_opens_with_a_riddle(folder: str) -> None:
    riddles = [
        f"{path.relative_to(ROOT)}: {said}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, DOCUMENTED) and (said := ast.get_docstring(node))
        if said.split()[0].rstrip(",:") in RIDDLES
    ]
    assert riddles == []
