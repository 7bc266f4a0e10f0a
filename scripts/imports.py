"""The imports between the packages of the engine, read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
ENGINE = SOURCE / "beat_the_ai"
MODULES = sorted(ENGINE.rglob("*.py"))
ROOMS = {path.name for path in (ENGINE / "campaign").iterdir() if path.is_dir()}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def engine_path(path: Path) -> str:
    return path.relative_to(ENGINE).as_posix()


def package_of(path: Path) -> str:
    """Return the engine's part that a file belongs to: `store`, `errors` … or a room of `campaign`."""
    return part_of(*path.relative_to(ENGINE).with_suffix("").parts)


def part_of(first: str, *others: str) -> str:
    return f"{first}/{others[0]}" if first == "campaign" and others and others[0] in ROOMS else first


def imported(path: Path, source: Path = SOURCE, *, on_load_only: bool = False) -> Iterator[str]:
    """Yield the full names that a file imports; with `on_load_only` those that are imported when it is loaded."""
    package = path.relative_to(source).parent.parts
    nodes: list[ast.AST] = [parsed(path)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif on_load_only and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        elif on_load_only and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            nodes.extend(node.orelse)
        else:
            nodes.extend(ast.iter_child_nodes(node))


@cache
def parts_imported(path: Path) -> frozenset[str]:
    """Return the engine's parts that a file imports, at any place in it."""
    names = [name.split(".") for name in imported(path)]
    return frozenset(part_of(*name[1:]) for name in names if name[0] == "beat_the_ai" and len(name) > 1)


def arrows() -> dict[str, set[str]]:
    """Return each package that imports others, with those."""
    imports: dict[str, set[str]] = {}
    for path in MODULES:
        package = package_of(path)
        imports.setdefault(package, set()).update(parts_imported(path) - {package})
    return {package: others for package, others in imports.items() if others}
