from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.measure import (
    ROOT,
    circle,
    functions,
    prose,
    sentences,
    size,
    spread,
    takes_store_and_campaign,
    written_pages,
)
from scripts.write_reference import FOLDER, PAGES


def test_the_script_prints_each_figure_once_and_needs_nothing_but_python() -> None:
    command = [sys.executable, "-I", "-S", str(ROOT / "scripts" / "measure.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    names = [line[:40].strip() for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert names == [
        "lines of src/beat_the_ai",
        "lines of a module, p50 / p90 / max",
        "lines of a function, p50 / p90 / max",
        "functions of more than 40 lines",
        "circle between packages",
        "words of documentation",
        "words of the longest sentence",
        "functions of (store, campaign)",
        "raw reads of configuration",
        "records between vote and row",
    ]


def test_a_spread_is_median_ninth_decile_and_maximum() -> None:
    assert spread(range(1, 101)) == "51 / 91 / 100"
    assert spread([7]) == "7 / 7 / 7"


@pytest.mark.parametrize(
    ("signature", "counted"),
    [
        ("(store, campaign)", True),
        ("(self, store, /, *, campaign_id=None)", True),
        ("(settings, store)", True),
        ("(store, round)", False),
        ("(campaign, settings)", False),
    ],
)
def test_a_signature_of_a_store_with_a_campaign_or_settings_counts(signature: str, counted: bool) -> None:
    [function] = functions(ast.parse(f"async def read{signature}:\n    return\n"))
    assert takes_store_and_campaign(function) is counted
    assert size(function) == 2


def test_a_circle_is_found() -> None:
    assert circle({"a": {"b"}, "b": {"c"}}) == []
    assert set(circle({"a": {"b"}, "b": {"c"}, "c": {"b"}})) == {"b", "c"}


def test_code_tables_and_pictures_are_no_prose_but_sentences_are_counted_in_tables_too(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Title\n\nOne two. [Three](x.md) four.\n\n```\ncode\n```\n\n| Cell one. | Cell |\n![picture](x.png)\n"
    )
    assert prose(page).split() == ["#", "Title", "One", "two.", "[Three](x.md)", "four."]
    assert [one for one in sentences(page) if one] == ["Title", "One two.", "Three four.", "Cell one.", "Cell"]


def test_written_pages_are_all_but_those_of_the_reference_that_a_script_writes() -> None:
    all_pages = {ROOT / "README.md", *(ROOT / "docs").rglob("*.md")}
    assert all_pages - set(written_pages()) == {FOLDER / name for name in PAGES if name.endswith(".md")}
