"""What a worker's phone loads before it can show a HIT."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.web.preloading import code_of, preloading
from beat_the_ai.words import Catalogue, product_languages
from beat_the_ai.words.served import PageWords, needed
from tests.webapp.shipped_words import shipped_words

MAX_GZIP_KB = 127  # with its words, in any language
MAX_FILES = 10  # with index.html, without its words; a browser fetches six at a time
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
    sizes["words"] = max(_words_kb(words_of(dist, page, language)) for language in product_languages())
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


def test_every_word_goes_to_the_pages_that_say_it(dist: Path) -> None:
    every, served = shipped_words(ENGLISH), [words_of(dist, page, ENGLISH) for page in PAGES]
    by_the_server = {key for key in every.messages if key.startswith(("session.no_script", "elsewhere.", "notices."))}
    assert every.messages.keys() - by_the_server == set().union(*(words.messages for words in served))
    assert every.texts.keys() == set().union(*(words.texts for words in served))
    assert all("forms.optional" in words.messages for words in served)  # forms are loaded later
    assert [page for page, words in zip(PAGES, served, strict=True) if "checking.save" in words.messages] == [
        f"src/pages/{page}/page.tsx" for page in CHECKING
    ]


def words_of(dist: Path, page: str, language: str) -> Catalogue:
    """Return the words that a router serves to a page."""
    name = Path(page).parent.name
    kinds = [kind for kind in ("nli", "quizbowl") if name.startswith(kind)]
    return needed(shipped_words(language, *kinds or ["reading_comprehension"]), code_of(dist, name))


def _words_kb(words: Catalogue) -> float:
    return len(gzip.compress(PageWords.of(words).model_dump_json().encode())) / 1000


def _packed_kb(path: Path) -> float:
    packed = path.with_name(f"{path.name}.gz")
    if not packed.is_file():
        return path.stat().st_size / 1000
    assert packed.stat().st_mtime >= path.stat().st_mtime, f"{packed} is older than what it holds, and not sent"
    return packed.stat().st_size / 1000
