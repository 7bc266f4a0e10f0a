"""The map of the code: each name in it exists, and its floors are those of the packages."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from scripts.imports import ENGINE, ROOMS, ROOT
from tests.arrows import ARROWS

MAP = (ROOT / "docs" / "code.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w/]+\.(?:py|ts|tsx)(?::[\w.]+)?)`", MAP)))


@cache
def floor(package: str) -> int:
    return 1 + max((floor(below) for below in ARROWS.get(package, ())), default=0)


def packages() -> set[str]:
    named = {path.stem for path in ENGINE.iterdir() if path.is_dir() or path.suffix == ".py"}
    rooms = {f"campaign/{room}" for room in ROOMS if not room.startswith("__")}
    return {name for name in named if not name.startswith("__")} - {"campaign"} | rooms


def test_the_floors_drawn_are_those_of_the_packages() -> None:
    rows = re.findall(r"^\| (\d+) \| `([\w/]+)` \|", MAP, re.MULTILINE)
    drawn = sorted((package, int(number)) for number, package in rows)
    assert drawn == sorted((package, floor(package)) for package in packages())  # each once


def test_the_map_has_names() -> None:
    assert len(NAMED) > 40


@pytest.mark.parametrize("name", NAMED)
def test_every_name_in_the_map_exists(name: str) -> None:
    place, _, symbol = name.partition(":")
    [path] = [root / place for root in (ENGINE, ROOT) if (root / place).is_file()]
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        assert not symbol or is_defined(ast.parse(text), symbol.split("."))
    else:
        assert re.search(rf"\bexport (?:default )?(?:function|class|const) {symbol}\b", text)


def is_defined(tree: ast.Module | ast.ClassDef, names: list[str]) -> bool:
    found = [
        node
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name == names[0]
    ]
    if len(names) == 1 or not found:
        return bool(found)
    return isinstance(found[0], ast.ClassDef) and is_defined(found[0], names[1:])
