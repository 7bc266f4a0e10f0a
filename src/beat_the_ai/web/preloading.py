"""The files that `index.html` preloads before any script runs: a round trip takes a slow phone half a second."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

MANIFEST = Path(".vite", "manifest.json")  # the build's list of which file takes which
CONFIG = '<link rel="preload" href="./task_config.json" as="fetch" crossorigin />'


def preloading(folder: Path, page: str) -> str:
    """The `index.html` of a built page, with links to what that page takes and `index.html` does not name."""
    index = (folder / "index.html").read_text(encoding="utf-8")
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    files = dict.fromkeys(_files(manifest, f"src/pages/{page}/page.tsx"))
    scripts = [name for name in files if f'"./{name}"' not in index]
    links = [CONFIG, *(f'<link rel="modulepreload" href="./{escape(name)}" />' for name in scripts)]
    return index.replace("</head>", "".join(f"  {link}\n  " for link in links) + "</head>")


def _files(manifest: Mapping[str, Any], chunk: str) -> Iterator[str]:
    """Yield the files of a chunk and of all its imports; none of a chunk that was not built."""
    if chunk in manifest:
        found = manifest[chunk]
        yield found["file"]
        for other in found.get("imports", ()):
            yield from _files(manifest, other)
