"""What a worker's phone loads before it can show a HIT."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.web.preloading import preloading

MAX_GZIP_KB = 111.5
MAX_FILES = 10  # with index.html; a browser fetches six at a time
FIRST = ("index.html", "bundle.js", "style.css")
WRITING = ("reading_comprehension", "nli", "quizbowl")
SCREENING = ("qualification", "nli_qualification")
CHECKING = ("validation", "nli_validation", "quizbowl_validation")
PAGES = [f"src/pages/{page}/page.tsx" for page in WRITING + SCREENING + CHECKING]


@pytest.fixture(scope="module")
def manifest(dist: Path) -> dict[str, Any]:
    chunks = json.loads((dist / ".vite" / "manifest.json").read_text())
    assert isinstance(chunks, dict)
    return chunks


def files(manifest: dict[str, Any], chunk: str) -> set[str]:
    """Of a chunk and of all that it imports."""
    found = manifest[chunk]
    return {found["file"]}.union(*(files(manifest, other) for other in found.get("imports", [])))


def test_every_page_is_measured(manifest: dict[str, Any]) -> None:
    assert sorted(chunk for chunk in manifest if chunk.endswith("/page.tsx")) == sorted(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_small_enough_for_a_phone(dist: Path, manifest: dict[str, Any], page: str) -> None:
    loaded = files(manifest, page) | set(FIRST)
    sizes = {name: _packed_kb(dist / name) for name in loaded}
    assert sum(sizes.values()) <= MAX_GZIP_KB, sizes
    assert len(loaded) <= MAX_FILES, loaded


@pytest.mark.parametrize("page", PAGES)
def test_a_browser_is_told_at_once_of_all_that_a_page_loads(dist: Path, manifest: dict[str, Any], page: str) -> None:
    index = preloading(dist, Path(page).parent.name)
    named = re.findall(r'(?:href|src)="\./([^"]+)"', index)
    assert len(set(named)) == len(named)
    assert set(named) == files(manifest, page) | {"icon.svg", "style.css", "wrap_crowd_source.js", "task_config.json"}
    assert index.index("bundle.js") < index.index("modulepreload") < index.index("</head>")


def test_a_page_that_was_not_built_has_its_configuration_told_and_nothing_else(dist: Path) -> None:
    was, now = (dist / "index.html").read_text(), preloading(dist, "../nothing")
    [link] = set(re.findall(r"<link[^>]*>", now)) - set(re.findall(r"<link[^>]*>", was))
    assert link == '<link rel="preload" href="./task_config.json" as="fetch" crossorigin />'


def _packed_kb(path: Path) -> float:
    packed = path.with_name(f"{path.name}.gz")
    if not packed.is_file():
        return path.stat().st_size / 1000
    assert packed.stat().st_mtime >= path.stat().st_mtime, f"{packed} is older than what it holds, and not sent"
    return packed.stat().st_size / 1000
