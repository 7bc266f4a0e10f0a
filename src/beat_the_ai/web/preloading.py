"""The files that a built page loads, by the manifest of its build.

`index.html` preloads files before any script runs: a round trip takes a slow phone half a second.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

MANIFEST = Path(".vite", "manifest.json")  # the build's list of which file takes which
SHARED = "_"  # begins the names of chunks that are no modules
PAGE = "src/pages/{}/page.tsx"
CONFIG = '<link rel="preload" href="./task_config.json" as="fetch" crossorigin />'


def preloading(folder: Path, page: str) -> str:
    """The `index.html` of a built page, with links to what that page takes and `index.html` does not name."""
    index = (folder / "index.html").read_text(encoding="utf-8")
    files = _files(_manifest(folder), PAGE.format(page))
    scripts = [name for name in files if f'"./{name}"' not in index]
    links = [CONFIG, *(f'<link rel="modulepreload" href="./{escape(name)}" />' for name in scripts)]
    return index.replace("</head>", "".join(f"  {link}\n  " for link in links) + "</head>")


def code_of(folder: Path, page: str) -> str:
    """Return all code that a built page may load, now or later: its own, and what is no other page's."""
    manifest = _manifest(folder)
    loaded = [chunk for chunk in manifest if chunk == PAGE.format(page) or not _is_other(chunk)]
    files = dict.fromkeys(name for chunk in loaded for name in _files(manifest, chunk))
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in files)


def _is_other(chunk: str) -> bool:
    """Return whether a chunk is a page, or shared by some pages: these name what they share."""
    return chunk.startswith(SHARED) or Path(chunk).match(PAGE.format("*"))


def _manifest(folder: Path) -> dict[str, Any]:
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    assert isinstance(manifest, dict)
    return manifest


def _files(manifest: Mapping[str, Any], chunk: str) -> list[str]:
    """Return the files of a chunk and of all its imports, which may import each other."""
    chunks, files = [chunk], dict[str, str]()
    while chunks:
        name = chunks.pop(0)
        if name in manifest and name not in files:
            files[name] = manifest[name]["file"]
            chunks[:0] = manifest[name].get("imports", ())
    return list(files.values())
