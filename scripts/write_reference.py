"""Write `docs/reference/` from the code: settings, commands, exports, HTTP, the console's API, file formats.

    python scripts/write_reference.py

A test fails when a page differs from what this writes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts.reference import commands, console_api, exports, files, http, settings  # noqa: E402  # they lie beside the package

FOLDER = ROOT / "docs" / "reference"
HEADER = "<!-- Written by scripts/write_reference.py. Do not edit. -->\n\n"
PAGES: dict[str, Callable[[], str]] = {
    "settings.md": settings.page,
    "commands.md": commands.page,
    "exports.md": exports.page,
    "http.md": http.page,
    "console-api.json": console_api.page,
    "files.md": files.page,
}


def text(name: str) -> str:
    """Return a page as the code declares it today."""
    page = PAGES[name]().rstrip() + "\n"
    return HEADER + page if name.endswith(".md") else page


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in PAGES:
        (FOLDER / name).write_text(text(name), encoding="utf-8")


if __name__ == "__main__":
    main()
