"""The documentation as a site: built strictly, with every link and anchor in it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OUTSIDE = sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("tasks/*/README.md"))  # of the site, with links into it


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the site of a folder with `mkdocs.yml` and `docs/`, without the banner of its theme."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder / "site")]
    environment = {"NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": ":".join(sys.path)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Return a copy of the documentation that a test may change."""
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    return tmp_path


def test_the_site_builds_without_a_warning(copied: Path) -> None:
    built = build(copied)
    assert built.returncode == 0, built.stderr
    assert (copied / "site" / "how-to" / "launch" / "index.html").is_file()


@pytest.mark.parametrize("link", ["how-to/nowhere.md", "how-to/launch.md#nowhere"])
def test_a_link_or_an_anchor_that_leads_nowhere_fails_the_build(copied: Path, link: str) -> None:
    page = copied / "docs" / "README.md"
    page.write_text(f"{page.read_text(encoding='utf-8')}\n[a link]({link})\n", encoding="utf-8")
    built = build(copied)
    assert built.returncode != 0
    assert "nowhere" in built.stderr


def test_the_site_fetches_nothing_from_other_servers(copied: Path) -> None:
    assert build(copied).returncode == 0
    pages = [path.read_text(encoding="utf-8") for path in (copied / "site").rglob("*.html")]
    fetched = [
        one for page in pages for one in re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=\"?(https?:[^\"> ]+)", page)
    ]
    assert fetched == []


@pytest.mark.parametrize("path", OUTSIDE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_of_a_page_outside_the_site_leads_somewhere(path: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)\s]+)\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not leads_somewhere(path, link)] == []


def leads_somewhere(path: Path, link: str) -> bool:
    file, _, anchor = link.partition("#")
    target = (path.parent / file).resolve() if file else path
    return target.exists() and (not anchor or anchor in anchors(target))


def anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}
