"""Print how large and how tangled the code is, and how long the documentation.

    python scripts/measure.py

Nothing but Python is needed: the source is read, not imported.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts.imports import ENGINE, MODULES, arrows, engine_path, package_of, parsed, parts_imported  # noqa: E402

Function = ast.FunctionDef | ast.AsyncFunctionDef
LONG_FUNCTION = 40
GENERATED = "<!-- Written by "  # how a page begins that a script writes
CONFIGURATION = ("store", "terms", "campaign/settings")  # may read the record of a campaign or round raw
BINDING = {"store", "terms"}  # may take a store with a campaign or settings
# What a vote passes through until it is in a row of the dataset.
BETWEEN_VOTE_AND_ROW = ("rules", "store", "validation", "dataset", "analysis", "campaign/results")
RECORD = re.compile(
    "Adjudicated|Adjudication|Ballot|Candidate|Case|Checked|Finding|Judged|Need|OpenWork|Outcome|PlacedItem|Snapshot|"
    "Summary|Totals|Validation|Validity|Vote|VotedWork|VoteFigures"
)
NOT_PROSE = re.compile(r"^```(?:.|\n)*?^```$|^\|.*$|^!\[.*$", re.MULTILINE)
TABLE_ROW = re.compile(r"^\| (.*) \|$", re.MULTILINE)


def spread(sizes: Sequence[int]) -> str:
    """Return the median, the 90th percentile and the maximum."""
    ordered = sorted(sizes)
    return " / ".join(str(ordered[min(int(len(ordered) * share), len(ordered) - 1)]) for share in (0.5, 0.9, 1))


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def functions(tree: ast.Module) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def size(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def takes_store_and_campaign(function: Function) -> bool:
    arguments = function.args
    names = {argument.arg for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]}
    return "store" in names and any(name == "settings" or name.startswith("campaign") for name in names)


def unbound_signatures() -> list[str]:
    """Return the functions that take a store with a campaign or settings, where a bound campaign would do."""
    return [
        f"{engine_path(path)}:{function.name}"
        for path in MODULES
        if package_of(path) not in BINDING
        for function in functions(parsed(path))
        if takes_store_and_campaign(function)
    ]


def raw_configuration_reads() -> list[str]:
    """Return where the record of a campaign or round is read raw, outside of where it becomes terms or settings."""
    return [
        f"{engine_path(path)}:{node.lineno}"
        for path in MODULES
        if {"store", "terms"} & parts_imported(path) and not engine_path(path).startswith(CONFIGURATION)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and node.attr == "config"
    ]


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """Return a circle in the graph; nothing where it has none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def records_between_vote_and_row() -> list[str]:
    return sorted(
        f"{engine_path(path)}:{node.lineno} {node.name}"
        for path in MODULES
        if package_of(path) in BETWEEN_VOTE_AND_ROW
        for node in parsed(path).body
        if isinstance(node, ast.ClassDef) and RECORD.fullmatch(node.name)
    )


def written_pages() -> list[Path]:
    """Return the pages that people write."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    return sorted(page for page in pages if not page.read_text(encoding="utf-8").startswith(GENERATED))


def prose(path: Path) -> str:
    """Return a page without blocks of code, tables and pictures."""
    return NOT_PROSE.sub("\n", path.read_text(encoding="utf-8"))


def sentences(path: Path) -> Iterator[str]:
    """Yield each sentence, in tables too."""
    cells = [cell for row in TABLE_ROW.findall(path.read_text(encoding="utf-8")) for cell in row.split(" | ")]
    for paragraph in [*re.split(r"\n\s*\n|\n(?=\s*(?:- |\d+\. |#))", prose(path)), *cells]:
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", paragraph).lstrip("#-0123456789. ")
        yield from re.split(r"(?<=[.?!])\s+(?=[A-Z`*\"])", " ".join(plain.split()))


def main() -> None:
    modules = [lines_of(path) for path in MODULES]
    sizes = [size(function) for path in MODULES for function in functions(parsed(path))]
    long = sum(lines > LONG_FUNCTION for lines in sizes)
    words = [len(prose(path).split()) for path in written_pages()]
    longest = max(len(sentence.split()) for sentence in chain.from_iterable(map(sentences, written_pages())))
    for figure, value in {
        f"lines of {ENGINE.relative_to(ROOT)}": f"{sum(modules):,} in {len(modules)} modules",
        "lines of a module, p50 / p90 / max": spread(modules),
        "lines of a function, p50 / p90 / max": spread(sizes),
        f"functions of more than {LONG_FUNCTION} lines": f"{long} of {len(sizes):,}",
        "circle between packages": " -> ".join(circle(arrows())) or "none",
        "words of documentation": f"{sum(words):,} on {len(words)} pages",
        "words of the longest sentence": str(longest),
    }.items():
        print(f"{figure:<40} {value}")
    for heading, places in {
        "functions of (store, campaign)": unbound_signatures(),
        "raw reads of configuration": raw_configuration_reads(),
        "records between vote and row": records_between_vote_and_row(),
    }.items():
        print(f"{heading:<40} {len(places)}", *places, sep="\n    ")


if __name__ == "__main__":
    main()
